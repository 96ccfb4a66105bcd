## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# RISC-V machines and programs that qemu emulates: the plugin, and what nfaperf makes of its tokens.
rv_scripts = testsuite/riscv/kernel.test testsuite/riscv/plugin.test \
	testsuite/riscv/user.test
TESTS += $(rv_scripts)
EXTRA_DIST += $(rv_scripts) testsuite/riscv/kernel testsuite/riscv/programs testsuite/riscv/rig.sh testsuite/riscv/slices.py \
	testsuite/riscv/tokens.py

# A boot of Linux. The kernel is built in RV_LINUX, which takes minutes the first time.
rv_long = testsuite/riscv/linux.test
EXTRA_DIST += $(rv_long) testsuite/riscv/linux
check-rv: all
	$(MAKE) check TESTS='$(rv_long) $(rv_scripts)'
phony += check-rv
