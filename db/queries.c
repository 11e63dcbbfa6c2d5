/* Every table of queries: a new file with queries adds one declaration and one row. */
#include "db.h"

extern const DbQueryTable delivery_queries;
extern const DbQueryTable event_queries;
extern const DbQueryTable transaction_queries;

const DbQueryTable *const db_query_tables[] = {
	&delivery_queries,
	&event_queries,
	&transaction_queries,
	NULL,
};
