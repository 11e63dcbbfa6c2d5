/*
 * Reads fields of a JSON body. Each refuses what does not fit with FIELD_INVALID, naming the field
 * by its path: pass "clock.kind" to read "kind" of the object body["clock"]'s value given as body.
 * null counts as absent. An error that is FIELD_INVALID already gets the further field, so that a
 * caller can read them all and tell all faults at once:
 *
 *     bool good = field_only(body, names, error);
 *     good = field_text(body, "name", 1, 60, &name, error) && good;
 */
#ifndef SERVICE_FIELD_H
#define SERVICE_FIELD_H

#include "service/problem.h"

#include <stdint.h>

/* Text of min..max characters (code points), normalised to NFC, without control characters. The
 * caller frees *text_r; the optional one gives NULL when the field is absent. */
bool field_text(const json_t *body, const char *field, int min, int max, char **text_r,
		GError **error);
bool field_text_optional(const json_t *body, const char *field, int min, int max, char **text_r,
			 GError **error);
/* As field_text, line ends and tabs allowed (messages). */
bool field_lines_optional(const json_t *body, const char *field, int min, int max, char **text_r,
			  GError **error);
/* A whole number within min..max, 1.0 and 1e0 included. The optional one keeps *number_r when the
 * field is absent. */
bool field_int(const json_t *body, const char *field, int64_t min, int64_t max, int64_t *number_r,
	       GError **error);
bool field_int_optional(const json_t *body, const char *field, int64_t min, int64_t max,
			int64_t *number_r, GError **error);
/* true or false; keeps *value_r when the field is absent. */
bool field_bool_optional(const json_t *body, const char *field, bool *value_r, GError **error);
/* One of the NULL-terminated choices: *index_r is its place. The optional one keeps *index_r when
 * the field is absent. */
bool field_choice(const json_t *body, const char *field, const char *const *choices, int *index_r,
		  GError **error);
bool field_choice_optional(const json_t *body, const char *field, const char *const *choices,
			   int *index_r, GError **error);
/* An object or a list; borrowed from body; NULL when the field is absent. */
bool field_object_optional(const json_t *body, const char *field, const json_t **object_r,
			   GError **error);
bool field_list_optional(const json_t *body, const char *field, const json_t **list_r,
			 GError **error);
/* Whether the field is there and not null. */
bool field_given(const json_t *body, const char *field);
/* Refuses all fields that are not among the NULL-terminated names. */
bool field_only(const json_t *body, const char *const *names, GError **error);
/* The same for an object within the body: "size" of the field "options" is "options.size". NULL:
 * the body itself. */
bool field_only_in(const json_t *object, const char *field, const char *const *names,
		   GError **error);
/* Refuses all of them. */
bool field_none(const json_t *object, const char *field, GError **error);

#endif
