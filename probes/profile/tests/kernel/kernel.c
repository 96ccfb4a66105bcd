/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * kernel.c: a small kernel for tests of nfaperf. It runs three programs in rounds, two at a time on
 * each hart, and switches between them at timer interrupts. Later rounds use page tables and
 * address-space numbers of earlier rounds again. So one satp stands for several programs, and a
 * program is loaded at several addresses. For each program that starts, the kernel prints a line:
 * "run", its name, the distance from its linked address, and satp. It also prints what programs
 * report. Stacks are mapped page by page when they fault.
 *
 * For the plugin, tasks look like those of Linux (probes/profile/qemu/truth.h). The first one is
 * called "swapper", and sscratch points to the current task while a program runs.
 */
typedef unsigned long u64;

enum { PAGE = 4096, HARTS = 2, SLOTS = 4, POOL = 48, PROGRAM = 16384, TICK = 1500 };
#define HIGH 0xffffffc000000000u
#define STACK_TOP 0x3000000000u

struct frame {
	u64 x[32], sepc, sstatus;
};

/* entry.S uses the offsets of the first fields, and the size of the struct, 256 bytes. */
struct task {
	u64 kernel_sp, user_sp, context[14];
	u64 satp, done;
	struct slot *slot;
	char name[16];
	u64 rest[11];
};
_Static_assert(sizeof(struct task) == 256, "entry.S has the size of a task");

/* The memory of one program. Its first page is the root of its page tables. */
struct slot {
	u64 page[POOL][PAGE / 8];
	u64 stack[PAGE / 8];
	char program[PROGRAM];
	u64 used; /* pages in use */
} __attribute__((aligned(4096)));

struct job {
	u64 program, slot, asid, base;
};

/* What each hart runs in each round. If a slot and a number are used again, satp is the same. */
static const struct job jobs[HARTS][5][2] = {
	{
		{ { 0, 0, 1, 0x10000 }, { 1, 1, 2, 0x10000 } },
		{ { 2, 0, 1, 0x10000 }, { 0, 1, 2, 0x2aaaaaa000 } },
		{ { 0, 0, 1, 0x10000 }, { 0, 1, 1, 0x10000 } },
		{ { 1, 0, 0, 0x10000 }, { 2, 1, 0, 0x10000 } },
		{ { 0, 0, 0, 0x20000 }, { 1, 1, 0, 0x1fff000000 } },
	},
	{
		{ { 2, 2, 3, 0x10000 }, { 1, 3, 4, 0x10000 } },
		{ { 1, 2, 3, 0x10000 }, { 0, 3, 4, 0x10000 } },
		{ { 0, 2, 0, 0x10000 }, { 2, 3, 0, 0x555555000 } },
		{ { 1, 2, 0, 0x10000 }, { 1, 3, 0, 0x11000 } },
		{ { 2, 2, 0, 0x10000 }, { 0, 3, 0, 0x10000 } },
	},
};
static const char names[3][16] = { "alpha", "beta", "gamma" };

extern const char programs[3][PROGRAM];
extern void trap(void), return_to_program(void), _start_other(void);
void *memset(void *to, int byte, u64 size);
void __switch_to(struct task *from, struct task *to);
void panic(u64 cause, u64 pc, u64 value);
void handle_trap(struct frame *frame);
void kernel_main(u64 hart);

/* Both entries map the gigabyte of the memory: at its own address, and at the kernel's address. */
u64 boot_root[512] __attribute__((aligned(4096))) = { [2] = 0x200000ef, [258] = 0x200000ef };
struct task boot_tasks[HARTS] = { { .name = "swapper" }, { .name = "swapper" } };
static struct slot slots[SLOTS];
static struct task tasks[HARTS][2];
static struct task *volatile started[HARTS]; /* the boot task of each hart that was started */
static volatile int finished[HARTS];
static int console;

register struct task *current __asm__("tp");

#define csr_write(csr, value) __asm__ volatile("csrw " #csr ", %0" ::"r"(value) : "memory")
#define csr_read(csr, value) __asm__ volatile("csrr %0, " #csr : "=r"(value))

/* The compiler generates calls of this function to set memory to 0. */
void *memset(void *to, int byte, u64 size)
{
	for (u64 i = 0; i < size; i++)
		((char *)to)[i] = (char)byte;
	return to;
}

/* Calls OpenSBI with an extension, a function and arguments. */
static long sbi(u64 extension, u64 function, u64 x, u64 y, u64 z)
{
	register u64 a0 __asm__("a0") = x, a1 __asm__("a1") = y, a2 __asm__("a2") = z;
	register u64 a6 __asm__("a6") = function, a7 __asm__("a7") = extension;

	__asm__ volatile("ecall" : "+r"(a0), "+r"(a1) : "r"(a2), "r"(a6), "r"(a7) : "memory");
	return (long)a0;
}

static void print(const char *text)
{
	while (*text)
		sbi(1, 0, (u64)*text++, 0, 0);
}

static void print_number(u64 number, u64 base)
{
	char text[24], *at = text + sizeof(text) - 1;

	*at = '\0';
	do {
		*--at = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	print(at);
}

static void lock(void)
{
	while (__sync_lock_test_and_set(&console, 1))
		;
}

static void unlock(void)
{
	__sync_lock_release(&console);
}

void panic(u64 cause, u64 pc, u64 value)
{
	lock();
	print("panic ");
	print_number(cause, 16);
	print(" at ");
	print_number(pc, 16);
	print(", ");
	print_number(value, 16);
	print("\n");
	sbi(0x53525354, 0, 0, 0, 1); /* switch off and report a failure */
	for (;;)
		;
}

static u64 physical(const void *at)
{
	return (u64)at - HIGH;
}

static u64 *new_page(struct slot *slot)
{
	u64 *page = slot->page[slot->used++];

	if (slot->used > POOL)
		panic(0, 0, 0);
	for (int i = 0; i < PAGE / 8; i++)
		page[i] = 0;
	return page;
}

/* Maps a page for programs, which may read, write and execute it. */
static void map(struct slot *slot, u64 address, u64 page)
{
	u64 *table = slot->page[0];

	for (int level = 2; level > 0; level--) {
		u64 *entry = &table[address >> (12 + 9 * level) & 511];

		if (!*entry)
			*entry = physical(new_page(slot)) >> 2 | 1;
		table = (u64 *)((*entry >> 10 << 12) + HIGH);
	}
	table[address >> 12 & 511] = page >> 2 | 0xdf;
}

/* Prepares a task to begin a program. */
static void prepare(struct task *task, const struct job *job)
{
	struct slot *slot = &slots[job->slot];
	struct frame *frame;

	slot->used = 0;
	new_page(slot)[258] = boot_root[258];
	for (u64 i = 0; i < PROGRAM; i++)
		slot->program[i] = programs[job->program][i];
	for (u64 i = 0; i < PROGRAM; i += PAGE)
		map(slot, job->base + i, physical(slot->program + i));
	*task = (struct task){ .kernel_sp = (u64)(slot->stack + PAGE / 8), .slot = slot,
		.satp = 8ul << 60 | job->asid << 44 | physical(slot->page[0]) >> 12 };
	for (int i = 0; i < 16; i++)
		task->name[i] = names[job->program][i];
	frame = (struct frame *)task->kernel_sp - 1;
	*frame = (struct frame){ .sepc = job->base, .sstatus = 0x20 }; /* user mode, with irqs */
	frame->x[2] = STACK_TOP;
	task->context[0] = (u64)return_to_program;
	task->context[1] = (u64)frame;
	lock();
	print("run ");
	print(task->name);
	print(" ");
	print_number(job->base, 16);
	print(" ");
	print_number(task->satp, 16);
	print("\n");
	unlock();
}

static void switch_to(struct task *to)
{
	struct task *from = current;

	if (from == to)
		return;
	csr_write(satp, to->satp);
	__asm__ volatile("sfence.vma\n\tfence.i" ::: "memory");
	__switch_to(from, to);
}

/* Switches to the other program of this hart, or to the boot task if both have ended. */
static void schedule(void)
{
	for (int hart = 0; hart < HARTS; hart++)
		for (int i = 0; i < 2; i++)
			if (current == &tasks[hart][i]) {
				struct task *other = &tasks[hart][1 - i];

				if (!other->done)
					switch_to(other);
				else if (current->done)
					switch_to(started[hart]);
				return;
			}
}

static void set_timer(void)
{
	u64 now;

	csr_read(time, now);
	sbi(0x54494d45, 0, now + TICK, 0, 0);
}

/*
 * A system call of a program. 0 ends the program, 1 reports a number with a name of up to 7
 * letters, 2 yields.
 */
static void handle_call(struct frame *frame)
{
	char name[9] = "";

	frame->sepc += 4;
	switch (frame->x[17]) {
	case 0:
		current->done = 1;
		schedule();
		break;
	case 1:
		for (int i = 0; i < 8; i++)
			name[i] = (char)(frame->x[10] >> 8 * i);
		lock();
		print(current->name);
		print(" ");
		print(name);
		print(" ");
		print_number(frame->x[11], 10);
		print("\n");
		unlock();
		break;
	default:
		schedule();
	}
}

void handle_trap(struct frame *frame)
{
	u64 cause, value;

	csr_read(scause, cause);
	csr_read(stval, value);
	if (cause == (1ul << 63 | 5)) {
		set_timer();
		schedule();
	} else if (cause == 8) {
		handle_call(frame);
	} else if ((cause == 13 || cause == 15) && value < STACK_TOP && value > STACK_TOP - 32 * PAGE) {
		map(current->slot, value & -(u64)PAGE, physical(new_page(current->slot)));
		__asm__ volatile("sfence.vma" ::: "memory");
	} else {
		panic(cause, frame->sepc, value);
	}
}

/* Each hart begins here, with its index. */
void kernel_main(u64 hart)
{
	/* The boot tasks keep the first page table when programs change theirs. */
	csr_read(satp, current->satp);
	started[hart] = current;
	if (hart == 0)
		for (u64 i = 0; i < HARTS; i++) /* this fails for the hart that runs already */
			sbi(0x48534d, 0, i, physical((void *)_start_other), 1);
	csr_write(sie, 1 << 5);
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < 2; i++)
			prepare(&tasks[hart][i], &jobs[hart][round][i]);
		set_timer();
		switch_to(&tasks[hart][0]);
	}
	finished[hart] = 1;
	if (hart > 0)
		return;
	/* If there is another hart, it has begun long ago. */
	while (started[1] && !finished[1]) {
		set_timer();
		__asm__ volatile("wfi");
	}
	sbi(0x53525354, 0, 0, 0, 0);
}
