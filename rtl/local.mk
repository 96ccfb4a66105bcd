# What is generated from the contract is kept in the tree; stale.test compares it.
noinst_PROGRAMS += rtl/gencontract
rtl_gencontract_SOURCES = rtl/gencontract.c rtl/contract.def
rtl_gencontract_LDADD = libcontract.la libsupport.la
EXTRA_DIST += rtl/nfacc_contract.vh doc/contract.md rtl/stale.test
TESTS += rtl/stale.test

# Makes the generated files anew, in the source tree.
contract: rtl/gencontract$(EXEEXT)
	rtl/gencontract verilog >$(srcdir)/rtl/nfacc_contract.vh
	rtl/gencontract doc >$(srcdir)/doc/contract.md
	rtl/gencontract header >$(srcdir)/runtime/nfacc_registers.h
.PHONY: contract
