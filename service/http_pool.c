/* Workers: threads that make answers, each the owner of one database connection. */
#include "service/http_private.h"

#include "db/session.h"
#include "db/token.h"
#include "service/metrics.h"

struct HttpPool {
	HttpServer *server;
	GMutex lock;
	GCond filled;
	HttpExchange *first, *last;
	bool stopping;
	GPtrArray *threads;
};

/* What is left to do when the client already has its answer. */
typedef struct {
	int64_t token_id, session_id;
} Afterwards;

static HttpExchange *exchange_take(HttpPool *pool)
{
	g_mutex_lock(&pool->lock);
	while (pool->first == NULL && !pool->stopping)
		g_cond_wait(&pool->filled, &pool->lock);
	HttpExchange *exchange = pool->first;
	if (exchange != NULL)
		pool->first = exchange->next;
	g_mutex_unlock(&pool->lock);
	if (exchange != NULL)
		metrics_add(GAUGE_QUEUED, -1);
	return exchange;
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
	g_cond_signal(&pool->filled);
	g_mutex_unlock(&pool->lock);
}

/* After MHD_resume_connection the exchange belongs to the network thread again. */
static Afterwards exchange_answer(HttpPool *pool, HttpExchange *exchange, Db *db)
{
	Dispatcher *dispatcher = pool->server->dispatcher;
	Request *request = exchange->request;
	request->db = db;
	Response *response = dispatch_begin(dispatcher, request);
	if (response == NULL)
		response = dispatch_finish(dispatcher, request);
	dispatch_complete(dispatcher, request, response);
	Afterwards afterwards = {0};
	if (request->actor != NULL && request->actor->touch_due)
		afterwards = (Afterwards){request->actor->token_id, request->actor->session_id};
	exchange->response = response;
	MHD_resume_connection(exchange->connection);
	return afterwards;
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
	HttpExchange *exchange = NULL;
	while ((exchange = exchange_take(pool)) != NULL) {
		afterwards_do(db, exchange_answer(pool, exchange, db));
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
