/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal of kerr top: a picture of lines is put on it as a whole, keys come back.  Lines have their styles inside, as single
 * bytes, so that they can be cut and shown plain. */
#ifndef KERR_TOOLS_TOP_SCREEN_H
#define KERR_TOOLS_TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

enum { TOP_LINES = 64, TOP_LINE_BYTES = 512 };

#define TOP_NORMAL "\x01"
#define TOP_DIM "\x02"
#define TOP_GREEN "\x03"
#define TOP_YELLOW "\x04"
#define TOP_RED "\x05"
#define TOP_BOLD "\x06"
#define TOP_REVERSE "\x0e"

typedef struct top_frame {
    char line[TOP_LINES][TOP_LINE_BYTES];
    unsigned count;
} top_frame;
/* A line more; further text to the last one. */
void frame_line(top_frame *frame, const char *format, ...) __attribute__((format(printf, 2, 3)));
void frame_add(top_frame *frame, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef enum top_key {
    TOP_KEY_NONE = 0, /* the time is over */
    TOP_KEY_UP,
    TOP_KEY_DOWN,
    TOP_KEY_LEFT,
    TOP_KEY_RIGHT,
    TOP_KEY_ENTER,
    TOP_KEY_BACK,
    TOP_KEY_PAUSE,
    TOP_KEY_QUIT,   /* q, Ctrl-C, a signal, or the terminal is gone */
    TOP_KEY_RESIZE, /* the picture is to be put again */
    TOP_KEY_OTHER,
} top_key;

typedef struct top_screen {
    bool terminal; /* keys and the whole screen; else pictures one below the other */
    bool colours;
    struct termios before;
} top_screen;

/* wanted: if standard input and output are a terminal.  Colours: not with NO_COLOR. */
void screen_open(top_screen *screen, bool wanted, bool plain);
void screen_close(top_screen *screen);
void screen_put(const top_screen *screen, const top_frame *frame);
/* Waits so long for a key. */
top_key screen_key(const top_screen *screen, double seconds);

#endif
