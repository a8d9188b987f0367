/* SPDX-License-Identifier: Apache-2.0 */
#include "exec_post.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "chip_file.h"
#include "waits.h"

enum { SEARCH_SECONDS = 5 };

typedef struct post_reader {
    const char *at;
    uint64_t left;
} post_reader;

static bool read_post(void *context, void *data, size_t size)
{
    post_reader *r = context;
    if (size > r->left) {
        return false;
    }
    memcpy(data, r->at, size);
    r->at += size;
    r->left -= size;
    return true;
}

/* The chip behind the page; to be destroyed in any case. */
static kerr_status load_chip(const exec_page *page, kerr_chip **chip)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    const uint64_t bytes = page->page->post.bytes;
    void *saved =
        bytes != 0 ? mmap(NULL, bytes, PROT_READ, MAP_SHARED, page->file, (off_t)KERR_STATS_BYTES) : MAP_FAILED;
    post_reader reader = {.at = saved, .left = saved != MAP_FAILED ? bytes : 0};
    kerr_status status = kerr_create(&config, chip);
    if (status == KERR_OK) {
        status = kerr_rewind(*chip, read_post, &reader);
    }
    if (saved != MAP_FAILED) {
        (void)munmap(saved, bytes);
    }
    return status;
}

/* For kerr why and kerr show. */
static void save(const kerr_chip *chip, const char *path, unsigned number)
{
    char name[PATH_MAX];
    tool_error error;
    if (number > 1) {
        (void)snprintf(name, sizeof name, "%s.%u", path, number);
    } else {
        (void)snprintf(name, sizeof name, "%s", path);
    }
    if (!chip_file_write(name, chip, &error)) {
        (void)fprintf(stderr, "kerr exec: %s\n", error.text);
    }
}

static void print_chip(FILE *to, const kerr_chip *chip, kerr_status status, const char *const *folders, size_t count)
{
    if (status == KERR_OK) {
        waits_print_searching(to, chip, folders, count, SEARCH_SECONDS);
    } else {
        (void)fprintf(to, "  the chip could not be looked at: %s\n", kerr_status_text(status));
    }
}

static char *describe(const exec_page *page, const kerr_chip *chip, kerr_status status, const char *const *folders,
                      size_t count)
{
    static const char *const why[] = {"who waits for whom, after a fault", "who waits for whom, in a hang",
                                      "who waits for whom"};
    const kerr_stats_post *post = &page->page->post;
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL) {
        return NULL;
    }
    (void)fprintf(to, "kerr: %s (process %d)\n", post->reason <= KERR_POST_ASKED ? why[post->reason] : "?", post->pid);
    print_chip(to, chip, status, folders, count);
    if (fclose(to) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

void exec_post_take(exec_page *page, exec_posts *posts, const char *const *folders, size_t count, const char *save_path)
{
    kerr_stats_post *post = &page->page->post;
    if (__atomic_load_n(&post->state, __ATOMIC_ACQUIRE) != KERR_POST_READY) {
        return;
    }
    kerr_chip *chip = NULL;
    const kerr_status status = load_chip(page, &chip);
    if (posts->count < POSTS_KEPT) {
        posts->text[posts->count] = describe(page, chip, status, folders, count);
    }
    posts->count++;
    if (save_path != NULL && status == KERR_OK) {
        save(chip, save_path, posts->count);
    }
    kerr_destroy(chip);
    (void)!ftruncate(page->file, (off_t)KERR_STATS_BYTES);
    __atomic_store_n(&post->state, KERR_POST_FREE, __ATOMIC_RELEASE);
}

void exec_posts_print(FILE *to, const exec_posts *posts)
{
    for (unsigned i = 0; i < posts->count && i < POSTS_KEPT; i++) {
        if (posts->text[i] != NULL) {
            (void)fprintf(to, "%s", posts->text[i]);
        }
    }
    if (posts->count > POSTS_KEPT) {
        (void)fprintf(to, "kerr: %u other chips have stopped\n", posts->count - POSTS_KEPT);
    }
}

void exec_posts_free(exec_posts *posts)
{
    for (unsigned i = 0; i < POSTS_KEPT; i++) {
        free(posts->text[i]);
    }
}
