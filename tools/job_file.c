/* SPDX-License-Identifier: Apache-2.0 */
/* YAML job files.  The keys a file may have are in options.def; a key that is not there, comes twice, is missing or has a
 * value out of range is refused with line and column. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "file.h"
#include "job.h"
#include "options.h"
#include "yaml_tree.h"

typedef struct job_reader {
    job *to;
    const yaml_tree *tree;
    tool_error *error;
} job_reader;

/* Puts "file:line:column: key:" before a sentence that a parser made. */
static bool at_node(const job_reader *r, const yaml_node *node, const char *key)
{
    return tool_fail_at(r->error, "%s:%u:%u: %s", r->tree->name, node->line, node->column, key);
}

static bool expect_kind(const job_reader *r, const yaml_node *node, yaml_kind kind, const char *what)
{
    return node->kind == kind || yaml_fail(r->tree, node, r->error, "%s must be %s, not %s", what, yaml_kind_name(kind),
                                           yaml_kind_name(node->kind));
}

static bool refuse_key(const job_reader *r, const yaml_node *key, job_section section)
{
    const char *names[JOB_KEY_COUNT];
    char known[256] = "", meant[64];
    size_t count = 0;
    for (unsigned i = 0; i < JOB_KEY_COUNT; i++) {
        if (job_key_table[i].section == section) {
            names[count++] = job_key_table[i].key;
            const size_t used = strlen(known);
            (void)snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", job_key_table[i].key);
        }
    }
    const bool number = key->text[0] >= '0' && key->text[0] <= '9';
    return yaml_fail(r->tree, key, r->error, "unknown key '%.64s'; known here: %s%s%s", key->text, known,
                     meant_text(meant, sizeof meant, "", kerr_name_near(key->text, names, count)),
                     number ? " (inside { } and [ ] a tile needs quotes: \"1,2\")" : "");
}

/* The values of a map's keys by id, NULL where a key is not given. */
typedef struct job_map {
    const yaml_node *map;
    const yaml_node *value[JOB_KEY_COUNT];
} job_map;

static bool read_map(const job_reader *r, const yaml_node *node, job_section section, const char *what, job_map *found)
{
    *found = (job_map){.map = node};
    if (!expect_kind(r, node, YAML_KIND_MAP, what)) {
        return false;
    }
    for (const yaml_node *key = node->first; key != NULL; key = key->next->next) {
        unsigned i = 0;
        while (i < JOB_KEY_COUNT &&
               !(job_key_table[i].section == section && strcmp(job_key_table[i].key, key->text) == 0)) {
            i++;
        }
        if (i == JOB_KEY_COUNT) {
            return refuse_key(r, key, section);
        }
        found->value[i] = key->next;
    }
    return true;
}

static bool require(const job_reader *r, const job_map *map, job_key_id id, const char *what)
{
    return map->value[id] != NULL ||
           yaml_fail(r->tree, map->map, r->error, "%s needs the key '%s'", what, job_key_table[id].key);
}

/* The text of a single value. */
static const char *read_text(const job_reader *r, const yaml_node *node, job_key_id id)
{
    if (!expect_kind(r, node, YAML_KIND_SCALAR, job_key_table[id].key)) {
        return NULL;
    }
    if (node->text[0] == '\0') {
        (void)yaml_fail(r->tree, node, r->error, "%s has no value", job_key_table[id].key);
        return NULL;
    }
    return node->text;
}

static bool read_number(const job_reader *r, const job_map *map, job_key_id id, uint64_t max, uint64_t *value)
{
    const yaml_node *node = map->value[id];
    const char *text = read_text(r, node, id);
    return text != NULL && (parse_number(text, max, value, r->error) || at_node(r, node, job_key_table[id].key));
}

static bool read_number32(const job_reader *r, const job_map *map, job_key_id id, uint32_t *value)
{
    uint64_t wide = 0;
    const bool ok = read_number(r, map, id, UINT32_MAX, &wide);
    *value = (uint32_t)wide;
    return ok;
}

static bool read_path(const job_reader *r, const job_map *map, job_key_id id, char **path)
{
    const char *text = read_text(r, map->value[id], id);
    if (text == NULL) {
        return false;
    }
    *path = file_path_beside(r->tree->name, text);
    return *path != NULL || tool_fail(r->error, "out of memory");
}

/* A tile, or a list of tiles. */
static bool read_tiles(const job_reader *r, const job_map *map, job_key_id id, bool tensix_only, tile_set *set)
{
    const yaml_node *node = map->value[id];
    const bool list = node->kind == YAML_KIND_LIST;
    *set = (tile_set){{0}};
    if (list && node->first == NULL) {
        return yaml_fail(r->tree, node, r->error, "%s is an empty list", job_key_table[id].key);
    }
    for (const yaml_node *item = list ? node->first : node; item != NULL; item = list ? item->next : NULL) {
        const char *text = read_text(r, item, id);
        if (text == NULL) {
            return false;
        }
        if (!parse_tiles(text, tensix_only, set, r->error)) {
            return at_node(r, item, job_key_table[id].key);
        }
    }
    return true;
}

static bool read_cores(const job_reader *r, const job_map *map, job_key_id id, core_set *set)
{
    const yaml_node *node = map->value[id];
    const bool list = node->kind == YAML_KIND_LIST;
    *set = 0;
    if (list && node->first == NULL) {
        return yaml_fail(r->tree, node, r->error, "%s is an empty list", job_key_table[id].key);
    }
    for (const yaml_node *item = list ? node->first : node; item != NULL; item = list ? item->next : NULL) {
        const char *text = read_text(r, item, id);
        if (text == NULL) {
            return false;
        }
        if (!parse_cores(text, set, r->error)) {
            return at_node(r, item, job_key_table[id].key);
        }
    }
    return true;
}

/* A place in the program, or a list of them. */
static bool read_idle(const job_reader *r, const yaml_node *node, job_program *program)
{
    const bool list = node->kind == YAML_KIND_LIST;
    for (const yaml_node *item = list ? node->first : node; item != NULL; item = list ? item->next : NULL) {
        const char *text = read_text(r, item, JOB_PROGRAM_IDLE);
        if (text == NULL) {
            return false;
        }
        if (!job_add_idle(program, text, r->error)) {
            return at_node(r, item, "idle");
        }
    }
    return true;
}

static bool read_program(const job_reader *r, const yaml_node *node)
{
    job_map map;
    job_program program = {.cores = 1u << KERR_CORE_B};
    tile_set_add(&program.tiles, kerr_tensix_xy(0));
    if (!read_map(r, node, JOB_SECTION_PROGRAM, "an item of programs", &map) ||
        !require(r, &map, JOB_PROGRAM_ELF, "an item of programs") ||
        (map.value[JOB_PROGRAM_TILES] != NULL && !read_tiles(r, &map, JOB_PROGRAM_TILES, true, &program.tiles)) ||
        (map.value[JOB_PROGRAM_CORES] != NULL && !read_cores(r, &map, JOB_PROGRAM_CORES, &program.cores))) {
        return false;
    }
    if (map.value[JOB_PROGRAM_ENTRY] != NULL) {
        program.has_entry = true;
        if (!read_number32(r, &map, JOB_PROGRAM_ENTRY, &program.entry)) {
            return false;
        }
    }
    if ((map.value[JOB_PROGRAM_IDLE] != NULL && !read_idle(r, map.value[JOB_PROGRAM_IDLE], &program)) ||
        !read_path(r, &map, JOB_PROGRAM_ELF, &program.elf)) {
        job_free_program(&program);
        return false;
    }
    if (!job_push_program(r->to, &program, r->error)) {
        job_free_program(&program);
        return at_node(r, node, "programs");
    }
    return true;
}

static bool read_words(const job_reader *r, const yaml_node *list, job_preload *preload)
{
    if (!expect_kind(r, list, YAML_KIND_LIST, "words")) {
        return false;
    }
    if (list->count == 0) {
        return yaml_fail(r->tree, list, r->error, "words is an empty list");
    }
    preload->words = calloc(list->count, sizeof *preload->words);
    if (preload->words == NULL) {
        return tool_fail(r->error, "out of memory");
    }
    preload->word_count = list->count;
    uint32_t *word = preload->words;
    for (const yaml_node *item = list->first; item != NULL; item = item->next) {
        const char *text = read_text(r, item, JOB_PRELOAD_WORDS);
        if (text == NULL) {
            return false;
        }
        if (!parse_number32(text, word++, r->error)) {
            return at_node(r, item, "words");
        }
    }
    return true;
}

/* The bytes of a preload: exactly one of file, words, and fill with size. */
static bool read_preload_data(const job_reader *r, const job_map *map, job_preload *preload)
{
    const yaml_node *file = map->value[JOB_PRELOAD_FILE], *words = map->value[JOB_PRELOAD_WORDS];
    const yaml_node *fill = map->value[JOB_PRELOAD_FILL], *size = map->value[JOB_PRELOAD_SIZE];
    if ((file != NULL) + (words != NULL) + (fill != NULL) != 1 || (fill != NULL) != (size != NULL)) {
        return yaml_fail(r->tree, map->map, r->error,
                         "an item of preload needs either file, or words, or fill together with size");
    }
    if (file != NULL) {
        return read_path(r, map, JOB_PRELOAD_FILE, &preload->file);
    }
    if (words != NULL) {
        return read_words(r, words, preload);
    }
    if (!read_number32(r, map, JOB_PRELOAD_FILL, &preload->fill) ||
        !read_number(r, map, JOB_PRELOAD_SIZE, UINT32_MAX, &preload->size)) {
        return false;
    }
    return (preload->size != 0 && preload->size % 4 == 0) ||
           yaml_fail(r->tree, size, r->error, "size must be a multiple of 4 above 0, not %" PRIu64, preload->size);
}

static bool read_preload(const job_reader *r, const yaml_node *node)
{
    job_map map;
    job_preload preload = {.fill = 0};
    if (!read_map(r, node, JOB_SECTION_PRELOAD, "an item of preload", &map) ||
        !require(r, &map, JOB_PRELOAD_TILE, "an item of preload") ||
        !require(r, &map, JOB_PRELOAD_ADDRESS, "an item of preload") ||
        !read_tiles(r, &map, JOB_PRELOAD_TILE, false, &preload.tiles) ||
        !read_number(r, &map, JOB_PRELOAD_ADDRESS, UINT64_MAX, &preload.address)) {
        return false;
    }
    if (!read_preload_data(r, &map, &preload)) {
        job_free_preload(&preload);
        return false;
    }
    if (!job_push_preload(r->to, &preload, r->error)) {
        job_free_preload(&preload);
        return at_node(r, node, "preload");
    }
    return true;
}

static bool read_buffer(const job_reader *r, const yaml_node *node)
{
    job_map map;
    job_buffer buffer = {.size = 0};
    if (!read_map(r, node, JOB_SECTION_BUFFER, "an item of buffers", &map) ||
        !require(r, &map, JOB_BUFFER_TILE, "an item of buffers") ||
        !require(r, &map, JOB_BUFFER_ADDRESS, "an item of buffers") ||
        !require(r, &map, JOB_BUFFER_SIZE, "an item of buffers") ||
        !require(r, &map, JOB_BUFFER_FORMAT, "an item of buffers") ||
        !read_tiles(r, &map, JOB_BUFFER_TILE, true, &buffer.tiles) ||
        !read_number(r, &map, JOB_BUFFER_ADDRESS, UINT32_MAX, &buffer.address) ||
        !read_number(r, &map, JOB_BUFFER_SIZE, UINT32_MAX, &buffer.size)) {
        return false;
    }
    if (!job_check_dump_range(buffer.address, buffer.size, r->error)) {
        return at_node(r, map.value[JOB_BUFFER_SIZE], "size");
    }
    const char *format = read_text(r, map.value[JOB_BUFFER_FORMAT], JOB_BUFFER_FORMAT);
    if (format == NULL) {
        return false;
    }
    if (!job_check_format(format, &buffer.format, r->error)) {
        return at_node(r, map.value[JOB_BUFFER_FORMAT], "format");
    }
    return job_push_buffer(r->to, &buffer, r->error) || at_node(r, node, "buffers");
}

static bool read_dump_target(const job_reader *r, const job_map *map, job_dump *dump)
{
    dump->format = DUMP_TO_HEX;
    if (map->value[JOB_DUMP_FILE] != NULL) {
        if (map->value[JOB_DUMP_FORMAT] != NULL) {
            return yaml_fail(r->tree, map->value[JOB_DUMP_FORMAT], r->error,
                             "an item of dump has either file or format, not both");
        }
        dump->format = DUMP_TO_FILE;
        return read_path(r, map, JOB_DUMP_FILE, &dump->file);
    }
    const yaml_node *format = map->value[JOB_DUMP_FORMAT];
    if (format == NULL) {
        return true;
    }
    const char *text = read_text(r, format, JOB_DUMP_FORMAT);
    if (text == NULL) {
        return false;
    }
    return job_dump_format_by_name(text, &dump->format) ||
           yaml_fail(r->tree, format, r->error, "format must be hex, words, riscv or tensix, not '%.64s'", text);
}

static bool read_dump(const job_reader *r, const yaml_node *node)
{
    job_map map;
    job_dump dump = {.format = DUMP_TO_HEX};
    if (!read_map(r, node, JOB_SECTION_DUMP, "an item of dump", &map) ||
        !require(r, &map, JOB_DUMP_TILE, "an item of dump") || !require(r, &map, JOB_DUMP_ADDRESS, "an item of dump") ||
        !require(r, &map, JOB_DUMP_SIZE, "an item of dump")) {
        return false;
    }
    const yaml_node *core = map.value[JOB_DUMP_CORE];
    if (core != NULL) {
        const char *text = read_text(r, core, JOB_DUMP_CORE);
        if (text == NULL) {
            return false;
        }
        if (!kerr_core_by_name(text, &dump.core)) {
            return yaml_fail(r->tree, core, r->error, "core: '%.64s' is no baby core", text);
        }
        dump.has_core = true;
    }
    if (!read_tiles(r, &map, JOB_DUMP_TILE, dump.has_core, &dump.tiles) ||
        !read_number(r, &map, JOB_DUMP_ADDRESS, dump.has_core ? UINT32_MAX : UINT64_MAX, &dump.address) ||
        !read_number(r, &map, JOB_DUMP_SIZE, UINT32_MAX, &dump.size)) {
        return false;
    }
    if (!job_check_dump_range(dump.address, dump.size, r->error)) {
        return at_node(r, map.value[JOB_DUMP_SIZE], "size");
    }
    if (!read_dump_target(r, &map, &dump)) {
        return false;
    }
    if (!job_push_dump(r->to, &dump, r->error)) {
        job_free_dump(&dump);
        return at_node(r, node, "dump");
    }
    return true;
}

static bool read_until_word(const job_reader *r, const job_map *map, job_until *until)
{
    const bool equal = map->value[JOB_UNTIL_EQ] != NULL;
    if (!read_tiles(r, map, JOB_UNTIL_TILE, true, &until->tiles) ||
        !read_number32(r, map, JOB_UNTIL_ADDRESS, &until->address) ||
        !read_number32(r, map, equal ? JOB_UNTIL_EQ : JOB_UNTIL_NE, &until->value)) {
        return false;
    }
    until->kind = equal ? KERR_UNTIL_WORD_EQ : KERR_UNTIL_WORD_NE;
    until->mask = UINT32_MAX;
    if (map->value[JOB_UNTIL_MASK] != NULL && !read_number32(r, map, JOB_UNTIL_MASK, &until->mask)) {
        return false;
    }
    return job_check_word_address(until->address, r->error) || at_node(r, map->value[JOB_UNTIL_ADDRESS], "address");
}

static bool read_until_state(const job_reader *r, const job_map *map, job_until *until)
{
    const yaml_node *state_node = map->value[JOB_UNTIL_STATE];
    if (!read_tiles(r, map, JOB_UNTIL_TILE, true, &until->tiles) ||
        !read_cores(r, map, JOB_UNTIL_CORE, &until->cores)) {
        return false;
    }
    kerr_core_state state = KERR_CORE_RUNNING;
    const char *text = read_text(r, state_node, JOB_UNTIL_STATE);
    if (text == NULL) {
        return false;
    }
    if (!parse_core_state(text, &state)) {
        return yaml_fail(r->tree, state_node, r->error,
                         "state must be reset, running, parked, waiting, halted or stopped, not '%.64s'", text);
    }
    until->kind = KERR_UNTIL_CORE_STATE;
    until->value = (uint32_t)state;
    return true;
}

static bool read_until(const job_reader *r, const yaml_node *node)
{
    job_map map;
    job_until until = {.kind = KERR_UNTIL_IDLE};
    if (!read_map(r, node, JOB_SECTION_UNTIL, "a condition of until", &map)) {
        return false;
    }
    const bool idle = map.value[JOB_UNTIL_IDLE] != NULL, tile = map.value[JOB_UNTIL_TILE] != NULL;
    const bool address = map.value[JOB_UNTIL_ADDRESS] != NULL, mask = map.value[JOB_UNTIL_MASK] != NULL;
    const bool eq = map.value[JOB_UNTIL_EQ] != NULL, ne = map.value[JOB_UNTIL_NE] != NULL;
    const bool core = map.value[JOB_UNTIL_CORE] != NULL, state = map.value[JOB_UNTIL_STATE] != NULL;
    bool ok;
    if (idle && !tile && !address && !mask && !eq && !ne && !core && !state) {
        const char *text = read_text(r, map.value[JOB_UNTIL_IDLE], JOB_UNTIL_IDLE);
        ok = text != NULL && (strcasecmp(text, "true") == 0 ||
                              yaml_fail(r->tree, map.value[JOB_UNTIL_IDLE], r->error, "idle can only be true"));
    } else if (!idle && tile && address && eq != ne && !core && !state) {
        ok = read_until_word(r, &map, &until);
    } else if (!idle && tile && !address && !mask && !eq && !ne && core && state) {
        ok = read_until_state(r, &map, &until);
    } else {
        return yaml_fail(r->tree, node, r->error,
                         "a condition of until has either idle, or tile, address and one of eq and ne (and mask), or "
                         "tile, core and state");
    }
    return ok && (job_push_until(r->to, &until, r->error) || at_node(r, node, "until"));
}

static bool read_policies(const job_reader *r, const yaml_node *node)
{
    if (!expect_kind(r, node, YAML_KIND_MAP, "policy")) {
        return false;
    }
    for (const yaml_node *key = node->first; key != NULL; key = key->next->next) {
        const char *text = read_text(r, key->next, JOB_POLICY);
        if (text == NULL) {
            return false;
        }
        char pair[80];
        kerr_text_error why;
        (void)snprintf(pair, sizeof pair, "%.38s=%.38s", key->text, text);
        if (!kerr_policies_parse(&r->to->policies, pair, &why)) {
            (void)tool_fail(r->error, "%s", why.text);
            return at_node(r, key, "policy");
        }
    }
    return true;
}

/* One word, as the option has them, or a list of such. */
static bool read_checks(const job_reader *r, const yaml_node *node)
{
    const bool is_list = node->kind == YAML_KIND_LIST;
    uint32_t all = 0;
    if (is_list && node->first == NULL) {
        return yaml_fail(r->tree, node, r->error, "check is an empty list");
    }
    for (const yaml_node *item = is_list ? node->first : node; item != NULL; item = is_list ? item->next : NULL) {
        const char *text = read_text(r, item, JOB_CHECK);
        kerr_text_error why;
        uint32_t checks = 0;
        if (text == NULL) {
            return false;
        }
        if (!kerr_checks_parse(text, &checks, &why)) {
            (void)tool_fail(r->error, "%s", why.text);
            return at_node(r, item, "check");
        }
        all |= checks;
    }
    r->to->checks = all;
    return true;
}

static bool read_files(const job_reader *r, const job_map *map)
{
    return (map->value[JOB_FINDINGS] == NULL || read_path(r, map, JOB_FINDINGS, &r->to->findings)) &&
           (map->value[JOB_TRACE] == NULL || read_path(r, map, JOB_TRACE, &r->to->trace)) &&
           (map->value[JOB_REPORT] == NULL || read_path(r, map, JOB_REPORT, &r->to->report)) &&
           (map->value[JOB_SAVE] == NULL || read_path(r, map, JOB_SAVE, &r->to->save)) &&
           (map->value[JOB_SAVE_START] == NULL || read_path(r, map, JOB_SAVE_START, &r->to->save_start));
}

/* A list whose items one function reads. */
static bool read_list(const job_reader *r, const job_map *map, job_key_id id,
                      bool (*read_item)(const job_reader *r, const yaml_node *node))
{
    const yaml_node *node = map->value[id];
    if (node == NULL) {
        return true;
    }
    /* One condition of until may stand without a list. */
    if (id == JOB_UNTIL && node->kind == YAML_KIND_MAP) {
        return read_item(r, node);
    }
    if (!expect_kind(r, node, YAML_KIND_LIST, job_key_table[id].key)) {
        return false;
    }
    for (const yaml_node *item = node->first; item != NULL; item = item->next) {
        if (!read_item(r, item)) {
            return false;
        }
    }
    return true;
}

static bool read_single_values(const job_reader *r, const job_map *map)
{
    uint64_t number;
    if (map->value[JOB_CYCLES] != NULL) {
        const char *text = read_text(r, map->value[JOB_CYCLES], JOB_CYCLES);
        if (text == NULL) {
            return false;
        }
        if (!parse_count(text, INT64_MAX, &r->to->cycles, r->error)) {
            return at_node(r, map->value[JOB_CYCLES], "cycles");
        }
        r->to->has_cycles = true;
    }
    if (map->value[JOB_TIMEOUT] != NULL) {
        const char *text = read_text(r, map->value[JOB_TIMEOUT], JOB_TIMEOUT);
        if (text == NULL) {
            return false;
        }
        if (!parse_seconds(text, &r->to->timeout_seconds, r->error)) {
            return at_node(r, map->value[JOB_TIMEOUT], "timeout");
        }
    }
    if (map->value[JOB_THREADS] != NULL) {
        if (!read_number(r, map, JOB_THREADS, JOB_THREADS_MAX, &number)) {
            return false;
        }
        if (number == 0) {
            return yaml_fail(r->tree, map->value[JOB_THREADS], r->error, "threads must be 1 to %d", JOB_THREADS_MAX);
        }
        r->to->config.threads = (uint32_t)number;
    }
    if (map->value[JOB_SHAKE] != NULL && !read_number(r, map, JOB_SHAKE, UINT64_MAX, &r->to->config.shake)) {
        return false;
    }
    if (map->value[JOB_SEED] != NULL && !read_number(r, map, JOB_SEED, UINT64_MAX, &r->to->config.seed)) {
        return false;
    }
    const yaml_node *harvest = map->value[JOB_HARVEST];
    if (harvest != NULL &&
        (harvest->kind != YAML_KIND_SCALAR || !kerr_harvesting_by_name(harvest->text, &r->to->config.harvesting))) {
        return yaml_fail(r->tree, harvest, r->error, "harvest is not a shape such as p150, p100 or full,tensix=0x3000");
    }
    if (map->value[JOB_EVERY] != NULL) {
        if (!read_number32(r, map, JOB_EVERY, &r->to->every)) {
            return false;
        }
        if (r->to->every == 0) {
            return yaml_fail(r->tree, map->value[JOB_EVERY], r->error, "every must be at least 1");
        }
    }
    return true;
}

bool job_read(job *to, const char *name, const char *data, size_t size, tool_error *error)
{
    yaml_tree tree;
    if (!yaml_tree_read(&tree, name, data, size, error)) {
        return false;
    }
    const job_reader r = {.to = to, .tree = &tree, .error = error};
    job_map map;
    const bool ok = read_map(&r, tree.root, JOB_SECTION_TOP, "a job file", &map) && read_single_values(&r, &map) &&
                    (map.value[JOB_POLICY] == NULL || read_policies(&r, map.value[JOB_POLICY])) &&
                    (map.value[JOB_CHECK] == NULL || read_checks(&r, map.value[JOB_CHECK])) && read_files(&r, &map) &&
                    read_list(&r, &map, JOB_PROGRAMS, read_program) && read_list(&r, &map, JOB_PRELOAD, read_preload) &&
                    read_list(&r, &map, JOB_BUFFERS, read_buffer) && read_list(&r, &map, JOB_DUMP, read_dump) &&
                    read_list(&r, &map, JOB_UNTIL, read_until);
    yaml_tree_free(&tree);
    return ok;
}

bool job_read_file(job *to, const char *path, tool_error *error)
{
    char *data;
    size_t size;
    if (!file_read(path, JOB_FILE_MAX, &data, &size, error)) {
        return false;
    }
    const bool ok = job_read(to, path, data, size, error);
    free(data);
    return ok;
}
