/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfagen/blocks/block.h"

/* Has this node agreed to begin? */
static bool has_agreed(enum link_state s)
{
	return s == LINK_READY || s == LINK_UP;
}

static enum link_state after_sync(enum link_state own, enum link_state peer, uint64_t header)
{
	switch (block_request(header)) {
	case BLOCK_NO_REQUEST: break;
	case BLOCK_START: return LINK_START;
	case BLOCK_RETRY: return LINK_RETRY;
	default: return LINK_ERROR;
	}
	if (!block_ack(header))
		return own;
	if (peer == LINK_RETRY)
		return LINK_REPLAY;
	if (own <= LINK_READY && (peer == LINK_START || has_agreed(peer)))
		return LINK_READY;
	return own;
}

enum link_state link_next(enum link_state own, enum link_state peer, uint64_t header)
{
	if (header >> 63 == 0)
		return LINK_ERROR;
	if (block_type(header) == BLOCK_SYNC)
		return after_sync(own, peer, header);
	/* An idle block, or one with data. */
	switch (own) {
	case LINK_READY:
		if (has_agreed(peer))
			return LINK_UP;
		break;
	case LINK_UP: return LINK_UP;
	case LINK_RETRY: return peer == LINK_REPLAY ? LINK_UP : LINK_RETRY;
	case LINK_REPLAY: return peer == LINK_RETRY ? LINK_REPLAY : LINK_UP;
	case LINK_DOWN: case LINK_QUIET: case LINK_START: case LINK_ERROR: break;
	}
	if (block_is_data(header))
		return LINK_ERROR;
	return own == LINK_DOWN ? LINK_QUIET : own;
}

uint32_t block_reduce(uint64_t header, enum link_state state)
{
	bool sync = block_type(header) == BLOCK_SYNC, data = block_is_data(header);
	uint32_t vcs = 0;

	for (int i = 0; data && i < BLOCK_WORDS; i++)
		vcs |= (uint32_t)1 << block_vc(header, i);
	return (uint32_t)sync | (uint32_t)data << 1 | (vcs & 0x3fff) << 2 | (uint32_t)state << 16 |
	       (sync ? block_request(header) << 19 : 0) | (uint32_t)block_ack(header) << 21 |
	       (data ? block_credits(header) << 22 : 0);
}
