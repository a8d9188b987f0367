/* SPDX-License-Identifier: Apache-2.0 */
/* Text in SVG, which neither measures nor wraps it: both are done here, by a table of glyph widths. */
#ifndef KERR_TOOLS_SVG_TEXT_H
#define KERR_TOOLS_SVG_TEXT_H

#include <stdio.h>

/* The fonts of the table; all others that a reader may have in their place are narrower. */
#define SVG_FONTS "DejaVu Sans,Verdana,sans-serif"

typedef struct svg_area {
    int width, height;
} svg_area;

/* How many characters of the text fill a line of `most` pixels in letters of `size`: up to a space, else behind a sign, else in
 * the middle of a word. */
size_t svg_line(const char *text, int size, int most);
/* The room that the text takes, wrapped. */
svg_area svg_measure(const char *text, int size, int most);
/* Puts it with its top left corner at x, y; each line is an element with these attributes.  Returns its height. */
int svg_put(FILE *to, const char *attributes, const char *text, int size, int most, int x, int y);

#endif
