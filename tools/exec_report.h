/* SPDX-License-Identifier: Apache-2.0 */
/* kerr exec --report: one HTML file with everything in it, pictures as SVG, nothing to load from anywhere. */
#ifndef KERR_TOOLS_EXEC_REPORT_H
#define KERR_TOOLS_EXEC_REPORT_H

#include "exec_post.h"
#include "exec_totals.h"
#include "tool_error.h"

bool exec_report_write(const char *path, const char *program, exec_totals *totals, const exec_posts *posts,
                       tool_error *error);

#endif
