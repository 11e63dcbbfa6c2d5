/* Pages of lists: "?cursor=…&limit=…" in, "next" and a Link header (RFC 8288) out. A cursor stands
 * for the last row seen, so that pages neither skip nor repeat while rows are added. */
#ifndef SERVICE_CURSOR_H
#define SERVICE_CURSOR_H

#include "service/request.h"

/* Reads "cursor" (*after_r is 0 without one) and "limit" (1..max, *limit_r keeps its value without
 * one). CURSOR_INVALID, QUERY_INVALID. */
bool cursor_read(const Request *request, int max, int64_t *after_r, int *limit_r, GError **error);
/* Ends the object of a list: ,"next":… and }, and the answer with its Link header. last: the last
 * row shown, 0 if nothing follows. Takes body over. */
Response *cursor_answer(const Request *request, GString *body, int64_t last);

#endif
