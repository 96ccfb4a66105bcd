/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pprof.h: stacks as a profile of pprof, without the compression around it.
 *
 * Note [pprof]
 * A profile is a protobuf message `perftools.profiles.Profile`, whose schema is pprof's
 * profile.proto. Strings stand in a table, and string 0 is empty. A sample is a stack with values:
 * cycles and instructions. The stack is a list of locations, innermost first. A location has a line
 * of a function, and is in a mapping. Here each name is a function with one location, because a
 * view knows nothing finer. A mapping is an ELF file, at the addresses at which it is linked. A
 * name that several files have is in no mapping.
 */
#ifndef NFART_NFAPERF_PPROF_H
#define NFART_NFAPERF_PPROF_H

#include "probes/profile/tool/print.h"

/*
 * Appends the profile to b. Sets b->failed if there is no memory. `unit` is what pprof shows unless
 * it is asked for the other one. Cost: linear in the sum of the depths of all stacks.
 */
void print_pprof(const struct profile_view *v, const struct profile_children *c,
		 const struct rv_code *code, enum print_unit unit, struct buf *b);

#endif
