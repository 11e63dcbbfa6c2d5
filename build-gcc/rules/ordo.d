build-gcc/rules/ordo.o: rules/ordo.c rules/games.h rules/rules.h \
 rules/turns.h rules/steps.h rules/stones.h rules/bits.h
rules/games.h:
rules/rules.h:
rules/turns.h:
rules/steps.h:
rules/stones.h:
rules/bits.h:
