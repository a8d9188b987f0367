/* SPDX-License-Identifier: Apache-2.0 */
/* What the reports have in common: one HTML file with everything in it, nothing to load from anywhere. */
#ifndef KERR_TOOLS_HTML_H
#define KERR_TOOLS_HTML_H

#include <stdio.h>

/* Up to <body>. */
void html_begin(FILE *to, const char *title);
void html_text(FILE *to, const char *text);
/* 0 to 1, from nearly white to a deep red over yellow: "#fd8d3c".  0 is grey. */
void html_colour(FILE *to, double part);
/* A bar of these colours with numbers: 0 % to 100 %. */
void html_colour_bar(FILE *to);
/* The note at the end, and </html>. */
void html_end(FILE *to, const char *page);

#endif
