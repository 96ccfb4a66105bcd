/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/etm/cti.h"

#include <stdio.h>

uint32_t *cti_map_at(struct cti_map *map, uint32_t offset, char name[CTI_NAME])
{
	const struct {
		const char *name;
		uint32_t offset, count, *first;
	} rows[] = {
		{ "CTICONTROL", CTI_CONTROL, 1, &map->control },
		{ "CTIINEN", CTI_INEN, CTI_TRIGGERS, map->in },
		{ "CTIOUTEN", CTI_OUTEN, CTI_TRIGGERS, map->out },
		{ "CTIGATE", CTI_GATE, 1, &map->gate },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint32_t n = (offset - rows[i].offset) / 4;

		if (offset < rows[i].offset || n >= rows[i].count || offset % 4 != 0)
			continue;
		if (name != NULL && rows[i].count > 1)
			snprintf(name, CTI_NAME, "%s%u", rows[i].name, (unsigned)n);
		else if (name != NULL)
			snprintf(name, CTI_NAME, "%s", rows[i].name);
		return &rows[i].first[n];
	}
	return NULL;
}
