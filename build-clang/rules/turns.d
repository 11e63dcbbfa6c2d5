build-clang/rules/turns.o: rules/turns.c rules/turns.h rules/steps.h \
  rules/stones.h rules/bits.h rules/rules.h rules/refusals.h \
  rules/written.h

rules/turns.h:

rules/steps.h:

rules/stones.h:

rules/bits.h:

rules/rules.h:

rules/refusals.h:

rules/written.h:
