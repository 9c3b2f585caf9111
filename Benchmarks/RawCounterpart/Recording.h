#ifndef RAW_RECORDING_H
#define RAW_RECORDING_H

#include "RawCounterpart.h"
#include <sqlite3.h>

typedef struct {
    int index;
    int type; // a type code of sqlite3_column_type()
    int64_t integer;
    double real;
    char *bytes;
    int length;
} raw_binding;

typedef struct {
    size_t statement; // an index into the recording's statements
    raw_binding *bindings;
    size_t binding_count;
} raw_item;

struct raw_recording {
    char **statements;
    size_t statement_count;
    raw_item *items;
    size_t item_count, item_capacity;
    // The indexes of the items that begin a transaction.
    size_t *begins;
    size_t begin_count, begin_capacity;
};

#endif
