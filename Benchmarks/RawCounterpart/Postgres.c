#include "RawCounterpart.h"

#ifdef POSTGRESQL

#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_STATEMENTS = 32, MAX_VALUES = 32 };

typedef struct {
    char *sql;
    int count;
    char *values[MAX_VALUES];
    Oid types[MAX_VALUES];
} raw_postgres_statement;

struct raw_postgres_plan {
    size_t count;
    raw_postgres_statement statements[MAX_STATEMENTS];
};

// A statement that a connection has prepared. Its name is its place among them.
typedef struct {
    char *sql;
    int count;
    Oid types[MAX_VALUES];
} raw_prepared_statement;

// A plan whose statements a connection has prepared, with their places.
typedef struct {
    const raw_postgres_plan *plan;
    size_t places[MAX_STATEMENTS];
} raw_prepared_plan;

struct raw_postgres {
    PGconn *connection;
    char problem[512];
    // Plans share what they have in common.
    raw_prepared_statement *statements;
    raw_prepared_plan *plans;
    size_t statement_count, plan_count;
    // The number of plans that were sent, and whose results weren't read yet.
    size_t unread;
    // The destination to which results are copied.
    char *copy;
    size_t capacity, length;
};

static int fail(raw_postgres *postgres, const char *problem) {
    snprintf(postgres->problem, sizeof postgres->problem, "%s", problem);
    return -1;
}

raw_postgres *raw_postgres_open(const char *address) {
    raw_postgres *postgres = calloc(1, sizeof *postgres);
    postgres->connection = PQconnectdb(address);
    if (PQstatus(postgres->connection) != CONNECTION_OK) fail(postgres, PQerrorMessage(postgres->connection));
    return postgres;
}

void raw_postgres_close(raw_postgres *postgres) {
    PQfinish(postgres->connection);
    for (size_t i = 0; i < postgres->statement_count; i++) free(postgres->statements[i].sql);
    free(postgres->statements);
    free(postgres->plans);
    free(postgres->copy);
    free(postgres);
}

const char *raw_postgres_problem(const raw_postgres *postgres) { return postgres->problem; }

// Checks and clears a result.
static int take(raw_postgres *postgres, PGresult *result) {
    ExecStatusType status = PQresultStatus(result);
    int code = 0;
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        code = fail(postgres, result == NULL ? PQerrorMessage(postgres->connection) : PQresultErrorMessage(result));
    }
    PQclear(result);
    return code;
}

int raw_postgres_execute(raw_postgres *postgres, const char *sql) {
    return take(postgres, PQexec(postgres->connection, sql));
}

int64_t raw_postgres_integer(raw_postgres *postgres, const char *sql) {
    PGresult *result = PQexec(postgres->connection, sql);
    int64_t value = -1;
    if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) > 0 && !PQgetisnull(result, 0, 0)) {
        value = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    }
    return take(postgres, result) == 0 ? value : -1;
}

int raw_postgres_copy(raw_postgres *postgres, const char *sql, const char *rows, size_t length) {
    PGresult *start = PQexec(postgres->connection, sql);
    if (PQresultStatus(start) != PGRES_COPY_IN) {
        take(postgres, start);
        return -1;
    }
    PQclear(start);
    for (size_t sent = 0; sent < length;) {
        size_t part = length - sent < 65536 ? length - sent : 65536;
        if (PQputCopyData(postgres->connection, rows + sent, (int)part) != 1) {
            return fail(postgres, PQerrorMessage(postgres->connection));
        }
        sent += part;
    }
    if (PQputCopyEnd(postgres->connection, NULL) != 1) return fail(postgres, PQerrorMessage(postgres->connection));
    int code = 0;
    for (PGresult *result; (result = PQgetResult(postgres->connection)) != NULL;) {
        if (take(postgres, result) != 0) code = -1;
    }
    return code;
}

raw_postgres_plan *raw_postgres_plan_new(void) { return calloc(1, sizeof(raw_postgres_plan)); }

void raw_postgres_plan_free(raw_postgres_plan *plan) {
    for (size_t i = 0; i < plan->count; i++) {
        free(plan->statements[i].sql);
        for (int j = 0; j < plan->statements[i].count; j++) free(plan->statements[i].values[j]);
    }
    free(plan);
}

void raw_postgres_plan_add(raw_postgres_plan *plan, const char *sql) {
    if (plan->count == MAX_STATEMENTS) abort();
    plan->statements[plan->count++].sql = strdup(sql);
}

void raw_postgres_plan_bind(raw_postgres_plan *plan, const char *value, uint32_t type) {
    raw_postgres_statement *statement = &plan->statements[plan->count - 1];
    if (statement->count == MAX_VALUES) abort();
    statement->values[statement->count] = value == NULL ? NULL : strdup(value);
    statement->types[statement->count++] = type;
}

void raw_postgres_plan_set(raw_postgres_plan *plan, size_t statement, size_t parameter, const char *value) {
    char **place = &plan->statements[statement].values[parameter];
    free(*place);
    *place = value == NULL ? NULL : strdup(value);
}

static void name_statement(char name[32], size_t place) { snprintf(name, 32, "s%zu", place); }

// Finds the place of a statement, and prepares it if it has none. Returns -1 on failure.
static int prepare(raw_postgres *postgres, const raw_postgres_statement *statement, size_t *place) {
    size_t types = (size_t)statement->count * sizeof *statement->types;
    for (*place = 0; *place < postgres->statement_count; ++*place) {
        const raw_prepared_statement *known = &postgres->statements[*place];
        if (known->count == statement->count && memcmp(known->types, statement->types, types) == 0 &&
            strcmp(known->sql, statement->sql) == 0) {
            return 0;
        }
    }
    char name[32];
    name_statement(name, *place);
    PGresult *result = PQprepare(postgres->connection, name, statement->sql, statement->count, statement->types);
    if (take(postgres, result) != 0) return -1;
    postgres->statements = realloc(postgres->statements, (*place + 1) * sizeof *postgres->statements);
    raw_prepared_statement *added = &postgres->statements[postgres->statement_count++];
    *added = (raw_prepared_statement){.sql = strdup(statement->sql), .count = statement->count};
    memcpy(added->types, statement->types, types);
    return 0;
}

// Returns a plan whose statements are prepared on the connection. NULL on failure.
static const raw_prepared_plan *prepared(raw_postgres *postgres, const raw_postgres_plan *plan) {
    for (size_t i = 0; i < postgres->plan_count; i++) {
        if (postgres->plans[i].plan == plan) return &postgres->plans[i];
    }
    raw_prepared_plan added = {.plan = plan};
    for (size_t i = 0; i < plan->count; i++) {
        if (prepare(postgres, &plan->statements[i], &added.places[i]) != 0) return NULL;
    }
    postgres->plans = realloc(postgres->plans, (postgres->plan_count + 1) * sizeof *postgres->plans);
    postgres->plans[postgres->plan_count] = added;
    return &postgres->plans[postgres->plan_count++];
}

static void copy_rows(raw_postgres *postgres, const PGresult *result) {
    int columns = PQnfields(result);
    for (int row = 0; row < PQntuples(result); row++) {
        for (int column = 0; column < columns; column++) {
            size_t length = (size_t)PQgetlength(result, row, column);
            if (postgres->length + length > postgres->capacity) {
                postgres->capacity = postgres->capacity * 2 + length;
                postgres->copy = realloc(postgres->copy, postgres->capacity);
            }
            if (length > 0) memcpy(postgres->copy + postgres->length, PQgetvalue(result, row, column), length);
            postgres->length += length;
        }
    }
}

int raw_postgres_send(raw_postgres *postgres, const raw_postgres_plan *plan) {
    PGconn *connection = postgres->connection;
    const raw_prepared_plan *known = prepared(postgres, plan);
    if (known == NULL) return -1;
    if (PQenterPipelineMode(connection) != 1) return fail(postgres, PQerrorMessage(connection));
    for (size_t i = 0; i < plan->count; i++) {
        const raw_postgres_statement *statement = &plan->statements[i];
        char name[32];
        name_statement(name, known->places[i]);
        if (PQsendQueryPrepared(connection, name, statement->count, (const char *const *)statement->values, NULL, NULL,
                                1) != 1) {
            return fail(postgres, PQerrorMessage(connection));
        }
    }
    if (PQpipelineSync(connection) != 1) return fail(postgres, PQerrorMessage(connection));
    postgres->unread++;
    return 0;
}

int raw_postgres_read(raw_postgres *postgres, size_t *rows) {
    PGconn *connection = postgres->connection;
    int code = 0;
    postgres->length = 0;
    *rows = 0;
    while (postgres->unread > 0) {
        PGresult *result = PQgetResult(connection);
        // The end of a statement's results.
        if (result == NULL) {
            if (PQstatus(connection) != CONNECTION_OK) return fail(postgres, PQerrorMessage(connection));
            continue;
        }
        if (PQresultStatus(result) == PGRES_PIPELINE_SYNC) {
            PQclear(result);
            postgres->unread--;
            continue;
        }
        if (PQresultStatus(result) == PGRES_TUPLES_OK) {
            *rows += (size_t)PQntuples(result);
            copy_rows(postgres, result);
        }
        if (take(postgres, result) != 0) code = -1;
    }
    PQexitPipelineMode(connection);
    return code;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int raw_postgres_wait(raw_postgres *postgres, double seconds) {
    double end = now() + seconds;
    bool has_arrived = false;
    while (true) {
        for (PGnotify *notification; (notification = PQnotifies(postgres->connection)) != NULL;) {
            PQfreemem(notification);
            has_arrived = true;
        }
        if (has_arrived) return 0;
        double left = end - now();
        struct pollfd wait = {.fd = PQsocket(postgres->connection), .events = POLLIN};
        if (left <= 0 || poll(&wait, 1, (int)(left * 1000) + 1) < 0) return fail(postgres, "no notification arrived");
        if (PQconsumeInput(postgres->connection) != 1) {
            return fail(postgres, PQerrorMessage(postgres->connection));
        }
    }
}

#endif
