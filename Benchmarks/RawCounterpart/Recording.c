#include "Recording.h"
#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The active recording, or NULL. Guarded by the lock, because connections run on several threads.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static raw_recording *current;

static size_t statement_number(raw_recording *recording, const char *sql) {
    for (size_t i = 0; i < recording->statement_count; i++) {
        if (strcmp(recording->statements[i], sql) == 0) return i;
    }
    recording->statements = realloc(recording->statements, (recording->statement_count + 1) * sizeof(char *));
    recording->statements[recording->statement_count] = strdup(sql);
    return recording->statement_count++;
}

static int nibble(char digit) { return isdigit((unsigned char)digit) ? digit - '0' : (digit | 0x20) - 'a' + 10; }

// Reads the literal of a bound value, and returns the text after it.
static const char *read_literal(const char *text, raw_binding *binding) {
    if (strncmp(text, "NULL", 4) == 0) {
        binding->type = SQLITE_NULL;
        return text + 4;
    }
    if (*text == '\'') {
        binding->type = SQLITE_TEXT;
        binding->bytes = malloc(strlen(text));
        for (text++; *text != '\'' || text[1] == '\''; text++) {
            if (*text == '\'') text++;
            binding->bytes[binding->length++] = *text;
        }
        return text + 1;
    }
    if (*text == 'x' && text[1] == '\'') {
        binding->type = SQLITE_BLOB;
        binding->bytes = malloc(strlen(text));
        for (text += 2; *text != '\''; text += 2) {
            binding->bytes[binding->length++] = (char)(nibble(text[0]) << 4 | nibble(text[1]));
        }
        return text + 1;
    }
    char *end;
    binding->type = SQLITE_INTEGER;
    binding->integer = strtoll(text, &end, 10);
    if (*end == '.' || *end == 'e') {
        binding->type = SQLITE_FLOAT;
        binding->real = strtod(text, &end);
    }
    return end;
}

static bool is_name(char byte) { return isalnum((unsigned char)byte) || byte == '_'; }

// Finds the bound values by comparing the statement's text with its expanded text.
static void read_bindings(sqlite3_stmt *statement, const char *sql, const char *expanded, raw_item *item) {
    int last = 0;
    while (*sql != 0) {
        if (*sql == '\'' || *sql == '"') {
            const char *end = strchr(sql + 1, *sql);
            size_t length = end == NULL ? strlen(sql) : (size_t)(end - sql) + 1;
            sql += length;
            expanded += length;
            continue;
        }
        bool numbered = *sql == '?';
        if (!numbered && !((*sql == ':' || *sql == '@' || *sql == '$') && is_name(sql[1]))) {
            sql++;
            expanded++;
            continue;
        }
        const char *end = sql + 1;
        while (is_name(*end)) end++;
        raw_binding binding = {0};
        if (numbered) {
            binding.index = end > sql + 1 ? atoi(sql + 1) : last + 1;
        } else {
            char *name = strndup(sql, (size_t)(end - sql));
            binding.index = sqlite3_bind_parameter_index(statement, name);
            free(name);
        }
        if (binding.index > last) last = binding.index;
        expanded = read_literal(expanded, &binding);
        sql = end;
        item->bindings = realloc(item->bindings, (item->binding_count + 1) * sizeof(raw_binding));
        item->bindings[item->binding_count++] = binding;
    }
}

static int take_down(unsigned event, void *context, void *subject, void *text) {
    (void)event;
    (void)context;
    sqlite3_stmt *statement = subject;
    // A trigger's statements are reported as comments. They run with the statement that fires the trigger.
    if (strncmp(text, "--", 2) == 0) return 0;
    pthread_mutex_lock(&lock);
    raw_recording *recording = current;
    char *expanded = recording == NULL ? NULL : sqlite3_expanded_sql(statement);
    if (expanded != NULL) {
        const char *sql = sqlite3_sql(statement);
        if (recording->item_count == recording->item_capacity) {
            recording->item_capacity = recording->item_capacity * 2 + 64;
            recording->items = realloc(recording->items, recording->item_capacity * sizeof(raw_item));
        }
        if (strncmp(sql, "BEGIN", 5) == 0) {
            if (recording->begin_count == recording->begin_capacity) {
                recording->begin_capacity = recording->begin_capacity * 2 + 64;
                recording->begins = realloc(recording->begins, recording->begin_capacity * sizeof(size_t));
            }
            recording->begins[recording->begin_count++] = recording->item_count;
        }
        raw_item *item = &recording->items[recording->item_count++];
        *item = (raw_item){.statement = statement_number(recording, sql)};
        read_bindings(statement, sql, expanded, item);
        sqlite3_free(expanded);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

static int watch(sqlite3 *connection, char **problem, const void *routines) {
    (void)problem;
    (void)routines;
    return sqlite3_trace_v2(connection, SQLITE_TRACE_STMT, take_down, NULL);
}

int raw_watch(void) { return sqlite3_auto_extension((void (*)(void))watch); }

void raw_unwatch(void) { sqlite3_cancel_auto_extension((void (*)(void))watch); }

raw_recording *raw_recording_new(void) { return calloc(1, sizeof(raw_recording)); }

void raw_recording_free(raw_recording *recording) {
    for (size_t i = 0; i < recording->item_count; i++) {
        raw_item *item = &recording->items[i];
        for (size_t j = 0; j < item->binding_count; j++) free(item->bindings[j].bytes);
        free(item->bindings);
    }
    for (size_t i = 0; i < recording->statement_count; i++) free(recording->statements[i]);
    free(recording->statements);
    free(recording->items);
    free(recording->begins);
    free(recording);
}

void raw_record(raw_recording *recording) {
    pthread_mutex_lock(&lock);
    current = recording;
    pthread_mutex_unlock(&lock);
}

size_t raw_recording_count(const raw_recording *recording) { return recording->item_count; }

const char *raw_recording_sql(const raw_recording *recording, size_t item) {
    return recording->statements[recording->items[item].statement];
}

size_t raw_recording_transactions(const raw_recording *recording) { return recording->begin_count; }
