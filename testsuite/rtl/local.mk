# Random filters and streams on the simulated engine, against reference matcher and software engine.
check_PROGRAMS += testsuite/rtl/rtl_random
testsuite_rtl_rtl_random_SOURCES = \
	runtime/rtl_engine.c runtime/rtl_engine.h rtl/sim/model.h \
	testsuite/property/gen.c testsuite/property/gen.h testsuite/property/gen_draw.h \
	testsuite/property/gen_filter.c testsuite/property/gen_pred.c testsuite/rtl/rtl_random.c
testsuite_rtl_rtl_random_LDADD = liboracle.la libnfacc.la libnfart.la
TESTS += testsuite/rtl/cases.test testsuite/rtl/random.test
EXTRA_DIST += testsuite/rtl/cases.test testsuite/rtl/random.test testsuite/rtl/cases testsuite/rtl/overlays
