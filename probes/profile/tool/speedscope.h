/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * speedscope.h: stacks as a file of speedscope, the JSON format that its schema
 * https://www.speedscope.app/file-format-schema.json describes: one sampled profile, in which each
 * stack is a sample, and what was spent in it is the sample's weight.
 */
#ifndef NFART_NFAPERF_SPEEDSCOPE_H
#define NFART_NFAPERF_SPEEDSCOPE_H

#include "probes/profile/tool/print.h"

/*
 * Appends the file to b. Sets b->failed if there is no memory. `title` is the name of the profile.
 * Cost: linear in the sum of the depths of all stacks.
 */
void print_speedscope(const struct profile_view *v, const struct profile_children *c,
		      const struct rv_code *code, enum print_unit unit, const char *title,
		      struct buf *b);

#endif
