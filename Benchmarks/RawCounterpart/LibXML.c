#include "RawCounterpart.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// libxml2 (Debian's libxml2) is loaded on first use, since only one benchmark needs it. The declarations used here:
enum { RECOVER = 1, NO_ERRORS = 32, NO_WARNINGS = 64, NO_NETWORK = 2048 };

struct raw_libxml {
    void *library;
    void *(*read)(const char *bytes, int length, const char *url, const char *encoding, int options);
    void *(*root)(void *document);
    void (*end)(void *document);
    void (*start)(void);
};

raw_libxml *raw_libxml_open(void) {
    raw_libxml *it = calloc(1, sizeof *it);
    if (it == NULL) return NULL;
    it->library = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL);
    struct {
        void *function;
        const char *name;
    } all[] = {
        {&it->read, "htmlReadMemory"},
        {&it->root, "xmlDocGetRootElement"},
        {&it->end, "xmlFreeDoc"},
        {&it->start, "xmlInitParser"},
    };
    for (size_t i = 0; it->library != NULL && i < sizeof all / sizeof *all; i++) {
        void *symbol = dlsym(it->library, all[i].name);
        if (symbol == NULL) {
            raw_libxml_close(it);
            return NULL;
        }
        memcpy(all[i].function, &symbol, sizeof symbol);
    }
    if (it->library == NULL) {
        raw_libxml_close(it);
        return NULL;
    }
    it->start();
    return it;
}

void raw_libxml_close(raw_libxml *it) {
    // The library stays loaded, for it may have left data of this thread.
    free(it);
}

bool raw_libxml_parse(raw_libxml *it, const char *html, size_t length) {
    void *document = it->read(html, (int)length, NULL, "utf-8", RECOVER | NO_ERRORS | NO_WARNINGS | NO_NETWORK);
    if (document == NULL) return false;
    bool has_root = it->root(document) != NULL;
    it->end(document);
    return has_root;
}

double raw_thread_time(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
