/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: any bytes as what comes in at a simulation's socket.  What is asked for is answered, or refused with a sentence,
 * and the chip is what it was. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/attach/answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { REQUESTS = 4, HASHED = 1000 };

static void require(bool truth)
{
    if (!truth) {
        abort();
    }
}

static uint64_t hash_of(const kerr_chip *chip)
{
    uint64_t hash = 0;
    require(kerr_hash(chip, &hash) == KERR_OK);
    return hash;
}

/* One that has run a while; requests must not change it, so it does for all inputs. */
static kerr_chip *make_chip(void)
{
    static kerr_chip *chip;
    /* li a0, 0; addi a0, a0, 1; sw a0, 64(zero); j -8 */
    static const uint32_t program[] = {0x00000513, 0x00150513, 0x04A02023, 0xFF9FF06F};
    if (chip == NULL) {
        const kerr_xy at = kerr_tensix_xy(0);
        require(kerr_create(NULL, &chip) == KERR_OK && kerr_poke(chip, at, 0, program, sizeof program) == KERR_OK &&
                kerr_core_start(chip, at, KERR_CORE_B, 0) == KERR_OK && kerr_run(chip, 1000) == KERR_OK);
    }
    return chip;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint64_t before;
    static unsigned inputs;
    const kerr_chip *chip = make_chip();
    before = before != 0 ? before : hash_of(chip);
    kerr_attach_status status = {.has_chip = 1};
    answer_status(chip, &status);
    for (unsigned i = 0; i < REQUESTS && size > 0; i++) {
        kerr_attach_request request;
        kerr_attach_result result;
        const size_t taken = request_parse(data, size, &request, &result);
        require(taken <= size);
        if (taken == 0 || result != KERR_ATTACH_OK) {
            break;
        }
        reply_bytes reply = {0};
        /* Every other one as of a host that has no chip. */
        result = answer_request(i % 2 == 0 ? chip : NULL, &request, &status, &reply);
        require(!reply.failed && reply.size <= KERR_ATTACH_REPLY_MOST && (result == KERR_ATTACH_OK || reply.size > 8));
        free(reply.data);
        data += taken;
        size -= taken;
    }
    uint64_t cycle = 0;
    (void)kerr_cycle(chip, &cycle);
    require(cycle == 1000 && (++inputs % HASHED != 0 || hash_of(chip) == before)); /* a hash takes time */
    return 0;
}
