/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Call stacks, for --stacks. The event MEM_STACK holds the stack of what its thread does next. It is
 * recorded before each call that allocates or frees, and before each access that a check may report
 * (shadow.h). Other accesses record none.
 *
 * Where copies of instructions look at the shadow, they end in a hlt if the access is suspect. Its
 * handler records the stack.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_STACKS_H
#define NFACC_PROBES_MEMORY_INSIDE_STACKS_H
#include <ucontext.h>

#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/sites.h"

/*
 * Prepares stacks, if the channel asks for them. If there is no memory for them, says so in the
 * channel, and there are none.
 */
void stacks_start(void);

/*
 * Notes who called the function that calls this, for stacks_call(). `frame` is
 * __builtin_frame_address(0), and `pc` the return address; pc is returned.
 */
static inline uintptr_t stacks_caller(const void *frame, uintptr_t pc)
{
	inside_self.caller.pc = pc;
	inside_self.caller.sp = (uintptr_t)frame + 2 * sizeof(uintptr_t);
	inside_self.caller.bp = *(const uintptr_t *)frame;
	return pc;
}

/* Records the stack of the caller that was noted last. */
void stacks_record_call(void);

static inline void stacks_call(void)
{
	if (inside.stacks)
		stacks_record_call();
}

/* As RECORD(), with the stack of the caller that was noted last. */
#define RECORD_CALL(kind, ...)                                                                     \
	do {                                                                                       \
		stacks_call();                                                                     \
		RECORD(kind, __VA_ARGS__);                                                         \
	} while (0)

/*
 * Before an access by a call, to a range: records the stack of the caller if the access is suspect.
 */
void stacks_range(uintptr_t at, size_t bytes, enum mem_kind kind);

/* The same for a copy. */
void stacks_copy(uintptr_t to, uintptr_t from, size_t bytes);

/* The same for an access by an instruction at pc, with the registers of the context. */
void stacks_access(uintptr_t pc, const ucontext_t *context, uintptr_t at, size_t bytes,
		   enum mem_kind kind);

/* Records the stack of an instruction at pc, if stacks are recorded at all. */
void stacks_instruction(uintptr_t pc, const ucontext_t *context);

/* Records the stack of a site whose copy has found the access of an operand suspect. */
void stacks_site(struct site *s, unsigned operand, ucontext_t *context);

/*
 * A piece of code that copies jump to: records the stack of an instruction if there are several
 * threads. rcx: its address; rax: where to go on. Changes rax, rcx and flags.
 */
void stacks_entry(void) __attribute__((visibility("hidden")));

/* A frame on the stack: from the stack pointer of its function to its CFA. */
struct stacks_frame {
	uintptr_t pc; /* in its function: the instruction, or the last byte of a call */
	uintptr_t cfa;
};

/*
 * Finds the frame that an address is in: that of the code at `from`, or of one of its callers.
 * Returns false if it is in none, or if a function on the way has no call frame information. Call
 * it between inside_enter and inside_leave.
 */
bool stacks_frame(const struct inside_caller *from, bool returned, uintptr_t at,
		  struct stacks_frame *f);

/* The stack pointer of the outermost caller that can be found; called as stacks_frame(). */
uintptr_t stacks_outermost(const struct inside_caller *from, bool returned);

/* Called when code or stacks may be gone: what is known of them is looked up again. */
void stacks_forget(void);
#endif
