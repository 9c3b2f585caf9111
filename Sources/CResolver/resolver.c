#include "resolver.h"

#include <string.h>

#ifdef __APPLE__

#include <dns_sd.h>
#include <poll.h>
#include <time.h>

struct lookup {
    struct inbox_srv *records;
    int capacity;
    int count;
    int is_done;
    int has_failed;
};

/* Reads a name of labels without compression, as dnssd returns it. */
static int read_name(const uint8_t *bytes, int length, char *host) {
    int at = 0, written = 0;
    while (at < length && bytes[at] != 0) {
        int label = bytes[at++];
        if (label > 63 || at + label > length || written + label + 1 > 254) return 0;
        if (written > 0) host[written++] = '.';
        memcpy(host + written, bytes + at, (size_t)label);
        written += label;
        at += label;
    }
    host[written] = 0;
    return at < length;
}

static void DNSSD_API received(DNSServiceRef service, DNSServiceFlags flags, uint32_t interface,
                               DNSServiceErrorType error, const char *name, uint16_t type, uint16_t class,
                               uint16_t length, const void *data, uint32_t lifetime, void *context) {
    struct lookup *lookup = context;
    const uint8_t *bytes = data;
    if (error == kDNSServiceErr_NoSuchRecord || error == kDNSServiceErr_NoSuchName) {
        lookup->is_done = 1;
        return;
    }
    if (error != kDNSServiceErr_NoError) {
        lookup->has_failed = lookup->is_done = 1;
        return;
    }
    if (type == kDNSServiceType_SRV && (flags & kDNSServiceFlagsAdd) && length >= 7
        && lookup->count < lookup->capacity) {
        struct inbox_srv *record = &lookup->records[lookup->count];
        record->priority = (uint16_t)(bytes[0] << 8 | bytes[1]);
        record->weight = (uint16_t)(bytes[2] << 8 | bytes[3]);
        record->port = (uint16_t)(bytes[4] << 8 | bytes[5]);
        if (read_name(bytes + 6, length - 6, record->host)) lookup->count++;
    }
    if (!(flags & kDNSServiceFlagsMoreComing)) lookup->is_done = 1;
}

int inbox_srv_lookup(const char *name, const char *server, uint16_t port, int seconds, struct inbox_srv *records,
                     int capacity) {
    struct lookup lookup = {records, capacity, 0, 0, 0};
    DNSServiceRef service;
    time_t end = time(NULL) + seconds;
    if (DNSServiceQueryRecord(&service, kDNSServiceFlagsReturnIntermediates, 0, name, kDNSServiceType_SRV,
                              kDNSServiceClass_IN, received, &lookup)
        != kDNSServiceErr_NoError) {
        return -1;
    }
    while (!lookup.is_done) {
        struct pollfd ready = {DNSServiceRefSockFD(service), POLLIN, 0};
        time_t rest = end - time(NULL);
        if (rest <= 0 || poll(&ready, 1, (int)rest * 1000) <= 0
            || DNSServiceProcessResult(service) != kDNSServiceErr_NoError) {
            lookup.has_failed = 1;
            break;
        }
    }
    DNSServiceRefDeallocate(service);
    return lookup.has_failed ? -1 : lookup.count;
}

#elif defined(__linux__)

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdlib.h>

static int read_records(const unsigned char *answer, int length, struct inbox_srv *records, int capacity) {
    ns_msg message;
    int count = 0;
    if (ns_initparse(answer, length, &message) != 0) return -1;
    for (int index = 0; index < ns_msg_count(message, ns_s_an) && count < capacity; index++) {
        ns_rr record;
        if (ns_parserr(&message, ns_s_an, index, &record) != 0) return -1;
        if (ns_rr_type(record) != ns_t_srv || ns_rr_rdlen(record) < 7) continue;
        const unsigned char *bytes = ns_rr_rdata(record);
        records[count].priority = (uint16_t)ns_get16(bytes);
        records[count].weight = (uint16_t)ns_get16(bytes + 2);
        records[count].port = (uint16_t)ns_get16(bytes + 4);
        if (dn_expand(ns_msg_base(message), ns_msg_end(message), bytes + 6, records[count].host,
                      sizeof records[count].host)
            < 0) {
            return -1;
        }
        /* A few versions write the root as a dot. */
        if (strcmp(records[count].host, ".") == 0) records[count].host[0] = 0;
        count++;
    }
    return count;
}

static int lookup(const char *name, const char *server, uint16_t port, int seconds, struct inbox_srv *records,
                  int capacity, unsigned char *answer) {
#ifdef __GLIBC__
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return -1;
    state.options &= ~(unsigned long)(RES_DNSRCH | RES_DEFNAMES);
    if (server) {
        state.nscount = 1;
        memset(&state.nsaddr_list[0], 0, sizeof state.nsaddr_list[0]);
        state.nsaddr_list[0].sin_family = AF_INET;
        state.nsaddr_list[0].sin_port = htons(port);
        state.nsaddr_list[0].sin_addr.s_addr = inet_addr(server);
    }
    /* Each server is asked twice within the time. */
    state.retry = 2;
    state.retrans = seconds > 3 ? seconds / 3 : 1;
    int length = res_nquery(&state, name, ns_c_in, ns_t_srv, answer, NS_MAXMSG);
    int error = state.res_h_errno;
    res_nclose(&state);
#else
    int length = res_query(name, ns_c_in, ns_t_srv, answer, NS_MAXMSG);
    int error = h_errno;
#endif
    if (length < 0) return error == HOST_NOT_FOUND || error == NO_DATA ? 0 : -1;
    return read_records(answer, length > NS_MAXMSG ? NS_MAXMSG : length, records, capacity);
}

int inbox_srv_lookup(const char *name, const char *server, uint16_t port, int seconds, struct inbox_srv *records,
                     int capacity) {
    unsigned char *answer = malloc(NS_MAXMSG);
    int count = answer ? lookup(name, server, port, seconds, records, capacity, answer) : -1;
    free(answer);
    return count;
}

#else

int inbox_srv_lookup(const char *name, const char *server, uint16_t port, int seconds, struct inbox_srv *records,
                     int capacity) {
    return -1;
}

#endif
