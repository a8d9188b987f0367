/* SPDX-License-Identifier: Apache-2.0 */
/* What `kerr exec` says when its program is over. */
#ifndef KERR_TOOLS_EXEC_SUMMARY_H
#define KERR_TOOLS_EXEC_SUMMARY_H

#include <stdio.h>

#include "exec_totals.h"
#include "findings.h"

void summary_print(FILE *to, exec_totals *totals);
/* Faults and what checks found, to be freed with findings_free, and who knows where their code comes from. */
bool summary_findings(exec_totals *totals, finding_list *list, place_source *places, tool_error *error);
/* "T0 T1 T2": of KERR_STATS_CORE bits. */
void cores_format(uint32_t cores, char *text, size_t size);
uint32_t tiles_count(const uint64_t tiles[3]);

#endif
