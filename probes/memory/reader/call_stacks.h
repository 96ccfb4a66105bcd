/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * call_stacks.h: call stacks, each kept once. A stack is a list of addresses: that of a call or
 * instruction, then the return addresses, innermost first.
 */
#ifndef NFACC_PROBES_MEMORY_READER_CALL_STACKS_H
#define NFACC_PROBES_MEMORY_READER_CALL_STACKS_H

#include <stddef.h>
#include <stdint.h>

struct call_stacks;

/* Returns NULL if there is no memory. Free it with call_stacks_free(). */
struct call_stacks *call_stacks_new(void);
void call_stacks_free(struct call_stacks *s);

/*
 * Returns the number of a stack of n addresses, from 1 on. The same stack has the same number.
 * Returns 0, which is no stack, if there is no memory. Cost: linear in n, on average.
 */
uint32_t call_stacks_number(struct call_stacks *s, const uint64_t *addresses, size_t n);

/*
 * Returns the addresses of a stack, and sets *n to how many there are. They are valid until the next
 * call of call_stacks_number(). Number 0 has none.
 */
const uint64_t *call_stacks_at(const struct call_stacks *s, uint32_t number, size_t *n);

#endif
