/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * main.c: the driver of the front end, a module for Linux 6.1. Commands are written to
 * /dev/nfavirt (policy.h), and reading it shows the front end's state and counters. The parameter
 * `base` is the physical address of the registers.
 *
 * Note [life of a process]: the driver holds the memory descriptor of the traced process, but not
 * its pages. When these go, the notifier's release() ends the tracing first. The number of the
 * address space (ASID) is pinned, so the front end never has an old one.
 *
 * Note [second entries]: before a fork copies the entries of private memory, the kernel calls
 * invalidate_range_start() with MMU_NOTIFY_PROTECTION_PAGE. The entries are marked then; the
 * child's are copies of them, and the kernel itself flushes the TLBs of the parent before the child
 * runs. Other frames with several entries are found and marked when tracing begins.
 */
#include <linux/hugetlb.h>
#include <linux/io.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/uaccess.h>
#ifdef CONFIG_ARM64
#include <asm/mmu_context.h>
#include <asm/tlbflush.h>
#endif

#include "probes/virtual/kernel/policy.h"

#if PAGE_SHIFT != 12
#error "the front end reads page tables with pages of 4 KiB"
#endif

enum { REGISTERS = 0x1000, COMMAND = 128 };

static ulong base;
module_param(base, ulong, 0444);
MODULE_PARM_DESC(base, "physical address of the front end's registers");

/* The front end. `lock` is for commands; the notifier's functions don't take it. */
static struct {
	void __iomem *regs;
	struct mutex lock;
	struct nfavirt_setup setup;
	struct mmu_notifier notifier;
	struct mm_struct *mm; /* of the traced process, which the notifier holds; NULL: none */
	pid_t pid;
	atomic64_t marked;
	const char *wrong; /* the last command; NULL: it was right */
} front = { .lock = __MUTEX_INITIALIZER(front.lock) };

/* ---- what depends on the machine ---- */

#ifdef CONFIG_ARM64
#if CONFIG_PGTABLE_LEVELS < 3
#error "the front end reads page tables of 3 or 4 levels"
#endif
enum { LEVELS = CONFIG_PGTABLE_LEVELS };

/* Changes an entry, which the hardware may change at the same time, under the lock of its table. */
static void mark(u64 *entry)
{
	u64 old = READ_ONCE(*entry), seen;

	/* An entry without access (PROT_NONE) is not valid, but becomes so with this bit. */
	while ((seen = cmpxchg(entry, old, old | NFAVIRT_SHARED)) != old)
		old = seen;
}

static u64 pin_number(struct mm_struct *mm)
{
	return arm64_mm_context_get(mm);
}

static void unpin_number(struct mm_struct *mm)
{
	arm64_mm_context_put(mm);
}

static void flush(struct mm_struct *mm)
{
	flush_tlb_mm(mm);
}
#else
/*
 * The front end reads the tables of ARMv8. Elsewhere the module counts what it would mark, and does
 * all else, so that it can be tried.
 */
enum { LEVELS = 4 };

static void mark(u64 *entry)
{
}

static u64 pin_number(struct mm_struct *mm)
{
	return 1;
}

static void unpin_number(struct mm_struct *mm)
{
}

static void flush(struct mm_struct *mm)
{
}
#endif

/* ---- entries ---- */

/* Marks those entries of a table whose frame has others; all: or is about to get one. */
static void mark_table(struct mm_struct *mm, pmd_t *pmd, unsigned long at, unsigned long end,
		       bool all)
{
	spinlock_t *lock;
	pte_t *first = pte_offset_map_lock(mm, pmd, at, &lock);

	for (pte_t *pte = first; at < end; at += PAGE_SIZE, pte++) {
		pte_t value = READ_ONCE(*pte);

		/* A special page is the zero page of all, or one of a device. */
		if (!pte_present(value) ||
		    (!all && !pte_special(value) && page_mapcount(pte_page(value)) < 2))
			continue;
		mark((u64 *)pte);
		atomic64_inc(&front.marked);
	}
	pte_unmap_unlock(first, lock);
}

/* Has any page of a huge one another entry? Elsewhere it can be mapped in parts. */
static bool is_mapped_twice(pmd_t pmd)
{
	for (unsigned int i = 0; i < PMD_SIZE / PAGE_SIZE; i++)
		if (page_mapcount(pmd_page(pmd) + i) > 1)
			return true;
	return false;
}

static void mark_huge(struct mm_struct *mm, pmd_t *pmd, bool all)
{
	spinlock_t *lock = pmd_lock(mm, pmd);

	if (pmd_present(*pmd) && pmd_leaf(*pmd) && (all || is_mapped_twice(*pmd))) {
		mark((u64 *)pmd);
		atomic64_inc(&front.marked);
	}
	spin_unlock(lock);
}

/*
 * The same for a range of addresses. The caller holds mmap_lock, so that tables stay. Pages of
 * 1 GiB, which only hugetlbfs has, are passed over.
 */
static void mark_range(struct mm_struct *mm, unsigned long at, unsigned long end, bool all)
{
	for (unsigned long next; at < end; at = next) {
		pgd_t *pgd = pgd_offset(mm, at);
		p4d_t *p4d;
		pud_t *pud;
		pmd_t *pmd;

		next = pgd_addr_end(at, end);
		if (pgd_none(*pgd))
			continue;
		p4d = p4d_offset(pgd, at);
		next = p4d_addr_end(at, end);
		if (!p4d_present(*p4d))
			continue;
		pud = pud_offset(p4d, at);
		next = pud_addr_end(at, end);
		if (!pud_present(*pud) || pud_leaf(*pud))
			continue;
		pmd = pmd_offset(pud, at);
		next = pmd_addr_end(at, end);
		if (!pmd_present(*pmd))
			continue;
		if (pmd_leaf(*pmd))
			mark_huge(mm, pmd, all);
		else
			mark_table(mm, pmd, at, next, all);
		cond_resched();
	}
}

/* ---- the process ---- */

static void released(struct mmu_notifier *n, struct mm_struct *mm)
{
	writeq(0, front.regs + VIRT_CTRL_AT);
}

static int range_starts(struct mmu_notifier *n, const struct mmu_notifier_range *range)
{
	unsigned long start = max_t(unsigned long, range->start, front.setup.start);
	unsigned long end = min_t(unsigned long, range->end, front.setup.end);

	if (range->vma == NULL || !is_cow_mapping(range->vma->vm_flags) || start >= end)
		return 0;
	/*
	 * A fork calls it for private memory, and so with another event for that of hugetlbfs, as
	 * does its unmapping. Write-back of files calls it for shared memory.
	 */
	if (range->event != MMU_NOTIFY_PROTECTION_PAGE &&
	    (range->event != MMU_NOTIFY_CLEAR || !is_vm_hugetlb_page(range->vma)))
		return 0;
	if (!mmu_notifier_range_blockable(range))
		return -EAGAIN;
	mark_range(range->mm, start & PAGE_MASK, PAGE_ALIGN(end), true);
	return 0;
}

static const struct mmu_notifier_ops notifier_ops = {
	.release = released,
	.invalidate_range_start = range_starts,
};

static void stop(void)
{
	if (front.mm == NULL)
		return;
	writeq(0, front.regs + VIRT_CTRL_AT);
	unpin_number(front.mm);
	mmu_notifier_unregister(&front.notifier, front.mm);
	front.mm = NULL;
	front.pid = 0;
}

static int trace_memory(struct mm_struct *mm)
{
	struct nfavirt_write w[NFAVIRT_WRITES];
	unsigned int n;
	int error;

	front.setup.pgd = virt_to_phys(mm->pgd);
	front.setup.levels = LEVELS;
	if (front.setup.pgd >> VIRT_PA_BITS != 0) {
		front.wrong = "the page tables lie beyond the front end's 40 bits";
		return -ERANGE;
	}
	front.setup.asid = pin_number(mm);
	if (front.setup.asid == 0) {
		front.wrong = "the number of the address space can't be pinned";
		return -EBUSY;
	}
	front.notifier.ops = &notifier_ops;
	error = mmu_notifier_register(&front.notifier, mm);
	if (error != 0) {
		unpin_number(mm);
		front.wrong = "the kernel has no memory to tell of the process's end";
		return error;
	}
	front.mm = mm;
	atomic64_set(&front.marked, 0);
	mmap_read_lock(mm);
	mark_range(mm, front.setup.start & PAGE_MASK,
		   min_t(unsigned long, PAGE_ALIGN(front.setup.end), TASK_SIZE), false);
	mmap_read_unlock(mm);
	flush(mm);
	n = nfavirt_writes(&front.setup, w);
	for (unsigned int i = 0; i < n; i++)
		writeq(w[i].value, front.regs + w[i].offset);
	return 0;
}

static int trace(const struct nfavirt_command *c)
{
	struct pid *pid = find_get_pid((pid_t)c->number[0]);
	struct task_struct *task = get_pid_task(pid, PIDTYPE_PID);
	struct mm_struct *mm = task == NULL ? NULL : get_task_mm(task);
	int error = -ESRCH;

	if (mm == NULL) {
		front.wrong = "there is no such process";
	} else {
		stop();
		front.setup.start = c->number[1];
		front.setup.end = c->number[2];
		error = trace_memory(mm);
	}
	if (error == 0)
		front.pid = (pid_t)c->number[0];
	if (mm != NULL)
		mmput(mm);
	if (task != NULL)
		put_task_struct(task);
	put_pid(pid);
	return error;
}

/* ---- the device ---- */

static int point(u64 address, bool code)
{
	front.wrong = nfavirt_add_point(&front.setup, address, code);
	return front.wrong == NULL ? 0 : -ENOSPC;
}

static void forget(void)
{
	for (unsigned int i = 0; i < VIRT_POINTS; i++)
		writeq(0, front.regs + VIRT_POINT_AT + i * 8);
	front.setup.npoints = 0;
}

static int obey(const char *text)
{
	struct nfavirt_command c;

	front.wrong = nfavirt_parse(text, &c);
	if (front.wrong != NULL)
		return -EINVAL;
	switch (c.verb) {
	case NFAVIRT_TRACE:
		return trace(&c);
	case NFAVIRT_POINT:
	case NFAVIRT_WATCH:
		return point(c.number[0], c.verb == NFAVIRT_POINT);
	case NFAVIRT_FORGET:
		forget();
		return 0;
	case NFAVIRT_STOP:
		stop();
	}
	return 0;
}

static ssize_t device_write(struct file *file, const char __user *from, size_t n, loff_t *at)
{
	char text[COMMAND];
	int error;

	if (n >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, n) != 0)
		return -EFAULT;
	text[n] = 0;
	mutex_lock(&front.lock);
	error = obey(text);
	mutex_unlock(&front.lock);
	return error != 0 ? error : (ssize_t)n;
}

static ssize_t device_read(struct file *file, char __user *to, size_t n, loff_t *at)
{
	static const char *const names[] = {
#define VIRT_COUNTER(name, text) #name,
#include "probes/virtual/contract/virtual.def"
	};
	char *text = kzalloc(PAGE_SIZE, GFP_KERNEL);
	int length = 0;
	ssize_t done;

	if (text == NULL)
		return -ENOMEM;
	mutex_lock(&front.lock);
	length += scnprintf(text, PAGE_SIZE, "process %d\nstatus 0x%llx\nmarked %lld\n", front.pid,
			    readq(front.regs + VIRT_STATUS_AT), atomic64_read(&front.marked));
	for (unsigned int i = 0; i < VIRT_COUNTERS; i++)
		length += scnprintf(text + length, PAGE_SIZE - length, "%s %llu\n", names[i],
				    readq(front.regs + VIRT_COUNT_AT + i * 8));
	if (front.wrong != NULL)
		length += scnprintf(text + length, PAGE_SIZE - length, "error: %s\n", front.wrong);
	mutex_unlock(&front.lock);
	done = simple_read_from_buffer(to, n, at, text, length);
	kfree(text);
	return done;
}

static const struct file_operations device_ops = {
	.owner = THIS_MODULE,
	.read = device_read,
	.write = device_write,
	.llseek = default_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "nfavirt",
	.fops = &device_ops,
	.mode = S_IRUSR | S_IWUSR,
};

static int __init nfavirt_init(void)
{
	int error;

	if (base == 0 || base % REGISTERS != 0) {
		pr_err("nfavirt: base must be the address of the registers, a multiple of 4096\n");
		return -EINVAL;
	}
	if (request_mem_region(base, REGISTERS, "nfavirt") == NULL)
		return -EBUSY;
	front.regs = ioremap(base, REGISTERS);
	error = front.regs == NULL ? -ENOMEM : 0;
	if (error == 0) {
		/* What another driver, or kernel, left there. */
		writeq(0, front.regs + VIRT_CTRL_AT);
		forget();
		error = misc_register(&device);
	}
	if (error == 0)
		return 0;
	if (front.regs != NULL)
		iounmap(front.regs);
	release_mem_region(base, REGISTERS);
	return error;
}

static void __exit nfavirt_exit(void)
{
	misc_deregister(&device);
	stop();
	iounmap(front.regs);
	release_mem_region(base, REGISTERS);
}

module_init(nfavirt_init);
module_exit(nfavirt_exit);
MODULE_DESCRIPTION("Traces the snoops of a process by their virtual addresses");
MODULE_LICENSE("Dual BSD/GPL");
