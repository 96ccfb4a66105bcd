/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * finding.h: says what is wrong with the last batch of a line, as a checker sees it: what was
 * expected, which rules forbid what came, and the last messages of the line by node.
 */
#ifndef NFART_FINDING_H
#define NFART_FINDING_H

#include "runtime/rules/follow.h"
#include "support/buf.h"

/* Appends the finding: at most nine lines. `where` is ` on line 0x80`, or empty. */
void finding_tell(struct follow *f, const struct follow_line *l, const char *where,
		  struct buf *b);

/* Appends the finding without the messages: at most four lines. */
void finding_reasons(struct follow *f, const struct follow_line *l, const char *where,
		     struct buf *b);

/* Appends, in one line, what may come in a belief: `R13 (ask.coh:8), …`. */
void finding_expected(struct follow *f, uint32_t belief, struct buf *b);

/* Appends the name of the n events of a line's last batch: `R13`, or `R13 and V21`. */
void finding_events(const struct follow *f, const struct follow_line *l, struct buf *b);

/* Why a rule does not let an event come in a belief: appends `fpga.r is -`, or what else it is.
 * Returns whether its tests hold together in no state of the belief; not if that is not known. */
bool finding_why(struct follow *f, uint32_t belief, uint32_t rule, struct buf *b);

/* Appends a message as a row: the names of the nodes stand in columns of FINDING_COLUMN
 * characters. */
enum { FINDING_COLUMN = 14 };
void finding_row(const struct follow *f, const struct follow_message *m, struct buf *b);

/* Says that a line whose batch holds several messages was accepted by an image in the form "any",
 * while some order explains it. */
void finding_orders(const struct follow *f, const struct follow_line *l, const char *where,
		    struct buf *b);

/* Says that the last batch of a line is as the rules have it. */
void finding_fine(struct follow *f, const struct follow_line *l, const char *where,
		  struct buf *b);

#endif
