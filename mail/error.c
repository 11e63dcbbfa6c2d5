#include "error.h"

G_DEFINE_QUARK(ludopost - mail - error, mail_error)
