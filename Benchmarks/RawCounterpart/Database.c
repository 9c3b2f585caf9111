#include "Recording.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A column's value, which outlives the statement.
typedef struct {
    int type;
    int64_t integer;
    double real;
    size_t start, length; // in the text
} raw_cell;

// The message that raw_send() sends, and its statements.
typedef struct {
    char *person, *content, *surface, *category, *group_key;
    int64_t id, deliver_at;
    sqlite3_stmt *advance, *message, *delivery, *begin, *commit;
} raw_model;

struct raw_database {
    sqlite3 *connection;
    // The prepared statements of `recording`.
    const raw_recording *recording;
    sqlite3_stmt **statements;
    size_t statement_count;
    raw_cell *cells;
    size_t cell_capacity;
    char *text;
    size_t text_capacity;
    raw_model *model;
};

raw_database *raw_open(const char *path) {
    raw_database *database = calloc(1, sizeof(raw_database));
    if (sqlite3_open_v2(path, &database->connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK
        || raw_execute(database, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON") != SQLITE_OK) {
        raw_close(database);
        return NULL;
    }
    return database;
}

void raw_keep_log(raw_database *database) {
    int is_kept = 1;
    sqlite3_file_control(database->connection, NULL, SQLITE_FCNTL_PERSIST_WAL, &is_kept);
}

static void forget_statements(raw_database *database) {
    for (size_t i = 0; i < database->statement_count; i++) sqlite3_finalize(database->statements[i]);
    free(database->statements);
    database->statements = NULL;
    database->statement_count = 0;
}

void raw_close(raw_database *database) {
    forget_statements(database);
    raw_model *model = database->model;
    if (model != NULL) {
        sqlite3_stmt *statements[] = {model->advance, model->message, model->delivery, model->begin, model->commit};
        for (size_t i = 0; i < 5; i++) sqlite3_finalize(statements[i]);
        char *texts[] = {model->person, model->content, model->surface, model->category, model->group_key};
        for (size_t i = 0; i < 5; i++) free(texts[i]);
        free(model);
    }
    sqlite3_close(database->connection);
    free(database->cells);
    free(database->text);
    free(database);
}

const char *raw_problem(const raw_database *database) { return sqlite3_errmsg(database->connection); }

int raw_execute(raw_database *database, const char *sql) {
    return sqlite3_exec(database->connection, sql, NULL, NULL, NULL);
}

int raw_execute_text(raw_database *database, const char *sql, const char *text, size_t length) {
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(database->connection, sql, -1, &statement, NULL);
    if (code != SQLITE_OK) return code;
    sqlite3_bind_text(statement, 1, text, (int)length, SQLITE_STATIC);
    do code = sqlite3_step(statement);
    while (code == SQLITE_ROW);
    int end = sqlite3_finalize(statement);
    return code == SQLITE_DONE ? end : code;
}

int64_t raw_integer(raw_database *database, const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database->connection, sql, -1, &statement, NULL) != SQLITE_OK) return -1;
    int64_t value = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    return value;
}

// Returns the statement of an item, prepared once, with its values bound.
static int bound_statement(raw_database *database, const raw_recording *recording, size_t number, sqlite3_stmt **found) {
    if (database->recording != recording) {
        forget_statements(database);
        database->recording = recording;
        database->statement_count = recording->statement_count;
        database->statements = calloc(recording->statement_count, sizeof(sqlite3_stmt *));
    }
    const raw_item *item = &recording->items[number];
    sqlite3_stmt **statement = &database->statements[item->statement];
    if (*statement == NULL) {
        int code = sqlite3_prepare_v3(database->connection, recording->statements[item->statement], -1,
                                      SQLITE_PREPARE_PERSISTENT, statement, NULL);
        if (code != SQLITE_OK) return code;
    }
    for (size_t i = 0; i < item->binding_count; i++) {
        const raw_binding *binding = &item->bindings[i];
        int code;
        switch (binding->type) {
        case SQLITE_INTEGER: code = sqlite3_bind_int64(*statement, binding->index, binding->integer); break;
        case SQLITE_FLOAT: code = sqlite3_bind_double(*statement, binding->index, binding->real); break;
        case SQLITE_TEXT:
            code = sqlite3_bind_text(*statement, binding->index, binding->bytes, binding->length, SQLITE_STATIC);
            break;
        case SQLITE_BLOB:
            code = sqlite3_bind_blob(*statement, binding->index, binding->bytes, binding->length, SQLITE_STATIC);
            break;
        default: code = sqlite3_bind_null(*statement, binding->index);
        }
        if (code != SQLITE_OK) return code;
    }
    *found = *statement;
    return SQLITE_OK;
}

// Copies the columns of the current row to the cells from `cell` on.
static void copy_row(raw_database *database, sqlite3_stmt *statement, int columns, size_t cell, size_t *end) {
    if (cell + (size_t)columns > database->cell_capacity) {
        database->cell_capacity = database->cell_capacity * 2 + (size_t)columns;
        database->cells = realloc(database->cells, database->cell_capacity * sizeof(raw_cell));
    }
    for (int i = 0; i < columns; i++) {
        raw_cell *value = &database->cells[cell + (size_t)i];
        value->type = sqlite3_column_type(statement, i);
        switch (value->type) {
        case SQLITE_INTEGER: value->integer = sqlite3_column_int64(statement, i); break;
        case SQLITE_FLOAT: value->real = sqlite3_column_double(statement, i); break;
        case SQLITE_TEXT:
        case SQLITE_BLOB: {
            const void *bytes = sqlite3_column_blob(statement, i);
            value->start = *end;
            value->length = (size_t)sqlite3_column_bytes(statement, i);
            if (*end + value->length > database->text_capacity) {
                database->text_capacity = database->text_capacity * 2 + value->length;
                database->text = realloc(database->text, database->text_capacity);
            }
            if (value->length > 0) memcpy(database->text + *end, bytes, value->length);
            *end += value->length;
        }
        }
    }
}

int raw_read(raw_database *database, const raw_recording *recording, size_t item, size_t *rows) {
    sqlite3_stmt *statement;
    int code = bound_statement(database, recording, item, &statement);
    if (code != SQLITE_OK) return code;
    int columns = sqlite3_column_count(statement);
    size_t cell = 0, end = 0;
    *rows = 0;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        copy_row(database, statement, columns, cell, &end);
        cell += (size_t)columns;
        *rows += 1;
    }
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int raw_replay(raw_database *database, const raw_recording *recording, size_t first, size_t count) {
    if (first + count > recording->begin_count) return SQLITE_RANGE;
    size_t end = first + count == recording->begin_count ? recording->item_count : recording->begins[first + count];
    for (size_t item = recording->begins[first]; item < end; item++) {
        size_t rows;
        int code = raw_read(database, recording, item, &rows);
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

static char *copied_text(sqlite3_stmt *statement, int column) {
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text == NULL ? NULL : strdup((const char *)text);
}

static int read_model(raw_database *database) {
    static const char select[] =
        "SELECT p.name, m.content, m.surface, m.category, m.groupKey, m.id, m.deliverAt FROM message m"
        " JOIN delivery d ON d.message = m.id JOIN person p ON p.id = d.person ORDER BY m.id DESC LIMIT 1";
    sqlite3 *connection = database->connection;
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(connection, select, -1, &statement, NULL);
    if (code != SQLITE_OK) return code;
    if (sqlite3_step(statement) != SQLITE_ROW) {
        sqlite3_finalize(statement);
        return SQLITE_NOTFOUND;
    }
    raw_model *model = database->model = calloc(1, sizeof(raw_model));
    model->person = copied_text(statement, 0);
    model->content = copied_text(statement, 1);
    model->surface = copied_text(statement, 2);
    model->category = copied_text(statement, 3);
    model->group_key = copied_text(statement, 4);
    model->id = sqlite3_column_int64(statement, 5);
    model->deliver_at = sqlite3_column_int64(statement, 6);
    sqlite3_finalize(statement);
    const struct {
        sqlite3_stmt **statement;
        const char *sql;
    } texts[] = {
        {&model->begin, "BEGIN IMMEDIATE"},
        {&model->commit, "COMMIT"},
        {&model->advance, "UPDATE person SET sequence = sequence + 1 WHERE name = ? RETURNING id, sequence"},
        {&model->message, "INSERT INTO message (id, content, surface, category, groupKey, deliverAt, createdAt, recipients,"
                          " state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)"},
        {&model->delivery, "INSERT INTO delivery (message, person, created, sequence, deliverAt, state)"
                           " VALUES (?, ?, ?, ?, ?, 1)"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        code = sqlite3_prepare_v3(connection, texts[i].sql, -1, SQLITE_PREPARE_PERSISTENT, texts[i].statement, NULL);
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

static int finish(sqlite3_stmt *statement) {
    int code;
    do code = sqlite3_step(statement);
    while (code == SQLITE_ROW);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int insert_message(raw_model *model, size_t recipients) {
    model->id += 1 << 10;
    model->deliver_at += 1;
    sqlite3_stmt *message = model->message;
    sqlite3_bind_int64(message, 1, model->id);
    sqlite3_bind_text(message, 2, model->content, -1, SQLITE_STATIC);
    sqlite3_bind_text(message, 3, model->surface, -1, SQLITE_STATIC);
    sqlite3_bind_text(message, 4, model->category, -1, SQLITE_STATIC);
    sqlite3_bind_text(message, 5, model->group_key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(message, 6, model->deliver_at);
    sqlite3_bind_int64(message, 7, model->deliver_at);
    sqlite3_bind_int64(message, 8, (int64_t)recipients);
    return finish(message);
}

static int deliver(raw_model *model, const char *person_name) {
    sqlite3_bind_text(model->advance, 1, person_name, -1, SQLITE_STATIC);
    int code = sqlite3_step(model->advance);
    if (code != SQLITE_ROW) return code == SQLITE_DONE ? SQLITE_NOTFOUND : code;
    int64_t person = sqlite3_column_int64(model->advance, 0), sequence = sqlite3_column_int64(model->advance, 1);
    sqlite3_reset(model->advance);
    sqlite3_bind_int64(model->delivery, 1, model->id);
    sqlite3_bind_int64(model->delivery, 2, person);
    sqlite3_bind_int64(model->delivery, 3, sequence);
    sqlite3_bind_int64(model->delivery, 4, sequence);
    sqlite3_bind_int64(model->delivery, 5, model->deliver_at);
    return finish(model->delivery);
}

static int send_one(raw_model *model) {
    int code = insert_message(model, 1);
    return code == SQLITE_OK ? deliver(model, model->person) : code;
}

int raw_send_many(raw_database *database, const char *prefix, size_t count) {
    int code = database->model == NULL ? read_model(database) : SQLITE_OK;
    if (code != SQLITE_OK) return code;
    raw_model *model = database->model;
    code = finish(model->begin);
    if (code == SQLITE_OK) code = insert_message(model, count);
    char name[256];
    for (size_t i = 0; code == SQLITE_OK && i < count; i++) {
        snprintf(name, sizeof name, "%s%zu", prefix, i);
        code = deliver(model, name);
    }
    return code == SQLITE_OK ? finish(model->commit) : code;
}

int raw_send(raw_database *database, size_t groups, size_t group_size) {
    int code = database->model == NULL ? read_model(database) : SQLITE_OK;
    for (size_t group = 0; code == SQLITE_OK && group < groups; group++) {
        code = finish(database->model->begin);
        for (size_t i = 0; code == SQLITE_OK && i < group_size; i++) code = send_one(database->model);
        if (code == SQLITE_OK) code = finish(database->model->commit);
    }
    return code;
}
