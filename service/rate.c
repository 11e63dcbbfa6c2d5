#include "service/rate.h"

#include "db/mail_rate.h"
#include "service/problem.h"

#include <string.h>

enum {
	SLOTS = 1 << 15,
	PROBES = 8, /* places one key may stand in; the fullest bucket of them gives way */
	SHA256_SIZE = 32,
};

/* A bucket that would be full by now is as good as none: its slot may be taken. */
typedef struct {
	uint64_t key; /* 0: free */
	double left;
	int64_t at_ms;
	ConfigRate limit;
} Bucket;

struct RateTable {
	GMutex lock;
	uint64_t seed;
	Bucket *buckets;
};

RateTable *rate_table_new(void)
{
	RateTable *table = g_new0(RateTable, 1);
	g_mutex_init(&table->lock);
	table->seed = (uint64_t)g_random_int() << 32 | g_random_int();
	table->buckets = g_new0(Bucket, SLOTS);
	return table;
}

void rate_table_free(RateTable *table)
{
	if (table == NULL)
		return;
	g_mutex_clear(&table->lock);
	g_free(table->buckets);
	g_free(table);
}

/* FNV-1a from a random start, then mixed, so that nobody can choose neighbours. */
static uint64_t key_hash(const RateTable *table, const void *key, size_t size)
{
	const unsigned char *bytes = key;
	uint64_t hash = table->seed;
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
	hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	hash ^= hash >> 33;
	return hash == 0 ? 1 : hash;
}

static double bucket_left(const Bucket *bucket, int64_t now_ms)
{
	double rate = (double)bucket->limit.quota / (bucket->limit.window_s * 1000.0);
	double left = bucket->left + (double)(now_ms - bucket->at_ms) * rate;
	return MIN(left, (double)bucket->limit.quota);
}

/* The bucket of key, made full if there is none. */
static Bucket *bucket_find(RateTable *table, uint64_t key, ConfigRate limit, int64_t now_ms)
{
	Bucket *victim = NULL;
	double victim_share = -1;
	for (unsigned i = 0; i < PROBES; i++) {
		Bucket *bucket = &table->buckets[(key + i) % SLOTS];
		if (bucket->key == key)
			return bucket;
		double share =
			bucket->key == 0 ? 2 : bucket_left(bucket, now_ms) / bucket->limit.quota;
		if (share <= victim_share)
			continue;
		victim_share = share;
		victim = bucket;
	}
	*victim = (Bucket){key, limit.quota, now_ms, limit};
	return victim;
}

static int seconds_up(double seconds)
{
	int whole = (int)seconds;
	return (double)whole < seconds ? whole + 1 : whole;
}

RateState rate_take(RateTable *table, ConfigRate limit, const void *key, size_t key_size,
		    int64_t now_ms)
{
	uint64_t hash = key_hash(table, key, key_size);
	double per_second = (double)limit.quota / limit.window_s;
	g_mutex_lock(&table->lock);
	Bucket *bucket = bucket_find(table, hash, limit, now_ms);
	double left = bucket_left(bucket, now_ms);
	bool allowed = left >= 1;
	if (allowed)
		left -= 1;
	bucket->left = left;
	bucket->at_ms = now_ms;
	bucket->limit = limit;
	g_mutex_unlock(&table->lock);
	double missing = left < 1 ? 1 - left : limit.quota - left;
	return (RateState){allowed, limit, (int)left, MAX(1, seconds_up(missing / per_second))};
}

static bool bucket_take(Db *db, const char *kind, const char *key, ConfigRate limit, int *wait_s_r,
			GError **error)
{
	uint8_t hash[SHA256_SIZE];
	size_t size = sizeof(hash);
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	g_checksum_update(checksum, (const unsigned char *)key, (long)strlen(key));
	g_checksum_get_digest(checksum, hash, &size);
	g_autofree char *hex = db_hex(hash, sizeof(hash));
	const MailRate rate = {kind, hex, limit.quota, limit.window_s};
	return mail_rate_take(db, &rate, wait_s_r, error);
}

bool rate_mail_may(Db *db, const char *kind, const char *key, ConfigRate limit, bool *may_r,
		   GError **error)
{
	int wait_s = 0;
	const bool done = bucket_take(db, kind, key, limit, &wait_s, error);
	*may_r = done && wait_s == 0;
	return done;
}

bool rate_mail_take(Db *db, const char *kind, const char *key, ConfigRate limit, GError **error)
{
	int wait_s = 0;
	if (!bucket_take(db, kind, key, limit, &wait_s, error))
		return false;
	if (wait_s == 0)
		return true;
	g_autofree char *seconds = g_strdup_printf("%d", wait_s);
	problem_set(error, PROBLEM_RATE_LIMITED, "retry_after", seconds, "policy", kind, NULL);
	return false;
}
