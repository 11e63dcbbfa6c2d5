/* JSON written straight into a text, where jansson would cost as much as the query: large or
 * frequent answers (games, turns, steps). Values follow "key": or stand in a list; commas between
 * members are the writer's. */
#ifndef SERVICE_JSON_TEXT_H
#define SERVICE_JSON_TEXT_H

#include <glib.h>
#include <stdint.h>

/* A string with its quotation marks, escaped; null for NULL. text must be UTF-8. */
void json_text_string(GString *out, const char *text);
/* ,"name":"text" (null for NULL). name needs no escaping. The first member of an object is written
 * without the comma: json_text_first. */
void json_text_member(GString *out, const char *name, const char *text);
void json_text_number(GString *out, const char *name, int64_t number);
/* {"name":number */
void json_text_first(GString *out, const char *name, int64_t number);
/* ,"name":"2026-11-30T02:00:00Z" of an instant as PostgreSQL writes it in UTC; null for NULL. */
void json_text_time(GString *out, const char *name, const char *stamp);

/* ,"name":{…} of JSON that PostgreSQL wrote, without the blanks it puts in. */
void json_text_raw(GString *out, const char *name, const char *json);

#endif
