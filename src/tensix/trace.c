/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/trace.h"

void tensix_trace_emit(const struct tile *tile, const kerr_trace_tensix *record)
{
    const kerr_trace_event event = {
        .cycle = record->begin, .at = tile->at, .kind = KERR_TRACE_TENSIX, .tensix = record};
    tile->environment->trace(tile->environment->trace_context, &event);
}
