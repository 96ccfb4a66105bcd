# The whole compiler but main: what nfacc and the tests link.
noinst_LTLIBRARIES += libnfacc.la
libnfacc_la_SOURCES = \
	compiler/cmd_list.c compiler/cmd_list.h compiler/counterexample.c compiler/counterexample.h \
	compiler/lower.c compiler/lower.h compiler/pipeline.c compiler/pipeline.h compiler/question.c \
	compiler/question.h compiler/targets.c compiler/targets.h compiler/verify.c compiler/verify.h compiler/warn.c compiler/warn.h
libnfacc_la_LIBADD = libbackends.la libmap.la libir.la libgrammar.la libdesc.la libcontract.la \
	libsupport.la

bin_PROGRAMS += nfacc
nfacc_SOURCES = compiler/main.c compiler/options.c compiler/options.h
nfacc_LDADD = libnfacc.la
