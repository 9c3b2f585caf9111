#ifndef INBOX_RESOLVER_H
#define INBOX_RESOLVER_H

#include <stdint.h>

/* An SRV record (RFC 2782). The host has no final dot; it is empty if the service isn't offered. */
struct inbox_srv {
    uint16_t priority;
    uint16_t weight;
    uint16_t port;
    char host[256];
};

/*
 * Looks up the SRV records of a name. Blocks for the given time at most, in seconds, or a little longer.
 *
 * server and port name the DNS server by its IPv4 address; a null pointer stands for those of the system. (With Apple's
 * dnssd it is always those.)
 *
 * Returns the number of records, 0 if the name has none, and -1 if no server has answered.
 */
int inbox_srv_lookup(const char *name, const char *server, uint16_t port, int seconds, struct inbox_srv *records,
                     int capacity);

#endif
