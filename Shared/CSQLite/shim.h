#pragma once
#include <sqlite3.h>

// A macro with a cast, which Swift cannot see: SQLite copies what is bound.
static inline int stride_bind_text(sqlite3_stmt *statement, int place, const char *text, int count) {
    return sqlite3_bind_text(statement, place, text, count, SQLITE_TRANSIENT);
}
