build-gcc/rules/refusals.o: rules/refusals.c rules/refusals.h \
 rules/written.h rules/steps.h rules/stones.h rules/bits.h rules/rules.h
rules/refusals.h:
rules/written.h:
rules/steps.h:
rules/stones.h:
rules/bits.h:
rules/rules.h:
