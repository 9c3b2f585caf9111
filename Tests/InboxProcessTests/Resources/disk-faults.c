// Preloaded into the server or the tool by DiskFaultTests: makes the disk under one file fail, as SQLite sees it.
//
// DISK_FAULT_FILE   a part of the path of the files that fail
// DISK_FAULT_KIND   full: no room (ENOSPC); error: EIO; sync: the disk doesn't confirm (EIO from fsync);
//                   tear: half of what is to be written arrives, and the process dies as when the power fails
// DISK_FAULT_AFTER  how many calls go well first
// DISK_FAULT_COUNT  how many fail then
// DISK_FAULT_ARMED  a file: calls are counted while it exists; none for always
// Each fault makes a line in the file that DISK_FAULT_LOG names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_long calls;

static int matches(int file) {
    const char *part = getenv("DISK_FAULT_FILE");
    char link[64], path[4096];
    if (!part) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    // The index of the log is memory, not disk.
    return strstr(path, part) != NULL && strstr(path, "-shm") == NULL;
}

// Whether this call is one of those that fail.
static int fails(int file, int is_sync) {
    const char *kind = getenv("DISK_FAULT_KIND"), *armed = getenv("DISK_FAULT_ARMED");
    int saved = errno;
    if (!kind || is_sync != (strcmp(kind, "sync") == 0) || !matches(file) || (armed && access(armed, F_OK) != 0)) {
        errno = saved;
        return 0;
    }
    errno = saved;
    const char *after = getenv("DISK_FAULT_AFTER"), *count = getenv("DISK_FAULT_COUNT");
    long number = atomic_fetch_add(&calls, 1), first = after ? atol(after) : 0;
    if (number < first || number >= first + (count ? atol(count) : 1)) return 0;
    const char *log = getenv("DISK_FAULT_LOG");
    int out = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    if (out >= 0) {
        dprintf(out, "%s %ld\n", kind, number);
        close(out);
    }
    return 1;
}

static int code(void) { return strcmp(getenv("DISK_FAULT_KIND"), "full") == 0 ? ENOSPC : EIO; }

static int is_torn(void) { return strcmp(getenv("DISK_FAULT_KIND"), "tear") == 0; }

typedef ssize_t (*pwrite_call)(int, const void *, size_t, off64_t);

static ssize_t faulty_pwrite(const char *name, int file, const void *bytes, size_t size, off64_t place) {
    pwrite_call real = (pwrite_call)dlsym(RTLD_NEXT, name);
    if (!fails(file, 0)) return real(file, bytes, size, place);
    if (is_torn()) {
        real(file, bytes, size / 2, place);
        kill(getpid(), SIGKILL);
    }
    errno = code();
    return -1;
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t place) {
    return faulty_pwrite("pwrite64", file, bytes, size, place);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t place) {
    return faulty_pwrite("pwrite", file, bytes, size, place);
}

ssize_t write(int file, const void *bytes, size_t size) {
    ssize_t (*real)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (!fails(file, 0)) return real(file, bytes, size);
    if (is_torn()) {
        real(file, bytes, size / 2);
        kill(getpid(), SIGKILL);
    }
    errno = code();
    return -1;
}

static int faulty_truncate(const char *name, int file, off64_t size) {
    int (*real)(int, off64_t) = (int (*)(int, off64_t))dlsym(RTLD_NEXT, name);
    if (!fails(file, 0)) return real(file, size);
    if (is_torn()) kill(getpid(), SIGKILL);
    errno = code();
    return -1;
}

int ftruncate64(int file, off64_t size) { return faulty_truncate("ftruncate64", file, size); }

int ftruncate(int file, off_t size) { return faulty_truncate("ftruncate", file, size); }

static int faulty_sync(const char *name, int file) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    if (!fails(file, 1)) return real(file);
    errno = EIO;
    return -1;
}

int fsync(int file) { return faulty_sync("fsync", file); }

int fdatasync(int file) { return faulty_sync("fdatasync", file); }
