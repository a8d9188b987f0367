/* SPDX-License-Identifier: Apache-2.0 */
/* Findings in files, by the ending of the name: lines of JSON (docs/findings/README.md), SARIF 2.1.0 for those who show results beside
 * the source (.sarif), JUnit's XML for those who show tests (.xml). */
#include "findings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TEXT_BYTES = 1024 };

typedef bool (*writer)(FILE *to, const finding_list *list, const place_source *places, tool_error *error);

static void select_finding(const place_source *places, uint32_t index)
{
    if (places->select != NULL) {
        places->select(places->context, index);
    }
}

static kerr_place place_of(const place_source *places, const kerr_access *access)
{
    kerr_place place = {.line = 0};
    if (places->fn != NULL && access->core >= 0) {
        places->fn(places->context, access->tile, access->core, access->pc, &place);
    }
    return place;
}

/* As JSON; 0: it does not fit. */
static size_t as_json(const kerr_finding *finding, const place_source *places, char *line)
{
    size_t n = kerr_finding_json(finding, places->fn, places->context, line, KERR_FINDING_JSON_MAX);
    if (n >= KERR_FINDING_JSON_MAX) { /* names of unreasonable length: without them */
        n = kerr_finding_json(finding, NULL, NULL, line, KERR_FINDING_JSON_MAX);
    }
    return n < KERR_FINDING_JSON_MAX ? n : 0;
}

static bool write_lines(FILE *to, const finding_list *list, const place_source *places, tool_error *error)
{
    char *line = malloc(KERR_FINDING_JSON_MAX);
    if (line == NULL) {
        return tool_fail(error, "out of memory");
    }
    for (uint32_t i = 0; i < list->count; i++) {
        select_finding(places, i);
        if (as_json(&list->of[i], places, line) > 0) {
            (void)fprintf(to, "%s\n", line);
        }
    }
    free(line);
    return true;
}

/* ---- SARIF --------------------------------------------------------------------------------------------------------- */

static void put_json(FILE *to, const char *text)
{
    (void)fputc('"', to);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            (void)fprintf(to, "\\%c", *text);
        } else if ((unsigned char)*text < 0x20) {
            (void)fprintf(to, "\\u%04x", (unsigned)*text);
        } else {
            (void)fputc(*text, to);
        }
    }
    (void)fputc('"', to);
}

/* A path as a URI: what is relative stays so, for the reader to look for below the top of the sources. */
static void put_uri(FILE *to, const char *path)
{
    (void)fprintf(to, path[0] == '/' ? "\"file://" : "\"");
    for (; *path != '\0'; path++) {
        const unsigned char c = (unsigned char)*path;
        const bool plain =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || strchr("/._-~+", c) != NULL;
        (void)fprintf(to, plain ? "%c" : "%%%02X", c);
    }
    (void)fputc('"', to);
}

static const char *level_of(kerr_severity severity)
{
    return severity == KERR_SEVERITY_ERROR ? "error" : severity == KERR_SEVERITY_WARNING ? "warning" : "note";
}

static void put_rules(FILE *to)
{
    for (uint32_t i = 0; i < kerr_finding_kinds(); i++) {
        (void)fprintf(to, "%s\n      {\"id\": ", i > 0 ? "," : "");
        put_json(to, kerr_finding_name(i));
        (void)fprintf(to, ", \"shortDescription\": {\"text\": ");
        put_json(to, kerr_finding_title(i));
        (void)fprintf(to,
                      "}, \"help\": {\"text\": \"kerr explain %s\"}, \"defaultConfiguration\": {\"level\": \"%s\"}}",
                      kerr_finding_name(i), level_of(kerr_finding_severity(i)));
    }
}

/* Where one end of a finding is: file and line if they are known, and tile, core and pc in any case. */
static void put_location(FILE *to, const kerr_access *access, const place_source *places, const char *message)
{
    const kerr_place place = place_of(places, access);
    char who[TEXT_BYTES];
    (void)fprintf(to, "{");
    if (place.file != NULL) {
        (void)fprintf(to, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
        put_uri(to, place.file);
        (void)fprintf(to, "}");
        if (place.line > 0) {
            (void)fprintf(to, ", \"region\": {\"startLine\": %d}", place.line);
        }
        (void)fprintf(to, "}, ");
    }
    if (message != NULL) {
        (void)fprintf(to, "\"message\": {\"text\": ");
        put_json(to, message);
        (void)fprintf(to, "}, ");
    }
    const char *core =
        access->core >= 0 ? kerr_core_name_of(kerr_tile_kind_at(access->tile), (kerr_core)access->core) : NULL;
    (void)snprintf(who, sizeof who, "tile %u,%u%s%s%s%s", access->tile.x, access->tile.y, core != NULL ? " " : "",
                   core != NULL ? core : "", place.function != NULL ? " " : "",
                   place.function != NULL ? place.function : "");
    (void)fprintf(to, "\"logicalLocations\": [{");
    if (place.function != NULL) {
        (void)fprintf(to, "\"name\": ");
        put_json(to, place.function);
        (void)fprintf(to, ", \"kind\": \"function\", ");
    }
    (void)fprintf(to, "\"fullyQualifiedName\": ");
    put_json(to, who);
    (void)fprintf(to, "}]}");
}

static void put_result(FILE *to, const kerr_finding *f, const place_source *places, const char *json)
{
    char text[TEXT_BYTES];
    (void)kerr_finding_format(f, text, sizeof text);
    (void)fprintf(to, "\n    {\"ruleId\": ");
    put_json(to, kerr_finding_name(f->kind));
    (void)fprintf(to,
                  ", \"ruleIndex\": %" PRIu32 ", \"level\": \"%s\", \"occurrenceCount\": %" PRIu32
                  ", \"message\": {\"text\": ",
                  f->kind, level_of(f->severity), f->times > 0 ? f->times : 1);
    put_json(to, text);
    (void)fprintf(to, "},\n     \"locations\": [");
    put_location(to, &f->access, places, NULL);
    (void)fprintf(to, "]");
    if (f->other.actor != KERR_ACTOR_NONE && kerr_access_format(&f->other, text, sizeof text) > 0) {
        (void)fprintf(to, ",\n     \"relatedLocations\": [");
        put_location(to, &f->other, places, text);
        (void)fprintf(to, "]");
    }
    if (json != NULL) {
        (void)fprintf(to, ",\n     \"properties\": {\"finding\": %s}", json);
    }
    (void)fprintf(to, "}");
}

static bool write_sarif(FILE *to, const finding_list *list, const place_source *places, tool_error *error)
{
    char *line = malloc(KERR_FINDING_JSON_MAX);
    if (line == NULL) {
        return tool_fail(error, "out of memory");
    }
    (void)fprintf(
        to,
        "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", \"runs\": [{\n"
        "  \"tool\": {\"driver\": {\"name\": \"Kerr\", \"version\": \"%s\", \"rules\": [",
        kerr_version());
    put_rules(to);
    (void)fprintf(to, "]}},\n  \"results\": [");
    for (uint32_t i = 0; i < list->count; i++) {
        select_finding(places, i);
        (void)fprintf(to, "%s", i > 0 ? "," : "");
        put_result(to, &list->of[i], places, as_json(&list->of[i], places, line) > 0 ? line : NULL);
    }
    (void)fprintf(to, "]}]}\n");
    free(line);
    return true;
}

/* ---- JUnit --------------------------------------------------------------------------------------------------------- */

static void put_xml(FILE *to, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<': (void)fputs("&lt;", to); break;
        case '>': (void)fputs("&gt;", to); break;
        case '&': (void)fputs("&amp;", to); break;
        case '"': (void)fputs("&quot;", to); break;
        case '\n': (void)fputs("\n", to); break;
        default: (void)fputc((unsigned char)*text < 0x20 ? ' ' : *text, to); /* XML has no others below */
        }
    }
}

/* A finding is a test that failed. */
static bool put_case(FILE *to, const kerr_finding *f, const place_source *places, tool_error *error)
{
    const kerr_place place = place_of(places, &f->access);
    char text[TEXT_BYTES], *details = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&details, &size);
    if (memory == NULL) {
        return tool_fail(error, "out of memory");
    }
    (void)kerr_finding_format(f, text, sizeof text);
    finding_details(memory, "", f, places);
    (void)fclose(memory);
    (void)fprintf(to, "    <testcase classname=\"kerr.%s\" name=\"", kerr_finding_name(f->kind));
    put_xml(to, text);
    (void)fprintf(to, "\"");
    if (place.file != NULL) {
        (void)fprintf(to, " file=\"");
        put_xml(to, place.file);
        (void)fprintf(to, "\" line=\"%d\"", place.line);
    }
    (void)fprintf(to, ">\n      <failure type=\"%s\" message=\"", kerr_finding_name(f->kind));
    put_xml(to, f->text[0] != '\0' ? f->text : text);
    (void)fprintf(to, "\">");
    put_xml(to, details != NULL ? details : "");
    (void)fprintf(to, "</failure>\n    </testcase>\n");
    free(details);
    return true;
}

static bool write_junit(FILE *to, const finding_list *list, const place_source *places, tool_error *error)
{
    const uint32_t tests = list->count > 0 ? list->count : 1;
    (void)fprintf(to,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"%" PRIu32 "\" failures=\"%" PRIu32
                  "\">\n  <testsuite name=\"kerr\" tests=\"%" PRIu32 "\" failures=\"%" PRIu32
                  "\" errors=\"0\" skipped=\"0\">\n",
                  tests, list->count, tests, list->count);
    bool good = true;
    for (uint32_t i = 0; i < list->count && good; i++) {
        select_finding(places, i);
        good = put_case(to, &list->of[i], places, error);
    }
    if (list->count == 0) {
        (void)fprintf(to, "    <testcase classname=\"kerr\" name=\"nothing was found\"/>\n");
    }
    (void)fprintf(to, "  </testsuite>\n</testsuites>\n");
    return good;
}

/* ---- Files --------------------------------------------------------------------------------------------------------- */

static bool ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), most = strlen(ending);
    return length >= most && strcasecmp(path + length - most, ending) == 0;
}

static writer writer_of(const char *path)
{
    return ends_in(path, ".sarif") || ends_in(path, ".sarif.json") ? write_sarif
           : ends_in(path, ".xml")                                 ? write_junit
                                                                   : write_lines;
}

bool findings_write(const char *path, const finding_list *list, const place_source *places, tool_error *error)
{
    const bool here = strcmp(path, "-") == 0;
    FILE *to = here ? stdout : fopen(path, "w");
    if (to == NULL) {
        return tool_fail(error, "findings cannot be written to %s: %s", path, strerror(errno));
    }
    bool good = writer_of(path)(to, list, places, error);
    if ((here ? fflush(to) : fclose(to)) != 0) {
        good = tool_fail(error, "findings cannot be written to %s: %s", path, strerror(errno));
    }
    return good;
}

uint32_t findings_that_fail(const finding_list *list)
{
    uint32_t count = list->dropped;
    for (uint32_t i = 0; i < list->count; i++) {
        count += list->of[i].severity != KERR_SEVERITY_NOTE;
    }
    return count;
}
