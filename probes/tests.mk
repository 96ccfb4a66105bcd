## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The tests and benchmarks of the products beside the compiler. They use the compiler, as all tests
# do.
include probes/memory/tests/local.mk
include probes/profile/tests/local.mk
include probes/virtual/tests/local.mk
include probes/etm/tests/local.mk
