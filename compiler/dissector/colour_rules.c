/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Prints rules by which Wireshark colours the packets of a protocol. A line of such a file is
 *
 *	@name@filter@[red,green,blue][red,green,blue]
 *
 * with the colour of the background and that of the text, each of 16 bits. The first rule whose
 * filter a packet passes gives it its colours. So what went wrong comes first, and the group that
 * sent the message last. `!` before a rule switches it off. So is the rule for what a filter of
 * nfacc has accepted: in most traces that is everything, as nfarun writes nothing else unless the
 * filter says `log = all`.
 */
#include <ctype.h>
#include <inttypes.h>

#include "compiler/dissector/dissector.h"

enum { WHITE = 0xffffff, BLACK = 0x12272e, RED = 0xa40000, DARK_RED = 0x7a0000 };

static void print_colour(uint32_t rgb, struct buf *b)
{
	/* 0xff becomes 0xffff. */
	buf_addf(b, "[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", (rgb >> 16 & 255) * 257,
		 (rgb >> 8 & 255) * 257, (rgb & 255) * 257);
}

/* Appends a name as the dissector's fields begin with it: in lower case, and everything but letters
 * and digits as `_`. */
static void print_prefix(const char *name, struct buf *b)
{
	for (; *name != 0; name++) {
		char c = isalnum((unsigned char)*name) ? (char)tolower((unsigned char)*name) : '_';
		buf_add(b, &c, 1);
	}
}

/* Prints the rule `name`: its filter is the field `field` of the protocol, followed by `rest`. */
static void print_rule(const struct nfart_proto *p, const char *name, const char *field,
		       const char *rest, uint32_t back, uint32_t text, struct buf *b)
{
	buf_addf(b, "@%s: %s@", p->name, name);
	print_prefix(p->name, b);
	buf_addf(b, ".%s%s@", field, rest);
	print_colour(back, b);
	print_colour(text, b);
	buf_addf(b, "\n");
}

/* Prints a rule for each group, with pale colours that can be told apart by people who see few
 * colours. */
static void print_groups(const struct nfart_proto *p, struct buf *b)
{
	static const uint32_t pale[] = { 0xdceaf7, 0xfbeccb, 0xd8f0e6, 0xf4e0ec, 0xe4f3fb,
					 0xf9dccb, 0xefebc8, 0xe4e4e4 };

	for (uint32_t i = 0; i < p->names.ngroups; i++) {
		struct buf rest = { 0 };
		buf_addf(&rest, " == \"%s\"", p->names.groups[i]);
		print_rule(p, p->names.groups[i], "group", rest.at != NULL ? rest.at : "",
			   pale[i % (sizeof pale / sizeof pale[0])], BLACK, b);
		b->failed |= rest.failed;
		buf_free(&rest);
	}
}

void colour_rules_print(const struct nfart_proto *p, struct buf *b)
{
	buf_addf(b, "# Made by nfacc --emit=colorfilters: colours for the dissector of protocol %s.\n"
		    "# Wireshark: View, Coloring Rules, Import.\n", p->name);
	print_rule(p, "no packet of this protocol", "malformed", "", DARK_RED, WHITE, b);
	print_rule(p, "messages were lost", "loss", "", RED, WHITE, b);
	print_rule(p, "damaged batch", "damage", "", RED, 0xfffc9c, b);
	if (p->names.npairs != 0)
		print_rule(p, "no answer", "unanswered", "", BLACK, 0xf78787, b);
	buf_addf(b, "!");
	print_rule(p, "accepted by a filter", "accepted", "", 0xffe66b, BLACK, b);
	print_rule(p, "opcode without a name", "unknown", "", 0xe7c7ff, BLACK, b);
	if (p->names.npairs != 0)
		print_rule(p, "answer without a request", "unasked", "", WHITE, 0x888888, b);
	print_groups(p, b);
}
