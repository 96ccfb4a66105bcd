/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/run/named_lines.h"

size_t named_lines(const struct copies *c, const struct record_names *names, uint32_t nlabels,
		   struct nfart_line *out)
{
	size_t n = 0;

	for (uint32_t i = 0; i < names->n; i++)
		for (uint64_t m = names->name[i].labels; m != 0; m &= m - 1) {
			uint32_t l = (uint32_t)__builtin_ctzll(m);
			if (l < nlabels)
				out[n++] = (struct nfart_line){
					l, copies_shown(c, names->name[i].number)
				};
		}
	copies_sort(c, out, n);
	return n;
}
