## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# RISC-V machines and programs that qemu emulates: the plugin, and what nfaperf makes of its tokens.
rv_scripts = testsuite/riscv/kernel.test testsuite/riscv/plugin.test \
	testsuite/riscv/user.test
TESTS += $(rv_scripts)
EXTRA_DIST += $(rv_scripts) testsuite/riscv/kernel testsuite/riscv/programs testsuite/riscv/rig.sh \
	testsuite/riscv/tokens.py
