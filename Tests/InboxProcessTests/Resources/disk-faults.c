// A library that DiskFaultTests preloads into the server or the tool: it makes SQLite's calls on one file fail.
//
// DISK_FAULT_FILE   a part of the path of the files that fail
// DISK_FAULT_KIND   full: no room (ENOSPC); error: EIO; sync: the disk doesn't confirm (EIO from fsync);
//                   tear: half of a write arrives, and the process dies as when the power fails;
//                   power: some of the unsynced writes are lost, and the process dies
// DISK_FAULT_AFTER  how many calls succeed first
// DISK_FAULT_COUNT  how many calls fail then
// DISK_FAULT_ARMED  a file: calls are counted while it exists; unset for always
// DISK_FAULT_SEED   the seed for what is lost with the power; 0 loses everything
// Each fault adds a line to the file that DISK_FAULT_LOG names.
//
// With `power`, writes and syncs are counted, and a process that ends earlier is killed at its end. A disk writes its
// cache sector by sector, in any order: each sector that was written since its file's last sync then has its synced
// content, the last one or one in between, and each file has its synced size or the last one. Names aren't lost: a file
// that was created, renamed or deleted stays so. Neither are writes of other processes, or through other calls than
// those below; SQLite needs no others here (its files aren't mapped: mmap_size).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
    // The index of the log is shared memory, not disk.
    return strstr(path, part) != NULL && strstr(path, "-shm") == NULL;
}

static int is_kind(const char *name) {
    const char *kind = getenv("DISK_FAULT_KIND");
    return kind && strcmp(kind, name) == 0;
}

static int is_armed(void) {
    const char *armed = getenv("DISK_FAULT_ARMED");
    return !armed || access(armed, F_OK) == 0;
}

static void note_fault(long number) {
    const char *log = getenv("DISK_FAULT_LOG");
    int out = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    if (out < 0) return;
    dprintf(out, "%s %ld\n", getenv("DISK_FAULT_KIND"), number);
    close(out);
}

// Whether this call fails.
static int fails(int file, int is_sync) {
    int saved = errno;
    int is_counted = getenv("DISK_FAULT_KIND") && (is_kind("power") || is_sync == is_kind("sync"));
    is_counted = is_counted && matches(file) && is_armed();
    errno = saved;
    if (!is_counted) return 0;
    const char *after = getenv("DISK_FAULT_AFTER"), *count = getenv("DISK_FAULT_COUNT");
    long number = atomic_fetch_add(&calls, 1), first = after ? atol(after) : 0;
    if (number < first || number >= first + (count ? atol(count) : 1)) return 0;
    note_fault(number);
    return 1;
}

static int code(void) { return is_kind("full") ? ENOSPC : EIO; }

// MARK: - Power

enum { sector_size = 512 };

// A sector's content before one of the writes since the last sync.
struct version {
    struct version *older;
    char bytes[sector_size];
};

struct disk_file {
    struct disk_file *next;
    dev_t device;
    ino_t number;
    // Never closed: closing would release the process's locks on the file.
    int file;
    // -1 if everything is synced.
    off64_t synced_size;
    // By sector, the newest first; NULL if nothing was written.
    struct version **sectors;
    long count;
};

// Locked while a file is changed or synced.
static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;
static struct disk_file *disk_files;

static off64_t size_of(int file) {
    struct stat64 facts;
    return fstat64(file, &facts) == 0 ? facts.st_size : 0;
}

// Locks and returns the file, until `leave`; NULL if it can't lose power.
static struct disk_file *enter(int file) {
    struct stat64 facts;
    int saved = errno;
    struct disk_file *found = NULL;
    if (is_kind("power") && matches(file) && fstat64(file, &facts) == 0 && S_ISREG(facts.st_mode)) {
        pthread_mutex_lock(&files_lock);
        found = disk_files;
        while (found && (found->device != facts.st_dev || found->number != facts.st_ino)) found = found->next;
        if (!found) {
            // Opened again, since this descriptor can be write-only.
            char path[64];
            snprintf(path, sizeof path, "/proc/self/fd/%d", file);
            found = calloc(1, sizeof *found);
            *found = (struct disk_file){
                disk_files, facts.st_dev, facts.st_ino, open(path, O_RDWR | O_CLOEXEC), -1, NULL, 0,
            };
            disk_files = found;
            if (found->file < 0) abort();
        }
    }
    errno = saved;
    return found;
}

static void leave(struct disk_file *file) {
    if (file) pthread_mutex_unlock(&files_lock);
}

// Keeps the content that is about to be changed.
static void keep(struct disk_file *file, off64_t from, off64_t to) {
    if (file->synced_size < 0) file->synced_size = size_of(file->file);
    long end = (to + sector_size - 1) / sector_size;
    if (end > file->count) {
        file->sectors = realloc(file->sectors, end * sizeof *file->sectors);
        memset(file->sectors + file->count, 0, (end - file->count) * sizeof *file->sectors);
        file->count = end;
    }
    for (long sector = from / sector_size; sector < end; sector++) {
        // Content beyond the end is zeros.
        struct version *version = calloc(1, sizeof *version);
        version->older = file->sectors[sector];
        if (pread64(file->file, version->bytes, sector_size, (off64_t)sector * sector_size) < 0) abort();
        file->sectors[sector] = version;
    }
}

// The current content is on the disk.
static void settle(struct disk_file *file) {
    file->synced_size = -1;
    for (long sector = 0; sector < file->count; sector++) {
        for (struct version *older; file->sectors[sector]; file->sectors[sector] = older) {
            older = file->sectors[sector]->older;
            free(file->sectors[sector]);
        }
    }
}

static unsigned long long seed, state;

// A random number below the limit.
static unsigned chance(unsigned limit) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return (state >> 33) % limit;
}

static void lose(struct disk_file *file) {
    ssize_t (*write)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
    int (*truncate)(int, off64_t) = dlsym(RTLD_NEXT, "ftruncate64");
    off64_t last_size = size_of(file->file);
    // The eighths of the file's writes that are lost.
    unsigned share = seed ? chance(9) : 8;
    off64_t size = chance(8) < share ? file->synced_size : last_size;
    for (long sector = 0; sector < file->count; sector++) {
        off64_t place = (off64_t)sector * sector_size;
        struct version *kept = NULL, *older = file->sectors[sector];
        // A truncated sector is restored whole, or not at all.
        while (older && ((!kept && place >= last_size) || chance(8) < share)) {
            kept = older;
            older = older->older;
        }
        if (kept && write(file->file, kept->bytes, sector_size, place) != sector_size) abort();
    }
    if (truncate(file->file, size) != 0) abort();
}

// Called with the lock, which is never released.
static void fail_power(void) {
    const char *text = getenv("DISK_FAULT_SEED");
    state = seed = text ? strtoull(text, NULL, 10) : 0;
    for (struct disk_file *file = disk_files; file; file = file->next) {
        if (file->synced_size >= 0) lose(file);
    }
    kill(getpid(), SIGKILL);
    pause();
}

__attribute__((destructor)) static void fail_at_end(void) {
    if (!is_kind("power") || !disk_files || !is_armed()) return;
    // The output of the process is written before.
    fflush(NULL);
    pthread_mutex_lock(&files_lock);
    note_fault(atomic_load(&calls));
    fail_power();
}

// MARK: - Calls

typedef ssize_t (*pwrite_call)(int, const void *, size_t, off64_t);

static ssize_t faulty_pwrite(const char *name, int file, const void *bytes, size_t size, off64_t place) {
    pwrite_call real = (pwrite_call)dlsym(RTLD_NEXT, name);
    struct disk_file *known = enter(file);
    if (known) keep(known, place, place + size);
    if (!fails(file, 0)) {
        ssize_t written = real(file, bytes, size, place);
        leave(known);
        return written;
    }
    if (known) {
        real(file, bytes, size, place);
        fail_power();
    }
    if (is_kind("tear")) {
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
    struct disk_file *known = enter(file);
    if (known) {
        off64_t place = fcntl(file, F_GETFL) & O_APPEND ? size_of(file) : lseek64(file, 0, SEEK_CUR);
        keep(known, place, place + size);
    }
    if (!fails(file, 0)) {
        ssize_t written = real(file, bytes, size);
        leave(known);
        return written;
    }
    if (known) {
        real(file, bytes, size);
        fail_power();
    }
    if (is_kind("tear")) {
        real(file, bytes, size / 2);
        kill(getpid(), SIGKILL);
    }
    errno = code();
    return -1;
}

static int faulty_truncate(const char *name, int file, off64_t size) {
    int (*real)(int, off64_t) = (int (*)(int, off64_t))dlsym(RTLD_NEXT, name);
    struct disk_file *known = enter(file);
    // All truncated content is kept; a file that grows has zeros there.
    if (known) keep(known, size, size_of(file));
    if (!fails(file, 0)) {
        int result = real(file, size);
        leave(known);
        return result;
    }
    if (known) {
        real(file, size);
        fail_power();
    }
    if (is_kind("tear")) kill(getpid(), SIGKILL);
    errno = code();
    return -1;
}

int ftruncate64(int file, off64_t size) { return faulty_truncate("ftruncate64", file, size); }

int ftruncate(int file, off_t size) { return faulty_truncate("ftruncate", file, size); }

static int faulty_sync(const char *name, int file) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    struct disk_file *known = enter(file);
    if (!fails(file, 1)) {
        int result = real(file);
        if (known && result == 0) settle(known);
        leave(known);
        return result;
    }
    if (known) fail_power();
    errno = EIO;
    return -1;
}

int fsync(int file) { return faulty_sync("fsync", file); }

int fdatasync(int file) { return faulty_sync("fdatasync", file); }
