// PostgreSQL's C library. `pg_config.h` isn't needed.
#include <libpq-fe.h>
