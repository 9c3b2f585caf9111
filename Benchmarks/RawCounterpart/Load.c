#include "RawCounterpart.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// One persistent connection, with at most one request in flight.
struct raw_connection {
    int socket;
    bool busy;
    double sent;
    char *buffer;
    size_t length, capacity;
    // The sizes of the response's head and of the whole response; 0 until the head has been read.
    size_t head, total;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int open_connection(int port, raw_connection *connection) {
    *connection = (raw_connection){.socket = socket(AF_INET, SOCK_STREAM, 0)};
    if (connection->socket < 0) return -1;
    int on = 1;
    setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct timeval patience = {.tv_sec = 10};
    setsockopt(connection->socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(connection->socket, (struct sockaddr *)&address, sizeof address);
}

static void close_connection(raw_connection *connection) {
    if (connection->socket >= 0) close(connection->socket);
    free(connection->buffer);
}

static int send_request(raw_connection *connection, const raw_request *request) {
    connection->length = connection->head = connection->total = 0;
    connection->busy = true;
    connection->sent = now();
    for (size_t sent = 0; sent < request->length;) {
        ssize_t count = send(connection->socket, request->bytes + sent, request->length - sent, 0);
        if (count <= 0) return -1;
        sent += (size_t)count;
    }
    return 0;
}

// Finds the end of the head and its Content-Length.
static int read_head(raw_connection *connection) {
    char *end = connection->length < 4 ? NULL : memmem(connection->buffer, connection->length, "\r\n\r\n", 4);
    if (end == NULL) return 0;
    connection->head = (size_t)(end - connection->buffer) + 4;
    for (char *line = connection->buffer; line < end; line = (char *)memchr(line, '\n', (size_t)(end + 2 - line)) + 1) {
        if (strncasecmp(line, "content-length:", 15) == 0) {
            connection->total = connection->head + strtoul(line + 15, NULL, 10);
            return 0;
        }
    }
    return -1;
}

// Reads the available bytes. Returns 1 if the response is complete, 0 if it isn't yet, -1 if the connection was closed.
static int receive(raw_connection *connection) {
    if (connection->capacity - connection->length < 65536) {
        connection->capacity = connection->capacity * 2 + 131072;
        connection->buffer = realloc(connection->buffer, connection->capacity);
    }
    ssize_t count = recv(connection->socket, connection->buffer + connection->length,
                         connection->capacity - connection->length, 0);
    if (count <= 0) return -1;
    connection->length += (size_t)count;
    if (connection->head == 0 && read_head(connection) != 0) return -1;
    return connection->head > 0 && connection->length >= connection->total;
}

static int status(const raw_connection *connection) {
    return connection->length > 12 ? atoi(connection->buffer + 9) : -1;
}

int raw_load(int port, const raw_request *requests, size_t request_count, size_t connections, double seconds,
             size_t limit, raw_load_result *result) {
    *result = (raw_load_result){0};
    raw_connection *all = calloc(connections, sizeof(raw_connection));
    struct pollfd *waits = calloc(connections, sizeof(struct pollfd));
    size_t capacity = 1 << 16, sent = 0, busy = 0;
    result->latencies = malloc(capacity * sizeof(double));
    int code = 0;
    for (size_t i = 0; i < connections; i++) all[i].socket = -1;
    for (size_t i = 0; code == 0 && i < connections; i++) code = open_connection(port, &all[i]);
    double start = now(), end = start + seconds;
    for (size_t i = 0; code == 0 && i < connections; i++) {
        waits[i] = (struct pollfd){.fd = all[i].socket, .events = POLLIN};
        if (limit > 0 && sent >= limit) continue;
        code = send_request(&all[i], &requests[sent++ % request_count]);
        busy++;
    }
    while (code == 0 && busy > 0) {
        if (poll(waits, (nfds_t)connections, 10000) <= 0) {
            code = errno == EINTR ? 0 : -1;
            continue;
        }
        for (size_t i = 0; code == 0 && i < connections; i++) {
            if (waits[i].revents == 0 || !all[i].busy) continue;
            int got = receive(&all[i]);
            if (got < 0) code = -1;
            if (got <= 0) continue;
            double time = now();
            all[i].busy = false;
            busy--;
            if (time <= end) {
                result->seconds = time - start;
                if (status(&all[i]) / 100 == 2) result->answered++;
                else result->refused++;
                if (result->measured == capacity) {
                    capacity *= 2;
                    result->latencies = realloc(result->latencies, capacity * sizeof(double));
                }
                result->latencies[result->measured++] = time - all[i].sent;
            }
            if (time < end && (limit == 0 || sent < limit)) {
                code = send_request(&all[i], &requests[sent++ % request_count]);
                busy++;
            }
        }
    }
    for (size_t i = 0; i < connections; i++) close_connection(&all[i]);
    free(all);
    free(waits);
    return code;
}

void raw_load_result_free(raw_load_result *result) {
    free(result->latencies);
    *result = (raw_load_result){0};
}

raw_connection *raw_connect(int port) {
    raw_connection *connection = calloc(1, sizeof(raw_connection));
    if (open_connection(port, connection) == 0) return connection;
    raw_disconnect(connection);
    return NULL;
}

int raw_send_request(raw_connection *connection, raw_request request) { return send_request(connection, &request); }

int raw_read_response(raw_connection *connection, char **body, size_t *length) {
    int got;
    do got = receive(connection);
    while (got == 0);
    if (got < 0) return -1;
    *length = connection->total - connection->head;
    *body = malloc(*length + 1);
    memcpy(*body, connection->buffer + connection->head, *length);
    return status(connection);
}

void raw_disconnect(raw_connection *connection) {
    close_connection(connection);
    free(connection);
}
