# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# entry.S: the entries of the kernel: at the start, and by traps from programs. It uses the offsets
# of fields of struct task in kernel.c.
	.equ	HIGH, 0xffffffc000000000	# added to a physical address gives the kernel's
	.equ	KERNEL_SP, 0
	.equ	USER_SP, 8
	.equ	CONTEXT, 16
	.equ	FRAME, 272			# 32 registers, sepc, sstatus

# A hart starts here without paging. a0 is its number. a1 is its index, except on the first hart.
	.section .text.start, "ax"
	.globl	_start, _start_other
_start:
	li	a1, 0
_start_other:
	la	sp, stacks
	addi	t0, a1, 1
	slli	t0, t0, 12
	add	sp, sp, t0
	la	t0, boot_root
	srli	t0, t0, 12
	li	t1, 8 << 60			# Sv39
	or	t0, t0, t1
	sfence.vma
	csrw	satp, t0
	li	t1, HIGH
	la	t0, 1f
	add	t0, t0, t1
	jr	t0
1:	add	sp, sp, t1
	la	tp, boot_tasks
	slli	t0, a1, 8			# sizeof(struct task)
	add	tp, tp, t0
	csrw	sscratch, zero
	la	t0, trap
	csrw	stvec, t0
	mv	a0, a1
	call	kernel_main
2:	wfi
	j	2b

	.text
# Traps come only from programs: the kernel does not enable interrupts and does not fault. While a
# program runs, sscratch points to the task. While the kernel runs, tp does, and sscratch is 0.
	.globl	trap, return_to_program
	.type	trap, @function
	.balign	4
trap:
	csrrw	tp, sscratch, tp
	beqz	tp, broken
	sd	sp, USER_SP(tp)
	ld	sp, KERNEL_SP(tp)
	addi	sp, sp, -FRAME
	.irp	n, 1,3,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	sd	x\n, \n * 8(sp)
	.endr
	ld	t0, USER_SP(tp)
	csrrw	t1, sscratch, zero
	csrr	t2, sepc
	csrr	t3, sstatus
	sd	t0, 2 * 8(sp)
	sd	t1, 4 * 8(sp)
	sd	t2, 32 * 8(sp)
	sd	t3, 33 * 8(sp)
	mv	a0, sp
	call	handle_trap
	.size	trap, . - trap

	.type	return_to_program, @function
return_to_program:
	ld	t2, 32 * 8(sp)
	ld	t3, 33 * 8(sp)
	csrw	sepc, t2
	csrw	sstatus, t3
	csrw	sscratch, tp
	.irp	n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	ld	x\n, \n * 8(sp)
	.endr
	ld	sp, 2 * 8(sp)
	sret
	.size	return_to_program, . - return_to_program

# A trap of the kernel itself.
	.type	broken, @function
broken:
	csrr	tp, sscratch
	csrr	a0, scause
	csrr	a1, sepc
	csrr	a2, stval
	call	panic
	.size	broken, . - broken

# __switch_to(from, to): switches to another task, which goes on after its own call of this.
	.globl	__switch_to
	.type	__switch_to, @function
__switch_to:
	sd	ra, CONTEXT(a0)
	sd	sp, CONTEXT + 8(a0)
	ld	ra, CONTEXT(a1)
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11
	sd	s\n, CONTEXT + 16 + \n * 8(a0)
	ld	s\n, CONTEXT + 16 + \n * 8(a1)
	.endr
	ld	sp, CONTEXT + 8(a1)
	mv	tp, a1
	ret
	.size	__switch_to, . - __switch_to

# The programs, as they are in memory.
	.section .rodata
	.globl	programs
	.balign	8
programs:
	.incbin	"alpha.bin"
	.balign	16384
	.incbin	"beta.bin"
	.balign	16384
	.incbin	"gamma.bin"
	.balign	16384

	.bss
	.balign	4096
stacks:	.skip	2 * 4096
