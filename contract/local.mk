## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The contract's C side, which compiler and runtime use.
noinst_LTLIBRARIES += libcontract.la
libcontract_la_LIBTOOLFLAGS = --silent
libcontract_la_LDFLAGS = $(SAN_CFLAGS) $(COV_CFLAGS)
libcontract_la_SOURCES = \
	contract/builtin.c contract/builtin.h \
	contract/contract.c contract/contract.def contract/contract.h contract/contract_header.c \
	contract/contract_header.h contract/crc.c contract/crc.h contract/image/decode.h \
	contract/etm/cti.c contract/etm/cti.h contract/etm/etm.c contract/etm/etm.def contract/etm/etm.h \
	contract/etm/etm_core.h contract/etm/etm_dump.c \
	contract/etm/etm_dump.h contract/etm/etm_proto.c contract/etm/etm_text.c \
	contract/etm/etm_text.h contract/etm/pmu.c contract/etm/pmu.def contract/etm/pmu.h \
	contract/image/image.c contract/image/image.h contract/image/image_copies.c \
	contract/image/image_decode.c \
	contract/image/image_letters.c contract/image/image_machines.c \
	contract/image/image_mapped.c contract/image/image_recode.c \
	contract/image/image_sparse.c contract/image/kept.h contract/image/kept_header.c \
	contract/image/kept_read.c \
	contract/image/kept_write.c contract/image/ksets.c contract/image/ksets.h \
	contract/image/ksets_ask.c contract/image/ksets_int.h contract/image/ksets_moves.c \
	contract/image/packet.h contract/param.c \
	contract/proto/field_bins.c contract/proto/field_bins.h contract/proto/proto.c \
	contract/proto/proto_fields.c contract/proto/proto_form.c contract/proto/proto_form.h \
	contract/proto/proto.h contract/proto/proto_joins.c contract/proto/proto_pairs.c \
	contract/proto/tap.h \
	contract/proto/proto_pred.c contract/proto/reserved.c contract/proto/reserved.h \
	contract/image/record.h
nodist_libcontract_la_SOURCES = contract/builtin_data.c

# Calls the module with the compiler. It is in a library of its own, because only tools that compile
# filters need it.
noinst_LTLIBRARIES += libmodule.la
libmodule_la_SOURCES = contract/module.c contract/module.h
libmodule_la_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBDIR='"$(pkglibdir)"'

# The generator. The files that it makes from the contract are kept in the tree; stale.test
# compares them.
noinst_PROGRAMS += contract/gen/gencontract
contract_gen_gencontract_SOURCES = contract/contract.def contract/gen/gen.h contract/gen/gen_doc.c \
	contract/gen/gen_man.c contract/gen/gen_verilog.c contract/gen/gencontract.c
contract_gen_gencontract_LDADD = libcontract.la libsupport.la
EXTRA_DIST += doc/develop/contract.md contract/gen/stale.test contract/gen/rows.test \
	contract/gen/literals.test
TESTS += contract/gen/stale.test contract/gen/rows.test contract/gen/literals.test

# Makes the generated files in the source tree anew.
contract: contract/gen/gencontract$(EXEEXT)
	contract/gen/gencontract verilog >$(srcdir)/rtl/nfacc_contract.vh
	contract/gen/gencontract doc >$(srcdir)/doc/develop/contract.md
	contract/gen/gencontract header >$(srcdir)/runtime/device/nfacc_registers.h
	for page in overlay protocol; do \
		contract/gen/gencontract man <$(srcdir)/doc/man/nfacc-$$page.5 >$$page.5.tmp && \
			mv $$page.5.tmp $(srcdir)/doc/man/nfacc-$$page.5 || exit 1; \
	done
phony += contract
