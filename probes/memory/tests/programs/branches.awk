# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# branches.awk: writes a random program in assembly (-v seed=N). It loads from and stores to the heap
# between instructions that set flags and others that read them, with jumps forward, some by an
# address in memory. At the end it prints what is in its registers, flags and memory.
#
# r15: rounds to go, rdi: 2 KB on the heap, rcx: an index into it; the other registers are values.

function of(n) {
	return int(rand() * n)
}

function reg(bits) {
	return "%" names[bits, 1 + of(6)]
}

# An operand in memory.
function mem() {
	return of(3) ? of(256) * 8 "(%rdi)" : of(64) * 8 "(%rdi,%rcx,4)"
}

function say(text) {
	print "\t" text
}

function label(at) {
	return (at + 1 + of(6)) "f"
}

function one(at,  what) {
	what = of(26)
	if (what < 5)
		say("mov " mem() ", " reg(64))
	else if (what < 7)
		say("movzbl " mem() ", " reg(32))
	else if (what < 9)
		say("mov " reg(64) ", " mem())
	else if (what == 9)
		say("movb " reg(8) ", " mem())
	else if (what == 10)
		say("incl " mem())
	else if (what == 11)
		say("adc " reg(64) ", " mem())
	else if (what == 12)
		say("sub " mem() ", " reg(64))
	else if (what == 13)
		say("cmp " reg(64) ", " mem())
	else if (what == 14)
		say("test " reg(64) ", " reg(64))
	else if (what == 15)
		say("add " reg(64) ", " reg(64))
	else if (what == 16)
		say(of(2) ? "stc" : "cmc")
	else if (what == 17)
		say(of(2) ? "inc " reg(64) : "rcl $1, " reg(64))
	else if (what == 18)
		say("set" (of(2) ? "c " : "o ") reg(8))
	else if (what == 19)
		say("cmov" (of(2) ? "s " : "p ") reg(64) ", " reg(64))
	else if (what == 20)
		say("lea " of(99) "(%rip), %rcx\n\tmovzbl %cl, %ecx")
	else if (what == 21)
		say("mov " mem() ", %ecx\n\tmovzbl %cl, %ecx")
	else if (what == 22)
		say("jmp " label(at))
	else if (what == 23 && !of(3))
		say("jmp *go+" 8 * at "(%rip)")
	else
		say("j" substr("zcsopl", 1 + of(6), 1) " " label(at))
}

function take(bits, text,  n) {
	for (n = split(text, list); n; n--)
		names[bits, n] = list[n]
}

BEGIN {
	take(8, "al bl bpl r8b r9b r10b")
	take(32, "eax ebx ebp r8d r9d r10d")
	take(64, "rax rbx rbp r8 r9 r10")
	blocks = 120
	srand(seed)
	print ".globl main\nmain:"
	say("push %rbx\n\tpush %rbp\n\tpush %r15")
	say("mov $2048, %edi\n\tmov $1, %esi\n\tcall calloc@plt\n\tmov %rax, %rdi\n\tmov $3000, %r15d")
	say("xor %ecx, %ecx\n\tmov $2, %eax\n\tmov $3, %ebx\n\tmov $5, %ebp")
	for (i = 8; i < 11; i++)
		say("mov $" of(1e9) ", %r" i)
	print "again:"
	for (at = 0; at < blocks; at++) {
		print at ":\nat" at ":"
		for (n = 1 + of(5); n; n--)
			one(at)
	}
	for (; at < blocks + 6; at++)
		print at ":\nat" at ":"
	say("pushf\n\tpopq %rsi\n\tand $0x8c5, %esi\n\tadd %rsi, 8(%rdi)")
	say("dec %r15d\n\tjnz again")
	# rsi is the sum of all.
	for (i = 8; i < 11; i++)
		say("rol $7, %rsi\n\tadd %r" i ", %rsi")
	say("add %rax, %rsi\n\trol $7, %rsi\n\tadd %rbx, %rsi\n\trol $7, %rsi\n\tadd %rbp, %rsi")
	say("mov $256, %ecx\n1:\trol $7, %rsi\n\tadd -8(%rdi,%rcx,8), %rsi\n\tdec %ecx\n\tjnz 1b")
	say("lea text(%rip), %rdi\n\txor %eax, %eax\n\tcall printf@plt")
	say("pop %r15\n\tpop %rbp\n\tpop %rbx\n\txor %eax, %eax\n\tret")
	print ".section .rodata\ntext:\t.string \"%lx\\n\"\n.data\ngo:"
	for (at = 0; at < blocks; at++)
		say(".quad at" at + 1 + of(6))
	print ".section .note.GNU-stack,\"\",@progbits"
}
