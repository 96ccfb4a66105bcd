/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/emit/emit.h"

#include <inttypes.h>

void emit_mem(const struct nfart_image *im, struct buf *b)
{
	uint32_t step = overlay_data(&im->overlay) / 32;

	buf_addf(b, "// %zu configuration words of %" PRIu32 " bits for engine %016" PRIx64 "\n",
		 im->device.n / step, 32 * step, im->fp.hardware);
	for (size_t i = 0; i < im->device.n; i += step) {
		if (step == 2)
			buf_addf(b, "%08" PRIx32, im->device.halves[i + 1]);
		buf_addf(b, "%08" PRIx32 "\n", im->device.halves[i]);
	}
}
