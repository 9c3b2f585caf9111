#include "RawCounterpart.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// One response that doesn't end.
typedef struct {
    int socket;
    bool waiting;
    // The last received bytes. An event ends with an empty line.
    char tail[4];
    // The number of ended events, including the response's head.
    int ended;
} raw_stream;

struct raw_streams {
    int poll;
    size_t count;
    raw_stream *all;
};

// Raises the limit of open files to the maximum for this process.
static void raise_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static int open_stream(raw_streams *streams, size_t number, int port, const raw_request *request) {
    raw_stream *stream = &streams->all[number];
    stream->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (stream->socket < 0) return -1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(stream->socket, (struct sockaddr *)&address, sizeof address) != 0) return -1;
    for (size_t sent = 0; sent < request->length;) {
        ssize_t count = send(stream->socket, request->bytes + sent, request->length - sent, 0);
        if (count <= 0) return -1;
        sent += (size_t)count;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = number};
    return epoll_ctl(streams->poll, EPOLL_CTL_ADD, stream->socket, &event);
}

// Reads the available bytes and counts empty lines, chunked or not.
static int take(raw_stream *stream) {
    char buffer[4096];
    ssize_t count = recv(stream->socket, buffer, sizeof buffer, 0);
    if (count <= 0) return -1;
    if (stream->ended == 0 && (count < 12 || memcmp(buffer + 9, "200", 3) != 0)) return -1;
    for (ssize_t i = 0; i < count; i++) {
        memmove(stream->tail, stream->tail + 1, 3);
        stream->tail[3] = buffer[i];
        if (memcmp(stream->tail, "\r\n\r\n", 4) == 0 || memcmp(stream->tail + 2, "\n\n", 2) == 0) stream->ended++;
    }
    return 0;
}

// Reads until `events` more have ended on each stream.
static int wait_for(raw_streams *streams, int events) {
    size_t left = streams->count;
    int *goals = malloc(streams->count * sizeof(int));
    for (size_t i = 0; i < streams->count; i++) {
        goals[i] = streams->all[i].ended + events;
        streams->all[i].waiting = true;
    }
    struct epoll_event ready[256];
    int code = 0;
    while (code == 0 && left > 0) {
        int count = epoll_wait(streams->poll, ready, 256, 10000);
        if (count <= 0) code = -1;
        for (int i = 0; code == 0 && i < count; i++) {
            raw_stream *stream = &streams->all[ready[i].data.u64];
            code = take(stream);
            if (stream->waiting && stream->ended >= goals[ready[i].data.u64]) {
                stream->waiting = false;
                left--;
            }
        }
    }
    free(goals);
    return code;
}

raw_streams *raw_streams_open(int port, const raw_request *requests, size_t count) {
    raise_limit();
    raw_streams *streams = calloc(1, sizeof(raw_streams));
    streams->poll = epoll_create1(0);
    streams->all = calloc(count, sizeof(raw_stream));
    int code = 0;
    // A hundred at a time, so that the queue of new connections doesn't overflow.
    while (code == 0 && streams->count < count) {
        size_t start = streams->count, end = start + 100 < count ? start + 100 : count;
        raw_streams part = {.poll = epoll_create1(0), .count = end - start, .all = streams->all + start};
        for (size_t i = start; code == 0 && i < end; i++) {
            code = open_stream(&part, i - start, port, &requests[i]);
            streams->count = i + 1;
        }
        if (code == 0) code = wait_for(&part, 2);
        close(part.poll);
        for (size_t i = start; code == 0 && i < end; i++) {
            struct epoll_event event = {.events = EPOLLIN, .data.u64 = i};
            code = epoll_ctl(streams->poll, EPOLL_CTL_ADD, streams->all[i].socket, &event);
        }
    }
    if (code == 0) return streams;
    raw_streams_close(streams);
    return NULL;
}

int raw_streams_wait(raw_streams *streams) { return wait_for(streams, 1); }

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int raw_streams_read(raw_streams *streams, double seconds) {
    struct epoll_event ready[256];
    for (double end = now() + seconds, left = seconds; left > 0; left = end - now()) {
        int count = epoll_wait(streams->poll, ready, 256, (int)(left * 1000) + 1);
        for (int i = 0; i < count; i++) {
            if (take(&streams->all[ready[i].data.u64]) != 0) return -1;
        }
    }
    return 0;
}

void raw_streams_close(raw_streams *streams) {
    for (size_t i = 0; i < streams->count; i++) {
        if (streams->all[i].socket > 0) close(streams->all[i].socket);
    }
    close(streams->poll);
    free(streams->all);
    free(streams);
}
