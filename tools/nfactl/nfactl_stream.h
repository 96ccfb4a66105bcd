/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfactl_stream.h: the commands of nfactl that move traces.
 */
#ifndef NFACC_NFACTL_STREAM_H
#define NFACC_NFACTL_STREAM_H

#include "runtime/device/driver.h"
#include "tools/nfactl/nfactl_options.h"

/* Writes the engine's output as a trace, or what is in the ring if that is on, until the stream ends
 * or a signal comes. Returns an exit code; messages of faults of the device are left to the caller. */
int nfactl_stream(const struct nfactl_options *o, struct device *d, const struct nfart_image *im,
		  struct driver_ring *ring);

/* Puts the batches of a trace at the tap. Returns as nfactl_stream(). */
int nfactl_inject(const struct nfactl_options *o, struct device *d, const struct nfart_image *im,
		  const char *trace);

#endif
