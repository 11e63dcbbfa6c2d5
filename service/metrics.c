#include "service/metrics.h"

#include <stdatomic.h>

enum { ROUTES_MAX = 160 };

/* The statuses we answer with; the last place counts all others. */
static const int statuses[] = {200, 201, 202, 204, 303, 304, 400, 401, 403, 404, 405, 406,
			       409, 410, 412, 413, 415, 417, 422, 429, 500, 503, 505, 0};
enum { STATUS_COUNT = G_N_ELEMENTS(statuses) };
/* Upper bounds of the latency histogram, in microseconds. */
static const int64_t bounds_us[] = {1000,   2500,   5000,   10000,   25000,   50000,
				    100000, 250000, 500000, 1000000, 2500000, 10000000};
enum { BOUND_COUNT = G_N_ELEMENTS(bounds_us) };

typedef struct {
	atomic_llong answers[STATUS_COUNT];
	atomic_llong latency[BOUND_COUNT + 1];
	atomic_llong latency_us;
} RouteCount;

static const Route *table_start;
static int route_count;
/* One for each row, and one for requests that no row matched. */
static RouteCount counts[ROUTES_MAX + 1];
static atomic_llong rate_refused[RATE_CLASS_COUNT];
static atomic_llong malformed, slow_ones;
static atomic_int gauges[GAUGE_COUNT];

static const char *const rate_names[] = {"none", "read", "write", "login"};

void metrics_start(const Route *table)
{
	table_start = table;
	for (route_count = 0; table[route_count].path != NULL; route_count++)
		g_assert(route_count < ROUTES_MAX);
}

void metrics_answer(const Route *route, int status, int64_t took_us)
{
	RouteCount *count = &counts[route == NULL ? route_count : (int)(route - table_start)];
	unsigned place = 0;
	while (place < STATUS_COUNT - 1 && statuses[place] != status)
		place++;
	unsigned bound = 0;
	while (bound < BOUND_COUNT && took_us > bounds_us[bound])
		bound++;
	atomic_fetch_add_explicit(&count->answers[place], 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&count->latency[bound], 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&count->latency_us, took_us, memory_order_relaxed);
}

void metrics_rate_refused(RateClass class)
{
	atomic_fetch_add(&rate_refused[class], 1);
}

void metrics_connection_refused(bool slow)
{
	atomic_fetch_add(slow ? &slow_ones : &malformed, 1);
}

void metrics_add(Gauge gauge, int change)
{
	atomic_fetch_add_explicit(&gauges[gauge], change, memory_order_relaxed);
}

int metrics_gauge(Gauge gauge)
{
	return atomic_load(&gauges[gauge]);
}

static void head_write(GString *out, const char *name, const char *type, const char *help)
{
	g_string_append_printf(out, "# HELP ludopost_%s %s\n# TYPE ludopost_%s %s\n", name, help,
			       name, type);
}

/* {method="GET",route="/v1/games/{id}" of a row; without the closing brace. */
static void labels_write(GString *out, int row)
{
	const Route *route = row == route_count ? NULL : &table_start[row];
	g_string_append_printf(out, "{method=\"%s\",route=\"%s\"",
			       route == NULL ? "" : route->method,
			       route == NULL ? "" : route->path);
}

static void answers_write(GString *out)
{
	head_write(out, "http_requests_total", "counter", "Requests by route, method and status.");
	for (int row = 0; row <= route_count; row++)
		for (unsigned i = 0; i < STATUS_COUNT; i++) {
			long long count = atomic_load(&counts[row].answers[i]);
			if (count == 0)
				continue;
			g_string_append(out, "ludopost_http_requests_total");
			labels_write(out, row);
			if (statuses[i] == 0)
				g_string_append_printf(out, ",status=\"other\"} %lld\n", count);
			else
				g_string_append_printf(out, ",status=\"%d\"} %lld\n", statuses[i],
						       count);
		}
}

static void histogram_write(GString *out, int row)
{
	long long sum = 0, total = 0;
	for (unsigned i = 0; i <= BOUND_COUNT; i++)
		total += atomic_load(&counts[row].latency[i]);
	if (total == 0)
		return;
	for (unsigned i = 0; i <= BOUND_COUNT; i++) {
		sum += atomic_load(&counts[row].latency[i]);
		g_string_append(out, "ludopost_http_request_seconds_bucket");
		labels_write(out, row);
		if (i == BOUND_COUNT)
			g_string_append_printf(out, ",le=\"+Inf\"} %lld\n", sum);
		else
			g_string_append_printf(out, ",le=\"%g\"} %lld\n",
					       (double)bounds_us[i] / 1e6, sum);
	}
	g_string_append(out, "ludopost_http_request_seconds_sum");
	labels_write(out, row);
	g_string_append_printf(out, "} %.6f\n", (double)atomic_load(&counts[row].latency_us) / 1e6);
	g_string_append(out, "ludopost_http_request_seconds_count");
	labels_write(out, row);
	g_string_append_printf(out, "} %lld\n", sum);
}

static void gauges_write(GString *out)
{
	static const struct {
		const char *name, *help;
	} texts[] = {
		[GAUGE_CONNECTIONS] = {"http_connections", "Open client connections."},
		[GAUGE_IN_FLIGHT] = {"http_in_flight", "Requests being answered."},
		[GAUGE_QUEUED] = {"http_queued", "Requests waiting for a worker."},
		[GAUGE_DB_CONNECTED] = {"db_connected", "Workers connected to the database."},
	};
	for (int i = 0; i < GAUGE_COUNT; i++) {
		head_write(out, texts[i].name, "gauge", texts[i].help);
		g_string_append_printf(out, "ludopost_%s %d\n", texts[i].name,
				       metrics_gauge((Gauge)i));
	}
}

void metrics_write(GString *out)
{
	answers_write(out);
	head_write(out, "http_request_seconds", "histogram",
		   "Time from a whole request to its answer.");
	for (int row = 0; row <= route_count; row++)
		histogram_write(out, row);
	gauges_write(out);
	head_write(out, "rate_refused_total", "counter", "Requests refused by a rate limit.");
	for (int i = RATE_READ; i < RATE_CLASS_COUNT; i++)
		g_string_append_printf(out, "ludopost_rate_refused_total{class=\"%s\"} %lld\n",
				       rate_names[i], (long long)atomic_load(&rate_refused[i]));
	head_write(out, "http_connections_refused_total", "counter",
		   "Connections closed for their bad manners.");
	g_string_append_printf(out,
			       "ludopost_http_connections_refused_total{why=\"malformed\"} %lld\n"
			       "ludopost_http_connections_refused_total{why=\"slow\"} %lld\n",
			       (long long)atomic_load(&malformed),
			       (long long)atomic_load(&slow_ones));
}
