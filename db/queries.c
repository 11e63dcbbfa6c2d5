/* Every table of queries: a new file with queries adds one declaration and one row. */
#include "db.h"

extern const DbQueryTable challenge_queries;
extern const DbQueryTable delivery_queries;
extern const DbQueryTable event_queries;
extern const DbQueryTable game_queries;
extern const DbQueryTable idempotency_queries;
extern const DbQueryTable transaction_queries;
extern const DbQueryTable turn_queries;

const DbQueryTable *const db_query_tables[] = {
	&challenge_queries,   &delivery_queries,    &event_queries, &game_queries,
	&idempotency_queries, &transaction_queries, &turn_queries,  NULL,
};
