/* SPDX-License-Identifier: Apache-2.0 */
/* One debugger from its first packet to its last. */
#include "gdb_packet.h"
#include "gdb_session.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static bool send_reply(gdb_session *s, gdb_line *line)
{
    bool sent = true;
    if (s->told.size > 0) {
        gdb_text out = {0};
        gdb_add(&out, "O");
        gdb_add_hex(&out, s->told.data, s->told.size);
        sent = gdb_send(line, out.data != NULL ? out.data : "O", out.size);
        free(out.data);
    }
    sent = sent && gdb_send(line, s->reply.data != NULL ? s->reply.data : "", s->reply.size);
    line->no_ack = line->no_ack || s->no_ack_wanted;
    return sent;
}

/* False: the chip is gone, and gdb is told so with the reply that it takes for the end of the program. */
static bool handle(gdb_session *s, const gdb_line *line)
{
    if (s->time->begin != NULL && !s->time->begin(s->time_context)) {
        s->reply.size = s->told.size = 0;
        s->over = s->gone = true;
        gdb_add(&s->reply, "W00");
        return false;
    }
    gdb_handle(s, line->parser.packet, line->parser.size);
    if (s->time->end != NULL) {
        s->time->end(s->time_context);
    }
    return true;
}

void gdb_serve(gdb_session *s, gdb_line *line)
{
    static const int one = 1;
    gdb_input what;
    s->over = s->no_ack_wanted = false;
    memset(s->detached, 0, sizeof s->detached);
    memset(s->libraries, 0, sizeof s->libraries);
    (void)setsockopt(line->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    while (!s->over && gdb_receive(line, &what)) {
        if (what == GDB_PACKET) {
            (void)handle(s, line);
            if (!send_reply(s, line)) {
                break;
            }
        } else if (what == GDB_TOO_LONG && !gdb_send(line, "E01", 3)) {
            break;
        }
    }
}
