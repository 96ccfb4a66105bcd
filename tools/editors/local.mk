## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# gensyntax makes the files by which editors colour filters and descriptions. They are kept in the
# source tree, and editors.test checks that they are up to date.
noinst_PROGRAMS += tools/editors/gensyntax
tools_editors_gensyntax_SOURCES = tools/editors/gensyntax.c
tools_editors_gensyntax_LDADD = libdesc.la libcontract.la libsupport.la
vimsyntaxdir = $(datadir)/vim/vimfiles/syntax
dist_vimsyntax_DATA = tools/editors/vim/syntax/nfacc.vim tools/editors/vim/syntax/nfacccoh.vim \
	tools/editors/vim/syntax/nfaccov.vim tools/editors/vim/syntax/nfaccproto.vim
vimdetectdir = $(datadir)/vim/vimfiles/ftdetect
dist_vimdetect_DATA = tools/editors/vim/ftdetect/nfacc.vim
emacsdir = $(datadir)/emacs/site-lisp
dist_emacs_DATA = tools/editors/nfacc-mode.el
# This folder is an extension for Visual Studio Code as it stands.
editorsdir = $(pkgdatadir)/editors
dist_editors_DATA = tools/editors/language-configuration.json tools/editors/package.json \
	tools/editors/nfacc.tmLanguage.json tools/editors/nfacccoh.tmLanguage.json \
	tools/editors/nfaccov.tmLanguage.json tools/editors/nfaccproto.tmLanguage.json

# Makes the generated files in the source tree again.
syntax: tools/editors/gensyntax$(EXEEXT)
	for l in nfacc nfacccoh nfaccov nfaccproto; do \
		tools/editors/gensyntax vim $$l >$(srcdir)/tools/editors/vim/syntax/$$l.vim && \
		tools/editors/gensyntax textmate $$l >$(srcdir)/tools/editors/$$l.tmLanguage.json || \
			exit 1; done
	tools/editors/gensyntax emacs >$(srcdir)/tools/editors/nfacc-mode.el
	tools/editors/gensyntax vscode >$(srcdir)/tools/editors/package.json
phony += syntax
TESTS += testsuite/editors.test
EXTRA_DIST += testsuite/editors.test testsuite/editors.py
