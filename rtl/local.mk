EXTRA_DIST += rtl/contract.def
