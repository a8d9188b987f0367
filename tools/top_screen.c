/* SPDX-License-Identifier: Apache-2.0 */
#include "top_screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { ROWS_DEFAULT = 24, COLUMNS_DEFAULT = 80, ESCAPE = 27, ESCAPE_MS = 40, CTRL_C = 3 };

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

static void append(top_frame *frame, const char *format, va_list arguments)
{
    char *line = frame->line[frame->count - 1];
    const size_t used = strlen(line);
    (void)vsnprintf(line + used, TOP_LINE_BYTES - used, format, arguments);
}

void frame_line(top_frame *frame, const char *format, ...)
{
    va_list arguments;
    if (frame->count == TOP_LINES) {
        return;
    }
    frame->line[frame->count++][0] = '\0';
    va_start(arguments, format);
    append(frame, format, arguments);
    va_end(arguments);
}

void frame_add(top_frame *frame, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(frame, format, arguments);
    va_end(arguments);
}

/* ---- Out -------------------------------------------------------------------------------------------------------- */

/* What a style is to a terminal; NULL: not a style. */
static const char *style(char byte)
{
    switch (byte) {
    case 1: return "\033[0m";
    case 2: return "\033[2m";
    case 3: return "\033[32m";
    case 4: return "\033[33m";
    case 5: return "\033[1;31m";
    case 6: return "\033[1m";
    case 14: return "\033[7m";
    default: return NULL;
    }
}

static size_t put_text(char *to, size_t room, const char *text)
{
    const size_t length = strlen(text);
    if (length > room) {
        return 0;
    }
    memcpy(to, text, length);
    return length;
}

/* At most so many columns; whatever is not ASCII comes from outside and is a question mark. */
static size_t put_line(const top_screen *screen, char *to, size_t room, const char *line, int columns)
{
    size_t size = 0;
    for (int at = 0; *line != '\0'; line++) {
        const char *code = style(*line);
        if (code != NULL) {
            size += screen->colours ? put_text(to + size, room - size, code) : 0;
        } else if (at < columns && size < room) {
            to[size++] = *line >= ' ' && *line < 127 ? *line : '?';
            at++;
        }
    }
    return size + (screen->colours ? put_text(to + size, room - size, "\033[0m") : 0);
}

static void write_all(const char *text, size_t size)
{
    while (size > 0) {
        const ssize_t n = write(STDOUT_FILENO, text, size);
        if (n <= 0 && !(n < 0 && errno == EINTR)) {
            return; /* a terminal that is gone shows nothing; the next key says so */
        }
        text += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
}

static struct winsize size_now(void)
{
    struct winsize size = {0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) {
        size = (struct winsize){.ws_row = ROWS_DEFAULT, .ws_col = COLUMNS_DEFAULT};
    }
    return size;
}

/* In one write, each line cleared behind what it says, so that nothing flickers.  The last line of a picture has the keys: of one
 * that is too long it stays. */
void screen_put(const top_screen *screen, const top_frame *frame)
{
    static char out[TOP_LINES * (TOP_LINE_BYTES + 256)];
    const struct winsize window = size_now();
    const unsigned rows = screen->terminal ? window.ws_row : TOP_LINES;
    const int columns = screen->terminal ? window.ws_col : TOP_LINE_BYTES;
    size_t size = screen->terminal ? put_text(out, sizeof out, "\033[H") : 0;
    for (unsigned i = 0; i < frame->count && i < rows; i++) {
        const unsigned from = i + 1 == rows ? frame->count - 1 : i;
        size += put_line(screen, out + size, sizeof out - size - 16, frame->line[from], columns);
        size += put_text(out + size, sizeof out - size, screen->terminal ? "\033[K" : "");
        if (!screen->terminal || (i + 1 < frame->count && i + 1 < rows)) {
            size += put_text(out + size, sizeof out - size, screen->terminal ? "\r\n" : "\n");
        }
    }
    size += put_text(out + size, sizeof out - size, screen->terminal ? "\033[J" : "");
    write_all(out, size);
}

/* ---- Life ------------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t ended, resized;

static void note_end(int number)
{
    (void)number;
    ended = 1;
}

static void note_resize(int number)
{
    (void)number;
    resized = 1;
}

void screen_open(top_screen *screen, bool wanted, bool plain)
{
    const char *no_colour = getenv("NO_COLOR"), *kind = getenv("TERM");
    const bool dumb = kind == NULL || strcmp(kind, "dumb") == 0;
    *screen = (top_screen){.terminal = wanted && !dumb && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)};
    screen->colours = !plain && !dumb && isatty(STDOUT_FILENO) && (no_colour == NULL || *no_colour == '\0');
    struct sigaction action = {.sa_handler = note_end};
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
    action.sa_handler = note_resize;
    (void)sigaction(SIGWINCH, &action, NULL);
    if (!screen->terminal || tcgetattr(STDIN_FILENO, &screen->before) != 0) {
        screen->terminal = false;
        return;
    }
    struct termios raw = screen->before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    write_all("\033[?1049h\033[?25l\033[2J", 18); /* the other screen, no cursor */
}

void screen_close(top_screen *screen)
{
    if (screen->terminal) {
        write_all("\033[?25h\033[?1049l", 14);
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &screen->before);
        screen->terminal = false;
    }
}

/* ---- Keys ------------------------------------------------------------------------------------------------------- */

/* A byte within so many milliseconds; -1: none, -2: there is nobody any more. */
static int next_byte(int milliseconds)
{
    struct pollfd look = {.fd = STDIN_FILENO, .events = POLLIN};
    unsigned char byte;
    const int n = poll(&look, 1, milliseconds);
    if (n <= 0) {
        return -1;
    }
    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : -2;
}

/* ESC [ A and the like; ESC alone is a key too. */
static top_key after_escape(void)
{
    const int bracket = next_byte(ESCAPE_MS);
    if (bracket < 0) {
        return TOP_KEY_BACK;
    }
    switch (bracket == '[' || bracket == 'O' ? next_byte(ESCAPE_MS) : 0) {
    case 'A': return TOP_KEY_UP;
    case 'B': return TOP_KEY_DOWN;
    case 'C': return TOP_KEY_RIGHT;
    case 'D': return TOP_KEY_LEFT;
    default: return TOP_KEY_OTHER;
    }
}

top_key screen_key(const top_screen *screen, double seconds)
{
    if (!screen->terminal) {
        (void)poll(NULL, 0, (int)(seconds * 1000));
        return ended ? TOP_KEY_QUIT : TOP_KEY_NONE;
    }
    const int byte = resized ? -1 : next_byte((int)(seconds * 1000)); /* a key that comes meanwhile is not lost */
    if (ended || byte == -2) {
        return TOP_KEY_QUIT;
    }
    if (resized && byte == -1) {
        resized = 0;
        return TOP_KEY_RESIZE;
    }
    switch (byte) {
    case -1: return TOP_KEY_NONE;
    case ESCAPE: return after_escape();
    case '\r':
    case '\n': return TOP_KEY_ENTER;
    case 'k': return TOP_KEY_UP;
    case 'j': return TOP_KEY_DOWN;
    case 'h': return TOP_KEY_LEFT;
    case 'l': return TOP_KEY_RIGHT;
    case 'p': return TOP_KEY_PAUSE;
    case 'q':
    case CTRL_C: return TOP_KEY_QUIT;
    default: return TOP_KEY_OTHER;
    }
}
