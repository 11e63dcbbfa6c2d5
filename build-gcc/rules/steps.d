build-gcc/rules/steps.o: rules/steps.c rules/steps.h rules/stones.h \
 rules/bits.h rules/rules.h
rules/steps.h:
rules/stones.h:
rules/bits.h:
rules/rules.h:
