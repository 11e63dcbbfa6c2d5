build-clang/rules/written.o: rules/written.c rules/written.h \
  rules/steps.h rules/stones.h rules/bits.h rules/rules.h

rules/written.h:

rules/steps.h:

rules/stones.h:

rules/bits.h:

rules/rules.h:
