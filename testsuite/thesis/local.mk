## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# What the thesis prints beside what comes out here. `make thesis` runs everything and writes
# doc/develop/thesis.md; QUICK=1 leaves out what takes long.
TESTS += testsuite/thesis/thesis.test
long_tests += testsuite/thesis/thesis.test
long_settings += NFACC_THESIS_LONG=1
EXTRA_DIST += doc/develop/thesis.md testsuite/thesis/checker.py testsuite/thesis/graphs.py \
	testsuite/thesis/items.py testsuite/thesis/numbers.py testsuite/thesis/thesis.py \
	testsuite/thesis/thesis.test testsuite/thesis/any.re testsuite/thesis/choice.re \
	testsuite/thesis/choices.re testsuite/thesis/in.re testsuite/thesis/inflight.re \
	testsuite/thesis/out.re
thesis: all
	@$(AM_TESTS_ENVIRONMENT) python3 -B $(srcdir)/testsuite/thesis/thesis.py page \
		$(QUICK:%=$(srcdir)/doc/develop/thesis.md) >thesis.tmp && \
	mv thesis.tmp $(srcdir)/doc/develop/thesis.md
CLEANFILES += thesis.tmp
phony += thesis
