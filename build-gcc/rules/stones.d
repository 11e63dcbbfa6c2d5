build-gcc/rules/stones.o: rules/stones.c rules/stones.h rules/bits.h \
 rules/rules.h
rules/stones.h:
rules/bits.h:
rules/rules.h:
