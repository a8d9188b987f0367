/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for what the Matrix Unit keeps (kernel.h): one for all tiles that a worker runs.  What a tile finds there of another one is
 * used where it is the same, and is not in its way otherwise. */
#include "tensix/matrix/kernel.h"

#include "base/pages.h"

#include <sys/mman.h>

struct matrix_cache *matrix_cache_create(void)
{
    void *memory = mmap(NULL, sizeof(struct matrix_cache), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

void matrix_cache_destroy(struct matrix_cache *cache)
{
    if (cache != NULL)
        munmap(cache, sizeof *cache);
}

void matrix_cache_populate(struct matrix_cache *cache)
{
    pages_populate(cache, sizeof *cache); /* products read what is kept before they write it */
    cache->populated = true;
}
