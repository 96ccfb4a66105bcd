/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "include/nfart.h"

uint32_t nfart_version(void)
{
	return NFART_VERSION;
}
