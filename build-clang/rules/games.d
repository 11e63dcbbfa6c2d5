build-clang/rules/games.o: rules/games.c rules/games.h rules/rules.h

rules/games.h:

rules/rules.h:
