/* SPDX-License-Identifier: Apache-2.0 */
#include "html.h"

#include "kerr.h"

static const char head[] =
    "<style>\n"
    "body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 "
    "1em;color:#1c2430;background:#fff}\n"
    "h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em;border-bottom:1px solid #d5dae1;padding-bottom:.2em}\n"
    "h3{font-size:1em;margin:.3em 0}table{border-collapse:collapse;font-size:13px}table+table{margin-top:1em}\n"
    "td,th{padding:.2em .7em;border-bottom:1px solid #e6e9ee;text-align:left;vertical-align:top}\n"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "code,pre{font:12px/1.4 ui-monospace,monospace}pre{background:#f5f7f9;padding:.8em;overflow-x:auto}\n"
    ".first{font-size:1.15em;font-weight:600}\n"
    ".maps{display:flex;flex-wrap:wrap;gap:1.5em}.note{color:#5a6675;font-size:12px}.bad{color:#a3131b}\n"
    "svg text{font:10px system-ui,sans-serif;fill:#5a6675}\n</style></head><body>\n";

void html_text(FILE *to, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&': (void)fputs("&amp;", to); break;
        case '<': (void)fputs("&lt;", to); break;
        case '>': (void)fputs("&gt;", to); break;
        case '"': (void)fputs("&quot;", to); break;
        default: (void)fputc((unsigned char)*text < ' ' && *text != '\n' ? ' ' : *text, to); break;
        }
    }
}

void html_begin(FILE *to, const char *title)
{
    (void)fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>", to);
    html_text(to, title);
    (void)fputs("</title>\n", to);
    (void)fputs(head, to);
}

void html_colour(FILE *to, double part)
{
    static const unsigned char stops[][3] = {
        {255, 250, 225}, {254, 217, 118}, {253, 141, 60}, {227, 26, 28}, {128, 0, 38}};
    if (part <= 0) {
        (void)fprintf(to, "#eef1f4");
        return;
    }
    const double at = (part < 1 ? part : 1) * 4;
    const unsigned i = at >= 4 ? 3 : (unsigned)at;
    unsigned rgb[3];
    for (unsigned k = 0; k < 3; k++) {
        rgb[k] = (unsigned)(stops[i][k] + (stops[i + 1][k] - stops[i][k]) * (at - i) + 0.5);
    }
    (void)fprintf(to, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
}

void html_colour_bar(FILE *to)
{
    enum { STEPS = 50, WIDTH = 6, LEFT = 14, HEIGHT = 12 };
    (void)fprintf(to, "<svg width=\"%d\" height=\"%d\" role=\"img\" class=\"bar\">", STEPS * WIDTH + 2 * LEFT,
                  HEIGHT + 14);
    for (unsigned i = 0; i < STEPS; i++) {
        (void)fprintf(to, "<rect x=\"%u\" y=\"0\" width=\"%d\" height=\"%d\" fill=\"", LEFT + i * WIDTH, WIDTH, HEIGHT);
        html_colour(to, (i + 0.5) / STEPS);
        (void)fputs("\"/>", to);
    }
    for (unsigned percent = 0; percent <= 100; percent += 25) {
        (void)fprintf(to, "<text x=\"%u\" y=\"%d\" text-anchor=\"middle\">%u %%</text>",
                      LEFT + percent * STEPS * WIDTH / 100, HEIGHT + 11, percent);
    }
    (void)fputs("</svg>\n", to);
}

void html_end(FILE *to, const char *page)
{
    (void)fprintf(to, "<p class=\"note\">Kerr %s. What is exact and what is not: %s.</p>\n</body></html>\n",
                  kerr_version(), page);
}
