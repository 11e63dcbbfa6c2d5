/* Workers: threads that make answers, each the owner of one database connection. */
#include "service/http_private.h"

#include "db/session.h"
#include "db/token.h"
#include "service/metrics.h"

#include <string.h>

enum { SHARE_MAX = 8 };

struct HttpPool {
	HttpServer *server;
	GMutex lock;
	GCond filled;
	HttpExchange *first, *last;
	int queued, idle; /* exchanges waiting; workers waiting */
	bool stopping;
	GPtrArray *threads;
};

/* What is left to do when the client already has its answer. */
typedef struct {
	int64_t token_id, session_id;
} Afterwards;

/* One of the exchanges that share a round trip. */
typedef struct {
	HttpExchange *exchange;
	Response *response; /* NULL: not made yet */
	int count;          /* of its statements in the round trip */
	DbAnswers *answers; /* NULL: none were collected */
	bool again;         /* its statements must be sent once more */
	Afterwards afterwards;
} Job;
typedef struct {
	int count;
	Job jobs[SHARE_MAX];
} Batch;

/* Takes this worker's share of what waits: when there is more than one for each worker, several
 * exchanges share a round trip. False when it is time to end. */
static bool batch_take(HttpPool *pool, Batch *batch_r)
{
	batch_r->count = 0;
	g_mutex_lock(&pool->lock);
	pool->idle++;
	while (pool->first == NULL && !pool->stopping)
		g_cond_wait(&pool->filled, &pool->lock);
	pool->idle--;
	const int workers = pool->server->config->workers;
	const int share = MIN((pool->queued + workers - 1) / workers, SHARE_MAX);
	while (batch_r->count < share && pool->first != NULL) {
		batch_r->jobs[batch_r->count++] = (Job){.exchange = pool->first};
		pool->first = pool->first->next;
	}
	pool->queued -= batch_r->count;
	g_mutex_unlock(&pool->lock);
	metrics_add(GAUGE_QUEUED, -batch_r->count);
	return batch_r->count > 0;
}

void pool_put(HttpPool *pool, HttpExchange *exchange)
{
	metrics_add(GAUGE_QUEUED, 1);
	exchange->next = NULL;
	g_mutex_lock(&pool->lock);
	if (pool->first == NULL)
		pool->first = exchange;
	else
		pool->last->next = exchange;
	pool->last = exchange;
	pool->queued++;
	const bool wake = pool->idle > 0;
	g_mutex_unlock(&pool->lock);
	if (wake)
		g_cond_signal(&pool->filled);
}

/* Queues the statements of all exchanges, sends them at once and keeps each one's answers for it.
 * What one spoils (after a failed statement, those behind it fail too), each does again alone. */
static void batch_begin(const HttpPool *pool, Batch *batch, Db *db)
{
	bool lost = false;
	for (int i = 0; i < batch->count; i++) {
		Job *job = &batch->jobs[i];
		const int before = db_queued(db);
		job->exchange->request->db = db;
		job->response = dispatch_begin(pool->server->dispatcher, job->exchange->request);
		job->count = db_queued(db) - before;
		lost |= job->count < 0;
	}
	if (batch->count == 1 && batch->jobs[0].response == NULL)
		return;
	for (int i = 0; i < batch->count; i++) {
		Job *job = &batch->jobs[i];
		if (!lost)
			job->answers = db_collect(db, job->count);
		job->again = lost || db_answers_failed(job->answers);
		if (job->again || job->response != NULL)
			g_clear_pointer(&job->answers, db_answers_free);
	}
	db_drain(db);
}

/* After MHD_resume_connection the exchange belongs to the network thread again. */
static void job_finish(const HttpPool *pool, Job *job, Db *db)
{
	Dispatcher *dispatcher = pool->server->dispatcher;
	HttpExchange *exchange = job->exchange;
	Request *request = exchange->request;
	Response *response = job->response;
	if (response == NULL && job->again)
		response = dispatch_again(dispatcher, request);
	else if (job->answers != NULL)
		db_give(db, g_steal_pointer(&job->answers));
	if (response == NULL)
		response = dispatch_finish(dispatcher, request);
	dispatch_complete(dispatcher, request, response);
	if (request->actor != NULL && request->actor->touch_due)
		job->afterwards =
			(Afterwards){request->actor->token_id, request->actor->session_id};
	exchange->response = response;
	MHD_resume_connection(exchange->connection);
}

/* Those that only read come first: they need not wait until others have written. */
static void batch_finish(const HttpPool *pool, Batch *batch, Db *db)
{
	for (int writing = 0; writing <= 1; writing++)
		for (int i = 0; i < batch->count; i++) {
			Job *job = &batch->jobs[i];
			if (job->exchange == NULL)
				continue;
			const char *method = request_method(job->exchange->request);
			if (writing == 0 && batch->count > 1 && strcmp(method, "GET") != 0)
				continue;
			job_finish(pool, job, db);
			job->exchange = NULL;
		}
}

/* A last use that could not be written down is written down at the next use. */
static void afterwards_do(Db *db, Afterwards afterwards)
{
	g_autoptr(GError) error = NULL;
	bool done = true;
	if (afterwards.token_id != 0)
		done = token_touch(db, afterwards.token_id, &error);
	if (afterwards.session_id != 0)
		done = session_touch(db, afterwards.session_id, &error);
	if (!done)
		g_debug("event=touch_failed error=\"%s\"", error->message);
}

/* Tells when the database goes and comes back, once each time. */
static void connection_note(bool *connected, const Db *db)
{
	if (db_is_connected(db) == *connected)
		return;
	*connected = !*connected;
	metrics_add(GAUGE_DB_CONNECTED, *connected ? 1 : -1);
	if (*connected)
		g_info("event=database_connected");
	else
		g_warning("event=database_lost");
}

static void *work(void *data)
{
	HttpPool *pool = data;
	g_autoptr(Db) db = db_new(pool->server->config->database);
	bool connected = false;
	g_autoptr(GError) error = NULL;
	if (!db_connect(db, &error))
		g_warning("event=database_unavailable error=\"%s\"", error->message);
	connection_note(&connected, db);
	Batch batch;
	while (batch_take(pool, &batch)) {
		batch_begin(pool, &batch, db);
		batch_finish(pool, &batch, db);
		for (int i = 0; i < batch.count; i++)
			afterwards_do(db, batch.jobs[i].afterwards);
		connection_note(&connected, db);
	}
	if (connected)
		metrics_add(GAUGE_DB_CONNECTED, -1);
	return NULL;
}

HttpPool *pool_new(HttpServer *server)
{
	HttpPool *pool = g_new0(HttpPool, 1);
	pool->server = server;
	g_mutex_init(&pool->lock);
	g_cond_init(&pool->filled);
	pool->threads = g_ptr_array_new();
	for (int i = 0; i < server->config->workers; i++)
		g_ptr_array_add(pool->threads, g_thread_new("worker", work, pool));
	return pool;
}

void pool_free(HttpPool *pool)
{
	if (pool == NULL)
		return;
	g_mutex_lock(&pool->lock);
	pool->stopping = true;
	g_cond_broadcast(&pool->filled);
	g_mutex_unlock(&pool->lock);
	for (unsigned i = 0; i < pool->threads->len; i++)
		g_thread_join(pool->threads->pdata[i]);
	g_assert(pool->first == NULL);
	g_ptr_array_unref(pool->threads);
	g_cond_clear(&pool->filled);
	g_mutex_clear(&pool->lock);
	g_free(pool);
}
