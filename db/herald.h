/*
 * Tells other processes that there is work, and hears it from them: LISTEN and NOTIFY on a
 * connection of its own, never inside a transaction that does something else. A wake-up may be
 * lost; whoever waits for one looks by himself now and then.
 */
#ifndef DB_HERALD_H
#define DB_HERALD_H

#include "db.h"

typedef struct Herald Herald;

/* Nothing is sent yet. Never NULL. */
Herald *herald_new(const char *conninfo);
void herald_free(Herald *herald);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Herald, herald_free)

/* Connects if need be. False with DB_ERROR_UNAVAILABLE: try again, not at once. */
bool herald_connect(Herald *herald, GError **error);
/* Waits until another process calls, wake_fd becomes readable, or timeout_ms are over. *heard_r:
 * whether another process called. False with DB_ERROR_UNAVAILABLE when the connection is lost. */
bool herald_wait(Herald *herald, int wake_fd, int timeout_ms, bool *heard_r, GError **error);
/* Calls the other processes. */
bool herald_call(Herald *herald, GError **error);
/* The same over a connection that has no transaction open, for a program that ends after it. */
bool herald_call_over(Db *db, GError **error);

#endif
