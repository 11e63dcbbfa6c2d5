/* Parameters of queries and cells of answers. */
#include "db.h"

void db_param_text(DbParams *params, const char *text)
{
	g_assert(params->count < DB_PARAMS_MAX);
	params->values[params->count++] = text;
}

void db_param_int(DbParams *params, int64_t number)
{
	g_assert(params->count < DB_PARAMS_MAX);
	char *text = params->numbers[params->count];
	g_snprintf(text, sizeof params->numbers[0], "%" G_GINT64_FORMAT, number);
	params->values[params->count++] = text;
}

void db_param_bool(DbParams *params, bool yes)
{
	db_param_text(params, yes ? "t" : "f");
}

void db_param_null(DbParams *params)
{
	db_param_text(params, NULL);
}

char *db_hex(const uint8_t *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	char *text = g_malloc(2 * size + 3);
	text[0] = '\\';
	text[1] = 'x';
	for (size_t i = 0; i < size; i++) {
		text[2 + 2 * i] = digits[bytes[i] >> 4];
		text[3 + 2 * i] = digits[bytes[i] & 15];
	}
	text[2 * size + 2] = '\0';
	return text;
}

int db_rows(const DbResult *result)
{
	return PQntuples(result);
}

int64_t db_touched(const DbResult *result)
{
	return g_ascii_strtoll(PQcmdTuples((DbResult *)result), NULL, 10);
}

bool db_null(const DbResult *result, int row, int column)
{
	return PQgetisnull(result, row, column);
}

const char *db_text(const DbResult *result, int row, int column)
{
	return db_null(result, row, column) ? NULL : PQgetvalue(result, row, column);
}

int64_t db_int(const DbResult *result, int row, int column)
{
	return g_ascii_strtoll(PQgetvalue(result, row, column), NULL, 10);
}

bool db_bool(const DbResult *result, int row, int column)
{
	return PQgetvalue(result, row, column)[0] == 't';
}
