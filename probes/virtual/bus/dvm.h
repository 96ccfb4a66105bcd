/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * dvm.h: DVM messages as ACE has them in the address of AC and AR (IHI 0022, DVMv8, 44 bits).
 *
 *	           first part                 second part, if bit 0 of the first is 1
 *	43 to 40   bits 48 to 45 of the VA    bits 44 to 41 of the VA
 *	39 to 32   bits 15 to 8 of the ASID   bits 39 to 32 of the VA
 *	31 to 24   VMID                       bits 31 to 24 of the VA
 *	23 to 16   bits 7 to 0 of the ASID    bits 23 to 16 of the VA
 *	15         a Sync asks for completion bit 15 of the VA
 *	14 to 12   what it is                 bits 14 to 12 of the VA
 *	11 to 4    levels, worlds; 5: the ASID counts; 4: only the last level
 *	                                      bits 11 to 4 of the VA
 *	3 to 2     stages; 2: only stage 2    3: bit 40 of the VA
 */
#ifndef NFACC_PROBES_VIRTUAL_BUS_DVM_H
#define NFACC_PROBES_VIRTUAL_BUS_DVM_H

#include "probes/virtual/model/virtual.h"

/* The part that came first, while the second one is missing. */
struct virt_dvm_parts {
	uint64_t first;
	bool open;
};

/*
 * Takes a part of a message. Returns whether the message is complete and is one of those that the
 * front end knows; then *m is it. One that invalidates for any ASID gets `asid`, that of the
 * process. One of stage 2 invalidates everything, as it may concern the process.
 */
bool virt_dvm_part(struct virt_dvm_parts *x, uint64_t part, uint16_t asid, struct virt_dvm *m);

#endif
