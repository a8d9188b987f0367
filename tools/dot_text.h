/* SPDX-License-Identifier: Apache-2.0 */
/* Letters of 5 by 7 dots, for pictures. */
#ifndef KERR_TOOLS_DOT_TEXT_H
#define KERR_TOOLS_DOT_TEXT_H

#include "png.h"

enum { DOT_SIZE = 2, DOT_ADVANCE = 6 * DOT_SIZE, DOT_HEIGHT = 7 * DOT_SIZE, DOT_LINE = 10 * DOT_SIZE };

uint32_t dot_text_width(const char *text);
/* With its top left corner at x, y; ASCII, all else is a question mark. */
void dot_text(picture *to, uint32_t x, uint32_t y, const char *text, uint8_t dot);

#endif
