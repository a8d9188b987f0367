/* SPDX-License-Identifier: Apache-2.0 */
#include "svg_text.h"

#include <stdbool.h>
#include <string.h>

enum { FIRST = ' ', UNIT = 1000 };

/* How far each character of ASCII reaches, from the space on, in thousandths of the font size: DejaVu Sans. */
static const short advance[] = {318,  401, 460, 838, 637, 951, 780, 275, 391, 391, 500, 838, 318, 361, 318, 337,
                                637,  637, 637, 637, 637, 637, 637, 637, 637, 637, 337, 337, 838, 838, 838, 531,
                                1000, 685, 687, 699, 771, 632, 576, 775, 752, 295, 295, 656, 558, 863, 749, 788,
                                604,  788, 695, 635, 611, 732, 685, 989, 686, 611, 686, 391, 337, 391, 838, 500,
                                500,  613, 635, 550, 635, 616, 353, 635, 634, 278, 278, 580, 278, 975, 634, 612,
                                635,  635, 412, 521, 393, 634, 592, 818, 592, 592, 525, 637, 337, 637, 838};

static int advance_of(char c)
{
    const unsigned char byte = (unsigned char)c;
    if (byte < FIRST || (byte & 0xC0) == 0x80) { /* not drawn, or a later byte of a character */
        return 0;
    }
    return byte - FIRST < (int)(sizeof advance / sizeof *advance) ? advance[byte - FIRST] : UNIT;
}

static int width_of(const char *text, size_t length, int size)
{
    int sum = 0;
    for (size_t i = 0; i < length; i++) {
        sum += advance_of(text[i]) * size;
    }
    return (sum + UNIT - 1) / UNIT;
}

static int line_height(int size)
{
    return size + (size + 2) / 3;
}

size_t svg_line(const char *text, int size, int most)
{
    size_t word = 0, sign = 0, i = 0;
    for (int sum = 0; text[i] != '\0'; i++) {
        sum += advance_of(text[i]) * size;
        if (text[i] == ' ') {
            word = i + 1;
        } else if (sum > most * UNIT && ((unsigned char)text[i] & 0xC0) != 0x80) {
            /* A word that is longer than half a line is cut at a sign. */
            return sign > word && width_of(text, word, size) < most / 2 ? sign : word != 0 ? word : i != 0 ? i : 1;
        }
        if (strchr("/,;=-", text[i]) != NULL) {
            sign = i + 1;
        }
    }
    return i;
}

static size_t without_space(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    return length;
}

svg_area svg_measure(const char *text, int size, int most)
{
    svg_area area = {0, 0};
    while (*text != '\0') {
        const size_t length = svg_line(text, size, most);
        const int width = width_of(text, without_space(text, length), size);
        area.width = width > area.width ? width : area.width;
        area.height += line_height(size);
        text += length;
    }
    return area;
}

static void put_escaped(FILE *to, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        switch (text[i]) {
        case '<': (void)fputs("&lt;", to); break;
        case '>': (void)fputs("&gt;", to); break;
        case '&': (void)fputs("&amp;", to); break;
        case '"': (void)fputs("&quot;", to); break;
        default:
            if ((unsigned char)text[i] >= ' ') {
                (void)fputc(text[i], to);
            }
        }
    }
}

int svg_put(FILE *to, const char *attributes, const char *text, int size, int most, int x, int y)
{
    int done = 0;
    while (*text != '\0') {
        const size_t length = svg_line(text, size, most);
        (void)fprintf(to, "<text x=\"%d\" y=\"%d\" font-size=\"%d\"%s%s>", x, y + done + size, size,
                      attributes[0] != '\0' ? " " : "", attributes);
        put_escaped(to, text, without_space(text, length));
        (void)fputs("</text>\n", to);
        done += line_height(size);
        text += length;
    }
    return done;
}
