/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * flame.h: a flame graph as SVG. It contains a script: a click widens a frame, and names can be
 * searched for.
 */
#ifndef NFART_NFAPERF_FLAME_H
#define NFART_NFAPERF_FLAME_H

#include "probes/profile/tool/print.h"

/*
 * Appends the picture, `width` pixels wide. `title` is written above it. The names of frames come
 * from hostile files, so they are escaped.
 */
void print_flame(const struct profile_view *v, const struct profile_children *c,
		 enum print_unit unit, uint32_t width, const char *title, struct buf *b);

#endif
