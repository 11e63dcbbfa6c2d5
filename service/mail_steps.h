/*
 * The lines of a turn that was written over several lines, as people write them: with a mark of a
 * list before a step, with a separator at either end of a line. And lines that may have been meant
 * as steps though they cannot be read: beside them nothing is played (RULES.md section 4).
 */
#ifndef SERVICE_MAIL_STEPS_H
#define SERVICE_MAIL_STEPS_H

#include <stdbool.h>

#include <glib.h>

/* What stood around the steps of a line. */
typedef struct MailStepsMarks {
	int number;   /* of a numbered list, 0: none */
	bool follows; /* a separator before them: they go on from the line above */
	bool goes_on; /* a separator behind them: the line below goes on */
} MailStepsMarks;

/* A line without the mark of a list and without separators at its ends. The caller frees. */
char *mail_steps_strip(const char *line, MailStepsMarks *marks_r);

/* Whether words hold something like a step, other than the steps that were read (in canonical form,
 * parted by ","). */
bool mail_steps_doubt(const char *words, const char *steps);

/* The same of a line with no other words than such as join steps: "or c2-c4", "a3-b3 and". */
bool mail_steps_doubt_short(const char *words, const char *steps);

/* The same of a line that is nothing but squares and signs. */
bool mail_steps_doubt_bare(const char *words, const char *steps);

/* How lines with steps stand to each other. Begins with all members 0. */
typedef struct MailStepsRun {
	int lines;
	int numbered; /* of them, those of a numbered list */
	int several;  /* of them, those of several steps */
	int joined;   /* how often a separator stands between two of them */
	bool goes_on; /* a separator ends the last of them */
	bool words;   /* words stand after the last of them */
	bool parted;  /* words stand between two of them */
} MailStepsRun;

/* Adds a line with steps, in canonical form. */
void mail_steps_run_add(MailStepsRun *run, const char *steps, const MailStepsMarks *marks);

/* Whether the lines are meant as one turn: they stand together, and each is one step or a separator
 * joins it to the next. */
bool mail_steps_run_is_turn(const MailStepsRun *run);

#endif
