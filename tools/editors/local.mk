## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# gensyntax makes the files by which editors colour filters. They are kept in the source tree, and
# editors.test checks that they are up to date.
noinst_PROGRAMS += tools/editors/gensyntax
tools_editors_gensyntax_SOURCES = tools/editors/gensyntax.c
tools_editors_gensyntax_LDADD = libdesc.la libcontract.la libsupport.la
vimsyntaxdir = $(datadir)/vim/vimfiles/syntax
dist_vimsyntax_DATA = tools/editors/vim/syntax/nfacc.vim
vimdetectdir = $(datadir)/vim/vimfiles/ftdetect
dist_vimdetect_DATA = tools/editors/vim/ftdetect/nfacc.vim
editorsdir = $(pkgdatadir)/editors
dist_editors_DATA = tools/editors/nfacc.tmLanguage.json

# Makes the generated files in the source tree again.
syntax: tools/editors/gensyntax$(EXEEXT)
	tools/editors/gensyntax vim >$(srcdir)/tools/editors/vim/syntax/nfacc.vim
	tools/editors/gensyntax textmate >$(srcdir)/tools/editors/nfacc.tmLanguage.json
phony += syntax
TESTS += testsuite/editors.test
EXTRA_DIST += testsuite/editors.test testsuite/editors.py
