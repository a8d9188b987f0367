/* SPDX-License-Identifier: Apache-2.0 */
/* The verbs.  Each gets the arguments behind its name and returns the exit status. */
#ifndef KERR_TOOLS_VERBS_H
#define KERR_TOOLS_VERBS_H

#include "options.h"
#include "tool_error.h"

/* Prints "kerr VERB: sentence" and returns EXIT_BAD_INPUT. */
int verb_refuse(verb_id verb, const tool_error *error);

int run_main(int count, char *const *arguments);
int profile_main(int count, char *const *arguments);
int show_main(int count, char *const *arguments);
int shrink_main(int count, char *const *arguments);
int exec_main(int count, char *const *arguments);
int replay_main(int count, char *const *arguments);
int gdb_main(int count, char *const *arguments);
int top_main(int count, char *const *arguments);
int attach_main(int count, char *const *arguments);
int state_main(int count, char *const *arguments);
int diff_main(int count, char *const *arguments);
int last_write_main(int count, char *const *arguments);
int info_main(int count, char *const *arguments);
int explain_main(int count, char *const *arguments);
int why_main(int count, char *const *arguments);
int dis_main(int count, char *const *arguments);
int asm_main(int count, char *const *arguments);

#endif
