## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The engine and its registers in the tools of others, which `./setup check-hdl` installs into
# $(builddir)/hdl by PyPI.
hdl_tests = testsuite/hdl/cocotb.test testsuite/hdl/etherbone.test \
	testsuite/hdl/etherbone_sim.test testsuite/hdl/fusesoc.test testsuite/hdl/litex.test \
	testsuite/hdl/rdl.test testsuite/hdl/scope.test
# The one of a dual-core machine, which takes minutes to build.
hdl_long_tests = testsuite/hdl/rocket.test
check-hdl: all
	$(MAKE) check TESTS='testsuite/cocotb.test $(hdl_tests)'
# With more than there are cases, so all are run.
check-hdl-long: all
	@NFACC_SEED=$${NFACC_SEED-`date +%Y%m%d`}; echo "check-hdl-long: NFACC_SEED=$$NFACC_SEED"; \
		export NFACC_SEED; NFACC_CASES=100000 $(MAKE) check \
		TESTS='testsuite/cocotb.test $(hdl_tests) $(hdl_long_tests)'
phony += check-hdl check-hdl-long
EXTRA_DIST += $(hdl_tests) $(hdl_long_tests) testsuite/hdl/rocket_bugs.sed \
	testsuite/hdl/rocket_hammer.S testsuite/hdl/rocket_main.cpp testsuite/hdl/rocket_memory.v \
	testsuite/hdl/rocket_top.v testsuite/hdl/engine_cocotb.py \
	testsuite/hdl/engine_plan.py testsuite/hdl/etherbone_server.py \
	testsuite/hdl/etherbone_soc.py testsuite/hdl/hdl.sh testsuite/hdl/rdl.py testsuite/hdl/ring_cocotb.py \
	testsuite/hdl/requirements.txt testsuite/hdl/scope_nfacc.v \
	testsuite/hdl/scope_verilog.py testsuite/hdl/watch_cocotb.py testsuite/hdl/watch_top.v
