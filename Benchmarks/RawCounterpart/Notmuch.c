#include "RawCounterpart.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// libnotmuch (Debian's libnotmuch5) is loaded on first use, since only one benchmark needs it. The declarations used
// here:
enum { READ_ONLY = 0, NEWEST_FIRST = 1 };

struct raw_notmuch {
    void *library, *database;
    int (*open)(const char *folder, int mode, const char *settings, const char *profile, void **database, char **problem);
    int (*close)(void *database);
    void *(*query)(void *database, const char *words);
    void (*sort)(void *query, int order);
    int (*search)(void *query, void **messages);
    void (*end_query)(void *query);
    int (*valid)(void *messages);
    void *(*get)(void *messages);
    void (*next)(void *messages);
    const char *(*id)(void *message);
    const char *(*header)(void *message, const char *name);
    time_t (*date)(void *message);
    void (*end_message)(void *message);
    // The destination to which results are copied.
    char copy[65536];
};

static bool load(raw_notmuch *it) {
    it->library = dlopen("libnotmuch.so.5", RTLD_NOW | RTLD_LOCAL);
    if (it->library == NULL) return false;
    struct {
        void *function;
        const char *name;
    } all[] = {
        {&it->open, "notmuch_database_open_with_config"},
        {&it->close, "notmuch_database_destroy"},
        {&it->query, "notmuch_query_create"},
        {&it->sort, "notmuch_query_set_sort"},
        {&it->search, "notmuch_query_search_messages"},
        {&it->end_query, "notmuch_query_destroy"},
        {&it->valid, "notmuch_messages_valid"},
        {&it->get, "notmuch_messages_get"},
        {&it->next, "notmuch_messages_move_to_next"},
        {&it->id, "notmuch_message_get_message_id"},
        {&it->header, "notmuch_message_get_header"},
        {&it->date, "notmuch_message_get_date"},
        {&it->end_message, "notmuch_message_destroy"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        void *symbol = dlsym(it->library, all[i].name);
        if (symbol == NULL) return false;
        memcpy(all[i].function, &symbol, sizeof symbol);
    }
    return true;
}

raw_notmuch *raw_notmuch_open(const char *folder, const char *settings) {
    raw_notmuch *it = calloc(1, sizeof *it);
    if (it == NULL) return NULL;
    char *problem = NULL;
    if (!load(it) || it->open(folder, READ_ONLY, settings, NULL, &it->database, &problem) != 0) {
        free(problem);
        raw_notmuch_close(it);
        return NULL;
    }
    return it;
}

void raw_notmuch_close(raw_notmuch *it) {
    if (it->database != NULL) it->close(it->database);
    // The library stays loaded, because Xapian leaves thread-local data that is destroyed when the thread ends.
    free(it);
}

// Appends a text to the copy, if there is room. Returns the new length.
static size_t keep(raw_notmuch *it, size_t used, const char *text) {
    size_t length = text == NULL ? 0 : strlen(text);
    if (used + length > sizeof it->copy) return used;
    if (length > 0) memcpy(it->copy + used, text, length);
    return used + length;
}

long raw_notmuch_search(raw_notmuch *it, const char *words, size_t limit) {
    void *query = it->query(it->database, words), *messages = NULL;
    if (query == NULL) return -1;
    it->sort(query, NEWEST_FIRST);
    long found = -1;
    if (it->search(query, &messages) == 0) {
        size_t used = 0;
        for (found = 0; it->valid(messages) && (size_t)found < limit; found++, it->next(messages)) {
            void *message = it->get(messages);
            used = keep(it, used, it->id(message));
            used = keep(it, used, it->header(message, "from"));
            used = keep(it, used, it->header(message, "subject"));
            volatile time_t date = it->date(message);
            (void)date;
            it->end_message(message);
        }
    }
    it->end_query(query);
    return found;
}
