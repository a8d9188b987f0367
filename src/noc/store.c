/* SPDX-License-Identifier: Apache-2.0 */
/* Where packets live.  One mapping without reserved swap, cut into blocks of four sizes; what was never used costs
 * nothing.  Each worker keeps a stack of unused blocks, so that taking and giving back needs no lock. */
#include "noc/packet.h"

#include <string.h>
#include <sys/mman.h>

static const uint32_t class_bytes[NOC_SIZE_CLASSES] = {192, 1152, 4224, 16512}; /* of a block */
static const uint32_t class_count[NOC_SIZE_CLASSES] = {1 << 18, 1 << 15, 1 << 14, 1 << 14};
_Static_assert(192 % NOC_REF_BYTES == 0 && 1152 % NOC_REF_BYTES == 0 && 4224 % NOC_REF_BYTES == 0 &&
                   16512 % NOC_REF_BYTES == 0,
               "packet_ref counts in these units");
enum { FEW = 16, MANY = 256, LET_GO = 4096 };

static unsigned class_for(uint32_t bytes)
{
    unsigned c = 0;
    while (c < NOC_SIZE_CLASSES - 1 && sizeof(noc_packet) + bytes > class_bytes[c]) {
        c++;
    }
    return c;
}

/* The first block of a class. */
static uint32_t class_start(unsigned size_class)
{
    uint32_t bytes = 0;
    for (unsigned c = 0; c < size_class; c++) {
        bytes += class_bytes[c] * class_count[c];
    }
    return bytes / NOC_REF_BYTES;
}

noc_packet *noc_packet_new(noc_store *store, uint32_t bytes, packet_ref *ref)
{
    const unsigned c = class_for(bytes);
    if (store->unused_count[c] != 0) {
        *ref = store->unused[c][--store->unused_count[c]];
    } else {
        const uint32_t n = __atomic_fetch_add(&store->first_unused[c], 1, __ATOMIC_RELAXED);
        if (n >= class_count[c]) {
            __atomic_fetch_sub(&store->first_unused[c], 1, __ATOMIC_RELAXED);
            *ref = NO_PACKET;
            return NULL;
        }
        *ref = class_start(c) + n * (class_bytes[c] / NOC_REF_BYTES);
    }
    noc_packet *packet = noc_packet_at(store, *ref);
    memset(packet, 0, sizeof *packet);
    packet->size_class = (uint8_t)c;
    packet->holders = 1;
    return packet;
}

void noc_packet_release(noc_store *store, packet_ref ref)
{
    noc_packet *packet = noc_packet_at(store, ref);
    /* Acquire: whoever gives the block back comes after all that the other holders have read of it. */
    if (__atomic_load_n(&packet->holders, __ATOMIC_ACQUIRE) > 1) {
        /* An atomic operation would wait for all of the packet's data to be written: not now, if there is room. */
        if (store->let_go_count < LET_GO) {
            store->let_go[store->let_go_count++] = ref;
            return;
        }
        if (__atomic_sub_fetch(&packet->holders, 1, __ATOMIC_ACQ_REL) != 0) {
            return;
        }
    }
    const unsigned c = packet->size_class;
    store->unused[c][store->unused_count[c]++] = ref;
}

/* Nobody else is at work. */
static void let_go(noc_store *store)
{
    for (uint32_t i = 0; i < store->let_go_count; i++) {
        const packet_ref ref = store->let_go[i];
        noc_packet *packet = noc_packet_at(store, ref);
        if (--packet->holders == 0) {
            const unsigned c = packet->size_class;
            store->unused[c][store->unused_count[c]++] = ref;
        }
    }
    store->let_go_count = 0;
}

static void *map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    return memory;
}

static size_t blocks_bytes(void)
{
    size_t bytes = 4096; /* first_unused */
    for (unsigned c = 0; c < NOC_SIZE_CLASSES; c++) {
        bytes += (size_t)class_bytes[c] * class_count[c];
    }
    return bytes;
}

static size_t stack_bytes(void)
{
    size_t bytes = 0;
    for (unsigned c = 0; c < NOC_SIZE_CLASSES; c++) {
        bytes += class_count[c] * sizeof(packet_ref);
    }
    return bytes + LET_GO * sizeof(packet_ref);
}

bool noc_stores_create(noc_store *stores, uint32_t count)
{
    memset(stores, 0, count * sizeof *stores);
    uint8_t *blocks = map(blocks_bytes());
    packet_ref *stacks = map(stack_bytes() * count);
    if (blocks == NULL || stacks == NULL) {
        if (blocks != NULL) {
            munmap(blocks, blocks_bytes());
        }
        if (stacks != NULL) {
            munmap(stacks, stack_bytes() * count);
        }
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        stores[i].first_unused = (uint32_t *)(void *)blocks;
        stores[i].blocks = blocks + 4096;
        for (unsigned c = 0; c < NOC_SIZE_CLASSES; c++) {
            stores[i].unused[c] = stacks;
            stacks += class_count[c];
        }
        stores[i].let_go = stacks;
        stacks += LET_GO;
    }
    return true;
}

void noc_stores_destroy(noc_store *stores, uint32_t count)
{
    if (stores[0].first_unused != NULL) {
        munmap(stores[0].first_unused, blocks_bytes());
        munmap(stores[0].unused[0], stack_bytes() * count);
    }
    memset(stores, 0, count * sizeof *stores);
}

void noc_stores_clear(noc_store *stores, uint32_t count)
{
    madvise(stores[0].first_unused, blocks_bytes(), MADV_DONTNEED);
    madvise(stores[0].unused[0], stack_bytes() * count, MADV_DONTNEED);
    for (uint32_t i = 0; i < count; i++) {
        memset(stores[i].unused_count, 0, sizeof stores[i].unused_count);
        stores[i].let_go_count = 0;
    }
}

void noc_stores_balance(noc_store *stores, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        let_go(&stores[i]);
    }
    for (uint32_t poor = 0; poor < count; poor++) {
        for (unsigned c = 0; c < NOC_SIZE_CLASSES; c++) {
            for (uint32_t rich = 0; rich < count && stores[poor].unused_count[c] < FEW; rich++) {
                if (stores[rich].unused_count[c] > MANY) {
                    const uint32_t half = stores[rich].unused_count[c] / 2;
                    stores[rich].unused_count[c] -= half;
                    memcpy(stores[poor].unused[c] + stores[poor].unused_count[c],
                           stores[rich].unused[c] + stores[rich].unused_count[c], half * sizeof(packet_ref));
                    stores[poor].unused_count[c] += half;
                }
            }
        }
    }
}
