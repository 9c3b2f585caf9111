#ifndef RAW_COUNTERPART_H
#define RAW_COUNTERPART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What our code is measured against: C that talks to SQLite without anything between, and a cheap load generator.
//
// A function that gives an int gives 0, or SQLite's error code; raw_problem() then has the text.

// MARK: - Recording

// Statements as our own code ran them, with the values that were bound, so that C can run the very same.
typedef struct raw_recording raw_recording;

// From now on, until raw_unwatch(), each SQLite connection that this process opens can be recorded.
int raw_watch(void);
void raw_unwatch(void);

raw_recording *raw_recording_new(void);
void raw_recording_free(raw_recording *recording);
// Takes down what all watched connections run, from now on; NULL for no longer.
void raw_record(raw_recording *recording);

size_t raw_recording_count(const raw_recording *recording);
const char *raw_recording_sql(const raw_recording *recording, size_t item);
// How many transactions were begun.
size_t raw_recording_transactions(const raw_recording *recording);

// MARK: - Database

typedef struct raw_database raw_database;

// Opens a database that is there, in WAL with synchronous=FULL, foreign keys checked. NULL where that fails.
raw_database *raw_open(const char *path);
void raw_close(raw_database *database);
// From now on leaves the log beside the file when it closes.
void raw_keep_log(raw_database *database);
const char *raw_problem(const raw_database *database);

int raw_execute(raw_database *database, const char *sql);
// Runs a statement with one text bound.
int raw_execute_text(raw_database *database, const char *sql, const char *text, size_t length);
// The first value of a query; -1 where there is none.
int64_t raw_integer(raw_database *database, const char *sql);

// Runs one recorded statement and copies every column of every row. The copies are gone with the next call.
int raw_read(raw_database *database, const raw_recording *recording, size_t item, size_t *rows);
// Runs recorded transactions, the first one numbered 0.
int raw_replay(raw_database *database, const raw_recording *recording, size_t first, size_t count);

// Sends a message again and again as the server stores one to one person: `groups` transactions of `group_size` each.
// The first call takes the newest message and its recipient as the model.
int raw_send(raw_database *database, size_t groups, size_t group_size);

// Sends that message once to `count` people, those named `prefix` and a number from 0 on, in one transaction.
int raw_send_many(raw_database *database, const char *prefix, size_t count);

// MARK: - HTTP

typedef struct {
    const char *bytes;
    size_t length;
} raw_request;

typedef struct {
    // Answers with a 2xx status and others, within the time.
    size_t answered, refused;
    double seconds;
    // Of each of the first `measured` answers, in seconds.
    double *latencies;
    size_t measured;
} raw_load_result;

// Sends prepared requests one after the other over kept connections to a port of this machine. Each connection waits
// for its answer. It ends after a time or after that many answers (0: no limit). Returns nonzero if the server can't be
// reached or closes the connection.
int raw_load(int port, const raw_request *requests, size_t request_count, size_t connections, double seconds,
             size_t limit, raw_load_result *result);
void raw_load_result_free(raw_load_result *result);

// Sends one request; gives its status, or -1, and the body, which the caller frees.
int raw_exchange(int port, raw_request request, char **body, size_t *length);

// MARK: - Streams

// Many answers that don't end, each on a connection of its own.
typedef struct raw_streams raw_streams;

// Sends each request on a new connection and reads until the answer's head and the first bytes of its body are there.
// NULL where one is refused, or nothing comes for ten seconds.
raw_streams *raw_streams_open(int port, const raw_request *requests, size_t count);
// Reads until each of the streams has given more than it had, and that ends with an empty line.
// Gives 0, or -1 where one ends or nothing comes for ten seconds.
int raw_streams_wait(raw_streams *streams);
// Reads what comes, for so long. Gives 0, or -1 where one ends.
int raw_streams_read(raw_streams *streams, double seconds);
void raw_streams_close(raw_streams *streams);

// MARK: - Mail

// notmuch, as a library within this process.
typedef struct raw_notmuch raw_notmuch;

// Opens the index of a folder of mails, with a file of settings. NULL where that fails, or libnotmuch isn't installed.
raw_notmuch *raw_notmuch_open(const char *folder, const char *settings);
void raw_notmuch_close(raw_notmuch *it);
// Finds the newest mails of a query, and copies their ids, senders and subjects. Returns the number, or -1.
long raw_notmuch_search(raw_notmuch *it, const char *words, size_t limit);

#endif
