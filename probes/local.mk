## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The products beside the compiler, a folder each: library, tool, manual page, page.
# ./configure --disable-probes leaves them out.
include probes/memory/local.mk
include probes/profile/local.mk
include probes/virtual/local.mk
include probes/etm/local.mk
