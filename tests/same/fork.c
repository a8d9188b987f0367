/* SPDX-License-Identifier: Apache-2.0 */
/* A chip that has run on eight threads is forked twenty times; each child clocks on and ends with the parent's hash. */
#include "../support/tap.h"
#include "../support/workload.h"

#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 20, BEFORE = 5000, AFTER = 4000, TILES = 28 };

int main(void)
{
    tap t = {0};
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 8;
    kerr_chip *chip = chip_new(&config);
    workload_start_mix(chip, TILES, 42);
    MUST(chip, kerr_run(chip, BEFORE));
    int channel[CHILDREN][2];
    pid_t child[CHILDREN];
    for (unsigned i = 0; i < CHILDREN; i++) {
        if (pipe(channel[i]) != 0 || (child[i] = fork()) < 0) {
            perror("fork");
            return 1;
        }
        if (child[i] == 0) {
            MUST(chip, kerr_run(chip, AFTER));
            uint64_t hash = chip_hash(chip);
            _exit(write(channel[i][1], &hash, sizeof hash) == (ssize_t)sizeof hash ? 0 : 1);
        }
    }
    MUST(chip, kerr_run(chip, AFTER));
    uint64_t want = chip_hash(chip);
    for (unsigned i = 0; i < CHILDREN; i++) {
        uint64_t got = 0;
        int status = 0;
        close(channel[i][1]);
        bool good = read(channel[i][0], &got, sizeof got) == (ssize_t)sizeof got;
        waitpid(child[i], &status, 0);
        close(channel[i][0]);
        tap_ok(&t, good && status == 0 && got == want, "child %u ends with the parent's hash", i + 1);
    }
    kerr_destroy(chip);
    return tap_end(&t);
}
