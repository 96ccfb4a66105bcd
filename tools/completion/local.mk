## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# genoptions makes files from the tools' tables of options. These files are kept in the source tree,
# and completion.test checks that they are up to date.
noinst_PROGRAMS += tools/completion/genoptions
tools_completion_genoptions_SOURCES = \
	tools/completion/bash.c tools/completion/completion.h tools/completion/fish.c \
	tools/completion/genoptions.c \
	tools/completion/manual.c tools/completion/nfamodel_options.c tools/completion/zsh.c \
	tools/nfactl/nfactl_options.c tools/nfactl/nfactl_options.h \
	tools/nfagen/nfagen_options.c tools/nfagen/nfagen_options.h \
	tools/nfaplot/nfaplot_options.c tools/nfaplot/nfaplot_options.h \
	tools/nfarun/nfarun_options.c tools/nfarun/nfarun_options.h tools/nfarun/protocol.c \
	tools/nfarun/protocol.h $(nfacc_commands)
if PROBES
tools_completion_genoptions_SOURCES += \
	probes/etm/tool/etmsim_options.c probes/etm/tool/etmsim_options.h \
	probes/memory/tool/nfamem_options.c probes/memory/tool/nfamem_options.h \
	probes/profile/tool/nfaperf_options.c probes/profile/tool/nfaperf_options.h \
	probes/virtual/tool/nfavirt_options.c probes/virtual/tool/nfavirt_options.h
genoptions_probes = libriscv.la libvirtual.la
endif
tools_completion_genoptions_LDADD = $(genoptions_probes) libdissector.la libtapverilog.la \
	libtraffic.la libdevice.la librun.la \
	libetmbound.la libetmproof.la \
	libnfacc.la libnfart.la
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = tools/completion/bash/etmsim tools/completion/bash/nfacc \
	tools/completion/bash/nfactl \
	tools/completion/bash/nfagen \
	tools/completion/bash/nfamem tools/completion/bash/nfamodel tools/completion/bash/nfaperf \
	tools/completion/bash/nfaplot tools/completion/bash/nfarun \
	tools/completion/bash/nfavirt
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = tools/completion/zsh/_etmsim tools/completion/zsh/_nfacc \
	tools/completion/zsh/_nfactl \
	tools/completion/zsh/_nfagen \
	tools/completion/zsh/_nfamem tools/completion/zsh/_nfamodel tools/completion/zsh/_nfaperf \
	tools/completion/zsh/_nfaplot tools/completion/zsh/_nfarun \
	tools/completion/zsh/_nfavirt
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = tools/completion/fish/etmsim.fish tools/completion/fish/nfacc.fish \
	tools/completion/fish/nfactl.fish \
	tools/completion/fish/nfagen.fish \
	tools/completion/fish/nfamem.fish tools/completion/fish/nfamodel.fish \
	tools/completion/fish/nfaperf.fish tools/completion/fish/nfaplot.fish \
	tools/completion/fish/nfarun.fish tools/completion/fish/nfavirt.fish
if MPI
# bash and fish find a completion file by the name of the command, so nfarun-mpi needs its own.
bashcompletion_DATA = tools/completion/nfarun-mpi
tools/completion/nfarun-mpi: tools/completion/bash/nfarun
	$(MKDIR_P) tools/completion
	cp $(srcdir)/tools/completion/bash/nfarun $@
fishcompletion_DATA = tools/completion/nfarun-mpi.fish
tools/completion/nfarun-mpi.fish:
	$(MKDIR_P) tools/completion
	echo 'complete -c nfarun-mpi -w nfarun' >$@
CLEANFILES += tools/completion/nfarun-mpi tools/completion/nfarun-mpi.fish
endif
TESTS += testsuite/completion.test
EXTRA_DIST += testsuite/completion.py testsuite/completion.test

# Makes the generated files in the source tree again.
options: tools/completion/genoptions$(EXEEXT)
	for t in $(completed); do \
		tools/completion/genoptions bash $$t >$(srcdir)/tools/completion/bash/$$t && \
		tools/completion/genoptions zsh $$t >$(srcdir)/tools/completion/zsh/_$$t && \
		tools/completion/genoptions fish $$t >$(srcdir)/tools/completion/fish/$$t.fish || \
			exit 1; done
	for p in $(optionpages); do \
		tools/completion/genoptions manual `basename $$p .1` \
			<$(srcdir)/$$p >options.tmp && \
		cat options.tmp >$(srcdir)/$$p || exit 1; done; rm -f options.tmp
completed = etmsim nfacc nfactl nfagen nfamem nfamodel nfaperf nfaplot nfarun nfavirt
optionpages = doc/man/etmsim.1 doc/man/nfacc.1 doc/man/nfactl.1 doc/man/nfagen.1 doc/man/nfamem.1 \
	doc/man/nfaperf.1 doc/man/nfaplot.1 doc/man/nfarun.1 \
	doc/man/nfavirt.1
phony += options
