/* SPDX-License-Identifier: Apache-2.0 */
/* Post-mortems: a chip that the library has put behind the statistics page is taken over, looked at and let go. */
#ifndef KERR_TOOLS_EXEC_POST_H
#define KERR_TOOLS_EXEC_POST_H

#include <stdio.h>

#include "exec_page.h"

enum { POSTS_KEPT = 8 };

typedef struct exec_posts {
    char *text[POSTS_KEPT];
    unsigned count; /* the first POSTS_KEPT are kept */
} exec_posts;

/* If there is one: what it shows is kept as text, and it goes to a file, if save_path is not NULL; the n-th to FILE.n. */
void exec_post_take(exec_page *page, exec_posts *posts, const char *const *folders, size_t count,
                    const char *save_path);
void exec_posts_print(FILE *to, const exec_posts *posts);
void exec_posts_free(exec_posts *posts);

#endif
