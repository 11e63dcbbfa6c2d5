/* Every table of queries: a new file with queries adds one declaration and one row. */
#include "db.h"

extern const DbQueryTable absence_queries;
extern const DbQueryTable address_queries;
extern const DbQueryTable announcement_queries;
extern const DbQueryTable challenge_queries;
extern const DbQueryTable checkup_queries;
extern const DbQueryTable delivery_queries;
extern const DbQueryTable event_queries;
extern const DbQueryTable follow_queries;
extern const DbQueryTable game_queries;
extern const DbQueryTable health_queries;
extern const DbQueryTable herald_queries;
extern const DbQueryTable idempotency_queries;
extern const DbQueryTable inbox_queries;
extern const DbQueryTable letter_queries;
extern const DbQueryTable mail_code_queries;
extern const DbQueryTable mail_rate_queries;
extern const DbQueryTable player_queries;
extern const DbQueryTable prune_queries;
extern const DbQueryTable remark_queries;
extern const DbQueryTable seat_queries;
extern const DbQueryTable session_queries;
extern const DbQueryTable setup_queries;
extern const DbQueryTable token_queries;
extern const DbQueryTable transaction_queries;
extern const DbQueryTable turn_queries;

/* clang-format off: one row a line. */
const DbQueryTable *const db_query_tables[] = {
	&absence_queries,     &seat_queries,
	&address_queries,     &announcement_queries,
	&challenge_queries,   &checkup_queries,
	&delivery_queries,    &event_queries,
	&follow_queries,      &game_queries,
	&health_queries,      &herald_queries,
	&idempotency_queries, &inbox_queries,
	&letter_queries,      &mail_code_queries,
	&mail_rate_queries,   &player_queries,
	&prune_queries,       &remark_queries,
	&session_queries,     &setup_queries,
	&token_queries,       &transaction_queries,
	&turn_queries,        NULL,
};
/* clang-format on */
