/* Workers: threads that make answers, each the owner of one database connection. */
#include "service/http_private.h"

#include "db/session.h"
#include "db/token.h"
#include "service/metrics.h"

#include <string.h>

enum {
	SHARE_MAX = 16,    /* exchanges of one round trip */
	READS_AT = 4,      /* so many waiting ones for each busy worker are worth another */
	LOOKOUT_US = 1000, /* longer than this none waits for a worker that is busy */
};

struct HttpPool {
	HttpServer *server;
	GMutex lock;
	GCond filled;
	HttpExchange *first, *last;
	int queued, idle; /* exchanges waiting; workers waiting */
	unsigned taken;   /* how often some were taken */
	bool lookout;     /* a worker waits only as long as LOOKOUT_US */
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

static bool exchange_reads(const HttpExchange *exchange)
{
	return strcmp(request_method(exchange->request), "GET") == 0;
}

/* Whether what waits needs another worker now. Those that only read are better off together: they
 * wait, for a moment, until a worker is free who takes them all in one round trip. */
static bool worker_needed(const HttpPool *pool)
{
	if (pool->first == NULL)
		return false;
	const int busy = pool->server->config->workers - pool->idle;
	return !exchange_reads(pool->first) || busy == 0 || pool->queued >= READS_AT * busy;
}

/* Returns when this worker shall take something, or at the end. One of those who wait keeps an eye
 * on the busy ones: when none of them was free in time, it does the work. */
static void worker_wait(HttpPool *pool)
{
	while (!pool->stopping && !worker_needed(pool)) {
		if (pool->first == NULL || pool->lookout) {
			g_cond_wait(&pool->filled, &pool->lock);
			continue;
		}
		const unsigned taken = pool->taken;
		pool->lookout = true;
		g_cond_wait_until(&pool->filled, &pool->lock, g_get_monotonic_time() + LOOKOUT_US);
		pool->lookout = false;
		if (pool->first != NULL && pool->taken == taken)
			return;
	}
}

/* How many of those that wait one worker takes: readers up to a writer, writers by equal shares
 * (each of them waits for the disk). */
static int share_count(const HttpPool *pool)
{
	const int workers = pool->server->config->workers;
	if (pool->first == NULL || !exchange_reads(pool->first))
		return MIN((pool->queued + workers - 1) / workers, SHARE_MAX);
	int count = 0;
	for (const HttpExchange *each = pool->first;
	     each != NULL && exchange_reads(each) && count < SHARE_MAX; each = each->next)
		count++;
	return count;
}

/* Takes this worker's share of what waits: several exchanges share a round trip. False when it is
 * time to end. */
static bool batch_take(HttpPool *pool, Batch *batch_r)
{
	batch_r->count = 0;
	g_mutex_lock(&pool->lock);
	pool->idle++;
	if (pool->first == NULL)
		worker_wait(pool);
	pool->idle--;
	for (int share = share_count(pool); batch_r->count < share && pool->first != NULL;
	     pool->first = pool->first->next)
		batch_r->jobs[batch_r->count++] = (Job){.exchange = pool->first};
	pool->queued -= batch_r->count;
	pool->taken++;
	const bool more = pool->idle > 0 && worker_needed(pool);
	g_mutex_unlock(&pool->lock);
	if (more)
		g_cond_signal(&pool->filled);
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
	const bool wake = pool->idle > 0 && (worker_needed(pool) || !pool->lookout);
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
}

/* The exchange belongs to the network thread again. */
static void job_resume(Job *job)
{
	HttpExchange *exchange = g_steal_pointer(&job->exchange);
	MHD_resume_connection(exchange->connection);
}

/* What is ready comes first, and goes out together: it need not wait until others have written, or
 * have asked once more. */
static bool job_is_ready(const Job *job)
{
	return exchange_reads(job->exchange) && !job->again;
}

static void batch_finish(const HttpPool *pool, Batch *batch, Db *db)
{
	for (int i = 0; i < batch->count; i++)
		if (job_is_ready(&batch->jobs[i]))
			job_finish(pool, &batch->jobs[i], db);
	for (int i = 0; i < batch->count; i++)
		if (batch->jobs[i].exchange->response != NULL)
			job_resume(&batch->jobs[i]);
	for (int i = 0; i < batch->count; i++) {
		if (batch->jobs[i].exchange == NULL)
			continue;
		job_finish(pool, &batch->jobs[i], db);
		job_resume(&batch->jobs[i]);
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
