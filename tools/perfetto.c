/* SPDX-License-Identifier: Apache-2.0 */
#include "perfetto.h"

#include <stdlib.h>
#include <string.h>

/* ---- Wire format: a message is a row of fields, a field its number and kind, then a value -------------------- */

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

/* Field numbers, as the .proto files have them. */
enum {
    TRACE_PACKET = 1,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE_ID = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED_DATA = 12,
    PACKET_SEQUENCE_FLAGS = 13,
    PACKET_TRACK_DESCRIPTOR = 60,
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_PARENT_UUID = 5,
    TRACK_CHILD_ORDERING = 11,
    TRACK_SIBLING_ORDER_RANK = 12,
    PROCESS_PID = 1,
    PROCESS_NAME = 6,
    EVENT_DEBUG_ANNOTATIONS = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK_UUID = 11,
    EVENT_FLOW_IDS = 47,
    EVENT_TERMINATING_FLOW_IDS = 48,
    INTERNED_EVENT_NAMES = 2,
    INTERNED_ANNOTATION_NAMES = 3,
    INTERNED_IID = 1,
    INTERNED_NAME = 2,
    ANNOTATION_NAME_IID = 1,
    ANNOTATION_UINT = 3,
    ANNOTATION_STRING = 6,
};
enum { TYPE_SLICE_BEGIN = 1, TYPE_SLICE_END = 2, TYPE_INSTANT = 3 };
enum { STATE_CLEARED = 1, NEEDS_STATE = 2, ORDER_EXPLICIT = 3, OUR_SEQUENCE = 1 };

enum { TEXT_MAX = 255, MESSAGE_MAX = 2048 };
typedef struct message { /* of which only the first `size` bytes are ever looked at */
    size_t size;
    uint8_t bytes[MESSAGE_MAX];
} message;
/* The largest packet: a name and the texts of all details, and at most 32 bytes of numbers for each thing in it. */
_Static_assert((PERFETTO_DETAILS + 1) * (TEXT_MAX + 32) + 256 <= MESSAGE_MAX, "every packet fits");

static void put_varint(message *to, uint64_t value)
{
    while (value >= 0x80) {
        to->bytes[to->size++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    to->bytes[to->size++] = (uint8_t)value;
}

static void put_number(message *to, unsigned field, uint64_t value)
{
    put_varint(to, field << 3 | WIRE_VARINT);
    put_varint(to, value);
}

static void put_fixed64(message *to, unsigned field, uint64_t value)
{
    put_varint(to, field << 3 | WIRE_FIXED64);
    for (unsigned i = 0; i < 8; i++) {
        to->bytes[to->size++] = (uint8_t)(value >> 8 * i);
    }
}

static void put_bytes(message *to, unsigned field, const void *bytes, size_t size)
{
    put_varint(to, field << 3 | WIRE_BYTES);
    put_varint(to, size);
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void put_text(message *to, unsigned field, const char *text)
{
    const size_t size = strlen(text);
    put_bytes(to, field, text, size < TEXT_MAX ? size : TEXT_MAX);
}

static void put_message(message *to, unsigned field, const message *inner)
{
    put_bytes(to, field, inner->bytes, inner->size);
}

static void write_packet(perfetto *p, const message *packet)
{
    message head;
    head.size = 0;
    put_varint(&head, TRACE_PACKET << 3 | WIRE_BYTES);
    put_varint(&head, packet->size);
    if (fwrite(head.bytes, 1, head.size, p->file) != head.size ||
        fwrite(packet->bytes, 1, packet->size, p->file) != packet->size) {
        p->failed = true;
    }
    p->packets++;
}

/* ---- Names that are written once ------------------------------------------------------------------------------ */

static void write_name(perfetto *p, unsigned table, uint32_t iid, const char *text)
{
    message name, data, packet;
    name.size = data.size = packet.size = 0;
    put_number(&name, INTERNED_IID, iid);
    put_text(&name, INTERNED_NAME, text);
    put_message(&data, table, &name);
    put_number(&packet, PACKET_SEQUENCE_ID, OUR_SEQUENCE);
    put_number(&packet, PACKET_SEQUENCE_FLAGS, NEEDS_STATE);
    put_message(&packet, PACKET_INTERNED_DATA, &data);
    write_packet(p, &packet);
}

static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261u;
    while (*text != '\0') {
        hash = (hash ^ (uint8_t)*text++) * 16777619u;
    }
    return hash;
}

static perfetto_name *place_of(perfetto_name *names, uint32_t room, const char *text)
{
    uint32_t i = hash_of(text) & (room - 1);
    while (names[i].text != NULL && strcmp(names[i].text, text) != 0) {
        i = (i + 1) & (room - 1);
    }
    return &names[i];
}

static bool grow(perfetto *p)
{
    const uint32_t room = p->name_room * 2;
    perfetto_name *names = calloc(room, sizeof *names);
    if (names == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < p->name_room; i++) {
        if (p->names[i].text != NULL) {
            *place_of(names, room, p->names[i].text) = p->names[i];
        }
    }
    free(p->names);
    p->names = names;
    p->name_room = room;
    return true;
}

/* The number of an event's name; 0: out of memory. */
static uint32_t iid_of_name(perfetto *p, const char *text)
{
    if (p->name_count * 2 >= p->name_room && !grow(p)) {
        p->failed = true;
        return 0;
    }
    perfetto_name *place = place_of(p->names, p->name_room, text);
    if (place->text == NULL) {
        place->text = strdup(text);
        if (place->text == NULL) {
            p->failed = true;
            return 0;
        }
        place->iid = ++p->name_count;
        write_name(p, INTERNED_EVENT_NAMES, place->iid, text);
    }
    return place->iid;
}

static uint32_t iid_of_detail(perfetto *p, const char *literal)
{
    for (uint32_t i = 0; i < p->detail_count; i++) {
        if (p->details[i] == literal || strcmp(p->details[i], literal) == 0) {
            return i + 1;
        }
    }
    if (p->detail_count == sizeof p->details / sizeof *p->details) {
        p->failed = true; /* a bug of ours: there are not so many */
        return 0;
    }
    p->details[p->detail_count++] = literal;
    write_name(p, INTERNED_ANNOTATION_NAMES, p->detail_count, literal);
    return p->detail_count;
}

/* ---- Tracks ----------------------------------------------------------------------------------------------------- */

bool perfetto_begin(perfetto *p, FILE *file)
{
    *p = (perfetto){.file = file, .name_room = 256};
    p->names = calloc(p->name_room, sizeof *p->names);
    if (p->names == NULL) {
        return false;
    }
    message packet;
    packet.size = 0;
    put_number(&packet, PACKET_SEQUENCE_ID, OUR_SEQUENCE);
    put_number(&packet, PACKET_SEQUENCE_FLAGS, STATE_CLEARED);
    write_packet(p, &packet);
    return true;
}

bool perfetto_end(perfetto *p)
{
    for (uint32_t i = 0; p->names != NULL && i < p->name_room; i++) {
        free(p->names[i].text);
    }
    free(p->names);
    p->names = NULL;
    return !p->failed;
}

static void write_descriptor(perfetto *p, const message *descriptor)
{
    message packet;
    packet.size = 0;
    put_number(&packet, PACKET_SEQUENCE_ID, OUR_SEQUENCE);
    put_message(&packet, PACKET_TRACK_DESCRIPTOR, descriptor);
    write_packet(p, &packet);
}

uint64_t perfetto_process(perfetto *p, const char *name, unsigned pid)
{
    message process, descriptor;
    process.size = descriptor.size = 0;
    put_number(&process, PROCESS_PID, pid);
    put_text(&process, PROCESS_NAME, name);
    put_number(&descriptor, TRACK_UUID, ++p->last_track);
    put_message(&descriptor, TRACK_PROCESS, &process);
    put_number(&descriptor, TRACK_CHILD_ORDERING, ORDER_EXPLICIT);
    write_descriptor(p, &descriptor);
    return p->last_track;
}

uint64_t perfetto_track(perfetto *p, uint64_t process, const char *name, unsigned rank)
{
    message descriptor;
    descriptor.size = 0;
    put_number(&descriptor, TRACK_UUID, ++p->last_track);
    put_number(&descriptor, TRACK_PARENT_UUID, process);
    put_text(&descriptor, TRACK_NAME, name);
    put_number(&descriptor, TRACK_SIBLING_ORDER_RANK, rank);
    write_descriptor(p, &descriptor);
    return p->last_track;
}

/* ---- Events ----------------------------------------------------------------------------------------------------- */

static uint64_t nanoseconds(uint64_t cycle)
{
    return cycle / 27 * 20 + cycle % 27 * 20 / 27;
}

static void put_detail(perfetto *p, message *event, const perfetto_detail *detail)
{
    message annotation;
    annotation.size = 0;
    put_number(&annotation, ANNOTATION_NAME_IID, iid_of_detail(p, detail->name));
    if (detail->text != NULL) {
        put_text(&annotation, ANNOTATION_STRING, detail->text);
    } else {
        put_number(&annotation, ANNOTATION_UINT, detail->number);
    }
    put_message(event, EVENT_DEBUG_ANNOTATIONS, &annotation);
}

static void write_event(perfetto *p, unsigned type, const perfetto_event *from)
{
    static const char cycle_name[] = "cycle";
    message event, packet;
    event.size = packet.size = 0;
    put_number(&event, EVENT_TYPE, type);
    put_number(&event, EVENT_TRACK_UUID, from->track);
    if (from->name != NULL) {
        put_number(&event, EVENT_NAME_IID, iid_of_name(p, from->name));
    }
    if (from->flow != 0) {
        put_fixed64(&event, EVENT_FLOW_IDS, from->flow);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (from->arrives[i] != 0) {
            put_fixed64(&event, EVENT_TERMINATING_FLOW_IDS, from->arrives[i]);
        }
    }
    if (type != TYPE_SLICE_END) { /* whose annotations would replace those of the begin */
        put_detail(p, &event, &(perfetto_detail){.name = cycle_name, .number = from->cycle});
    }
    for (unsigned i = 0; i < PERFETTO_DETAILS && from->detail[i].name != NULL; i++) {
        put_detail(p, &event, &from->detail[i]);
    }
    put_number(&packet, PACKET_TIMESTAMP, nanoseconds(from->cycle));
    put_number(&packet, PACKET_SEQUENCE_ID, OUR_SEQUENCE);
    put_number(&packet, PACKET_SEQUENCE_FLAGS, NEEDS_STATE);
    put_message(&packet, PACKET_TRACK_EVENT, &event);
    write_packet(p, &packet);
}

void perfetto_slice_begin(perfetto *p, const perfetto_event *event)
{
    write_event(p, TYPE_SLICE_BEGIN, event);
}

void perfetto_slice_end(perfetto *p, uint64_t track, uint64_t cycle)
{
    static const char end_name[] = "end cycle";
    write_event(p, TYPE_SLICE_END,
                &(perfetto_event){.track = track, .cycle = cycle, .detail = {{.name = end_name, .number = cycle}}});
}

void perfetto_instant(perfetto *p, const perfetto_event *event)
{
    write_event(p, TYPE_INSTANT, event);
}

uint64_t perfetto_new_flow(perfetto *p)
{
    return ++p->last_flow;
}
