/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * replay.h: drives the ports of a front end by what a recorded port of an interconnect did. It owns
 * the front end.
 *
 * Note [requests]: the recorded port has a front end, too, and its requests to clean lines and to
 * send messages are in the recording. The front end here makes its own requests. It takes one when
 * the recorded port made one, and compares them. Only a request that both made ends when the
 * recorded one ends. So a request that was not recorded never ends here, and what waits for it is
 * missed, but no address is wrong.
 */
#ifndef NFACC_PROBES_VIRTUAL_BUS_REPLAY_H
#define NFACC_PROBES_VIRTUAL_BUS_REPLAY_H

#include "probes/virtual/model/front.h"

struct virt_replay_counts {
	uint64_t unread;   /* snoops of table lines whose content was not recorded */
	uint64_t requests; /* requests of the port */
	uint64_t strange;  /* of these, not those of the front end here */
};

struct virt_replay {
	struct virt_front front;
	/* Called for each read that is not of a table line. */
	void (*sink)(void *ctx, const struct virt_snoop *s, const struct virt_annotated *a);
	void *ctx;
	struct virt_request taken[2]; /* by channel: the request that the front end has made */
	bool has_taken[2];
	bool under_way[2];            /* the recorded port has made the same one */
	struct virt_replay_counts counts;
};

/* Makes a front end that is disabled. NULL: out of memory. */
struct virt_replay *virt_replay_new(unsigned entries,
				    void (*sink)(void *ctx, const struct virt_snoop *s,
						 const struct virt_annotated *a),
				    void *ctx);
void virt_replay_free(struct virt_replay *r);

/* A register was written. */
void virt_replay_write(struct virt_replay *r, unsigned offset, uint64_t value);

/* A snoop was answered. `line` is what the port has read for it; NULL: nothing. */
void virt_replay_snoop(struct virt_replay *r, const struct virt_snoop *s, const uint64_t *line);

/* A DVM message came in. */
void virt_replay_dvm(struct virt_replay *r, const struct virt_dvm *m);

/*
 * The port has made a request. Of a message NULL says that what it is was not recorded: then it is
 * that of the front end.
 */
void virt_replay_clean(struct virt_replay *r, uint64_t pa);
void virt_replay_send(struct virt_replay *r, const struct virt_dvm *m);

/* The request of a channel has ended; `line` is the content of a line that was cleaned. */
void virt_replay_done(struct virt_replay *r, enum virt_channel channel, const uint64_t *line);

/* Messages were lost: the front end forgets all translations. */
void virt_replay_lost(struct virt_replay *r);

#endif
