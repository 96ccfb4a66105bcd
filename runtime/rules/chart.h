/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * chart.h: pictures of what a checker knows of a line.
 */
#ifndef NFART_CHART_H
#define NFART_CHART_H

#include "runtime/rules/follow.h"
#include "support/buf.h"

/* Appends a message sequence chart as SVG: the last messages of the line by node, up to
 * FOLLOW_RECENT, with times; and below it what was expected and forbidden, if the last batch was
 * wrong. `where` is ` on line 0x80`, or empty. */
void chart_messages(struct follow *f, const struct follow_line *l, const char *where,
		    struct buf *b);

/* Appends the automaton of each node as a graph for Graphviz: its states are the values of the
 * node's variables, its edges the moves by rules. The states in which a node can have been before
 * the last batch of the line are filled. The states of the system must be listed. */
void chart_nodes(struct follow *f, const struct follow_line *l, struct buf *b);

#endif
