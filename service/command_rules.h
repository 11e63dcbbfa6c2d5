/*
 * `ludopost rules …`: the referee on the command line, for authors of bots and for us. Needs
 * neither settings nor a database.
 */
#ifndef SERVICE_COMMAND_RULES_H
#define SERVICE_COMMAND_RULES_H

/* rules list
 * rules legal KEY BOARD [PREFIX]        a step a line, "." after it where the turn may end
 * rules turns KEY BOARD                 a canonical whole turn a line
 * rules play KEY BOARD TURN...          the board after each turn, then "result WINNER REASON" or
 *                                       "open SEAT"
 * rules perft KEY BOARD DEPTH [--divide]
 * rules draw KEY BOARD --text|--svg|--png
 * BOARD is a board string, "start", or "-": boards from standard input, one a line, each with its
 * own PREFIX or TURNs after tabs if none are given, and answered by one line. Exit code 0, 1 for a
 * refusal (its reason on stderr), 2 for wrong usage. */
int command_rules(int argc, char **argv);

#endif
