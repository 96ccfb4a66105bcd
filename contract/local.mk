## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The contract's C side, which compiler and runtime use.
noinst_LTLIBRARIES += libcontract.la
libcontract_la_LIBTOOLFLAGS = --silent
libcontract_la_LDFLAGS = $(SAN_CFLAGS) $(COV_CFLAGS)
libcontract_la_SOURCES = \
	contract/contract.c contract/contract.def contract/contract.h contract/contract_header.c \
	contract/contract_header.h contract/crc.c contract/crc.h contract/decode.h \
	contract/cti.h contract/etm.c contract/etm.def contract/etm.h contract/etm_core.h contract/etm_dump.c \
	contract/etm_dump.h \
	contract/image.c contract/image.h contract/image_copies.c contract/image_decode.c \
	contract/image_letters.c contract/image_machines.c contract/image_mapped.c contract/image_recode.c \
	contract/image_sparse.c contract/module.h contract/packet.h contract/param.c contract/proto.c \
	contract/proto_fields.c contract/proto_form.c contract/proto_form.h contract/proto.h contract/proto_pairs.c \
	contract/proto_pred.c contract/record.h

# The generator. The files that it makes from the contract are kept in the tree; stale.test
# compares them.
noinst_PROGRAMS += contract/gencontract
contract_gencontract_SOURCES = contract/contract.def contract/gen.h contract/gen_doc.c \
	contract/gen_man.c contract/gen_verilog.c contract/gen_virtual.c contract/gencontract.c \
	contract/virtual.def contract/virtual.h
contract_gencontract_LDADD = libcontract.la libsupport.la
EXTRA_DIST += doc/contract.md contract/stale.test contract/rows.test contract/literals.test
TESTS += contract/stale.test contract/rows.test contract/literals.test

# Makes the generated files in the source tree anew.
contract: contract/gencontract$(EXEEXT)
	contract/gencontract verilog >$(srcdir)/rtl/nfacc_contract.vh
	contract/gencontract virtual >$(srcdir)/rtl/virt_contract.vh
	contract/gencontract doc >$(srcdir)/doc/contract.md
	contract/gencontract header >$(srcdir)/runtime/device/nfacc_registers.h
	for page in overlay protocol; do \
		contract/gencontract man <$(srcdir)/grammar/nfacc-$$page.5 >$$page.5.tmp && \
			mv $$page.5.tmp $(srcdir)/grammar/nfacc-$$page.5 || exit 1; \
	done
phony += contract
