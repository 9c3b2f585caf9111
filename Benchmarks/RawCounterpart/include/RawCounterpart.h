#ifndef RAW_COUNTERPART_H
#define RAW_COUNTERPART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The counterparts for measurements of our code: C that calls SQLite directly, and a cheap load generator.
//
// A function that returns an int returns 0 or SQLite's error code; raw_problem() then returns the message.

// MARK: - Recording

// Statements that our own code ran, with their bound values, so that C can run the same ones.
typedef struct raw_recording raw_recording;

// Makes each SQLite connection that this process opens recordable, until raw_unwatch().
int raw_watch(void);
void raw_unwatch(void);

raw_recording *raw_recording_new(void);
void raw_recording_free(raw_recording *recording);
// Records the statements of all watched connections from now on; NULL stops recording.
void raw_record(raw_recording *recording);

size_t raw_recording_count(const raw_recording *recording);
const char *raw_recording_sql(const raw_recording *recording, size_t item);
// Returns the number of transactions that were begun.
size_t raw_recording_transactions(const raw_recording *recording);

// MARK: - Database

typedef struct raw_database raw_database;

// Opens an existing database in WAL mode with synchronous=FULL and foreign keys. Returns NULL on failure.
raw_database *raw_open(const char *path);
void raw_close(raw_database *database);
// Keeps the write-ahead log when the database is closed.
void raw_keep_log(raw_database *database);
const char *raw_problem(const raw_database *database);

int raw_execute(raw_database *database, const char *sql);
// Runs a statement with one text argument.
int raw_execute_text(raw_database *database, const char *sql, const char *text, size_t length);
// Returns the first value of a query, or -1 if there is none.
int64_t raw_integer(raw_database *database, const char *sql);

// Runs one recorded statement and copies every column of every row. The copies are valid until the next call.
int raw_read(raw_database *database, const raw_recording *recording, size_t item, size_t *rows);
// Runs `count` recorded transactions from the zero-based index `first` on.
int raw_replay(raw_database *database, const raw_recording *recording, size_t first, size_t count);

// Sends messages to one person in the way that the server stores them: `groups` transactions of `group_size` each. The
// first call uses the newest message and its recipient as the model.
int raw_send(raw_database *database, size_t groups, size_t group_size);

// Sends that message once to `count` people, whose ids are `prefix` and a number from 0 on, in one transaction.
int raw_send_many(raw_database *database, const char *prefix, size_t count);

// MARK: - HTTP

typedef struct {
    const char *bytes;
    size_t length;
} raw_request;

typedef struct {
    // The responses within the time, with a 2xx status and with others.
    size_t answered, refused;
    double seconds;
    // The latencies of the first `measured` responses, in seconds.
    double *latencies;
    size_t measured;
} raw_load_result;

// Sends prepared requests in order over persistent connections to a local port. Each connection waits for its response.
// Ends after a time, or once `limit` requests were sent (0: no limit). Returns nonzero if the server can't be reached
// or closes the connection.
int raw_load(int port, const raw_request *requests, size_t request_count, size_t connections, double seconds,
             size_t limit, raw_load_result *result);
void raw_load_result_free(raw_load_result *result);

// A persistent connection to a local port.
typedef struct raw_connection raw_connection;

// Returns NULL if the server can't be reached.
raw_connection *raw_connect(int port);
// Sends one request. Returns 0, or -1 if the server has closed the connection.
int raw_send_request(raw_connection *connection, raw_request request);
// Waits for the response to the request that was sent. Returns its status or -1, and the body, which the caller frees.
int raw_read_response(raw_connection *connection, char **body, size_t *length);
void raw_disconnect(raw_connection *connection);

// MARK: - Streams

// Many responses that don't end, each on its own connection.
typedef struct raw_streams raw_streams;

// Sends each request on a new connection, and reads until the head and the first bytes of the body have arrived.
// Returns NULL if one is refused, or if nothing arrives for ten seconds.
raw_streams *raw_streams_open(int port, const raw_request *requests, size_t count);
// Reads until each stream has received one more text that ends with an empty line. Returns 0, or -1 if a stream ends or
// nothing arrives for ten seconds.
int raw_streams_wait(raw_streams *streams);
// Reads for the given time. Returns 0, or -1 if a stream ends.
int raw_streams_read(raw_streams *streams, double seconds);
void raw_streams_close(raw_streams *streams);

// MARK: - Mail

// notmuch, as a library in this process.
typedef struct raw_notmuch raw_notmuch;

// Opens the index of a folder of mails, with a settings file. Returns NULL on failure, or if libnotmuch isn't
// installed.
raw_notmuch *raw_notmuch_open(const char *folder, const char *settings);
void raw_notmuch_close(raw_notmuch *it);
// Finds the newest mails of a query, and copies their ids, senders and subjects. Returns the number, or -1.
long raw_notmuch_search(raw_notmuch *it, const char *words, size_t limit);

// MARK: - HTML

// libxml2's HTML parser, as a library in this process.
typedef struct raw_libxml raw_libxml;

// Loads libxml2. Returns NULL if it isn't installed.
raw_libxml *raw_libxml_open(void);
void raw_libxml_close(raw_libxml *it);
// Parses a document in UTF-8 to a tree, and frees it. Returns whether there was one.
bool raw_libxml_parse(raw_libxml *it, const char *html, size_t length);

// The processor time that this thread has used, in seconds.
double raw_thread_time(void);

// MARK: - PostgreSQL

// These functions exist only with the trait PostgreSQL.

// A connection to PostgreSQL by libpq. A function that returns an int returns 0 on success; otherwise
// raw_postgres_problem() returns the message.
typedef struct raw_postgres raw_postgres;

// Connects to an address (a URI). Never returns NULL; check the problem, which is empty if the connection is open.
raw_postgres *raw_postgres_open(const char *address);
void raw_postgres_close(raw_postgres *postgres);
const char *raw_postgres_problem(const raw_postgres *postgres);

// Runs a script of statements without values.
int raw_postgres_execute(raw_postgres *postgres, const char *sql);
// Returns the first value of a query as an integer, or -1 if there is none.
int64_t raw_postgres_integer(raw_postgres *postgres, const char *sql);
// Runs a COPY … FROM STDIN with rows in its text format.
int raw_postgres_copy(raw_postgres *postgres, const char *sql, const char *rows, size_t length);

// Statements with values, which are prepared once for each connection and sent together. Plans with the same statement
// share it.
typedef struct raw_postgres_plan raw_postgres_plan;

raw_postgres_plan *raw_postgres_plan_new(void);
void raw_postgres_plan_free(raw_postgres_plan *plan);
// Adds a statement, and values to the latest statement: as text, or NULL; a type of 0 is inferred.
void raw_postgres_plan_add(raw_postgres_plan *plan, const char *sql);
void raw_postgres_plan_bind(raw_postgres_plan *plan, const char *value, uint32_t type);
// Replaces a value. Statements and values count from 0.
void raw_postgres_plan_set(raw_postgres_plan *plan, size_t statement, size_t parameter, const char *value);

// Sends the statements of a plan, which has run before on the connection if other plans weren't read yet.
int raw_postgres_send(raw_postgres *postgres, const raw_postgres_plan *plan);
// Reads the results of all plans that were sent, and copies every column of every row. The copies are valid until the
// next call.
int raw_postgres_read(raw_postgres *postgres, size_t *rows);

// Waits until a notification arrives on the connection, on which LISTEN was executed, and takes all that have arrived.
int raw_postgres_wait(raw_postgres *postgres, double seconds);

#endif
