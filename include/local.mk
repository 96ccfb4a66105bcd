## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# What users include. nfart_status.h stands alone; everything in the tree may include it.
include_HEADERS += include/nfart.h include/nfart_status.h
if NFAMEM
include_HEADERS += include/nfamem.h
else
EXTRA_DIST += include/nfamem.h
endif
EXTRA_DIST += include/nfart.pc.in include/nfartConfig.cmake.in include/nfartConfigVersion.cmake.in

# The binary interface with which testsuite/abi-diff.test compares the library. If a change of it is
# intended, `make abi-reference` makes the file anew (doc/develop/abi.md).
EXTRA_DIST += include/libnfart.abi build-aux/abi.sh
abi-reference: libnfart.la
	sh $(srcdir)/build-aux/abi.sh $(srcdir)/include .libs/libnfart.so >libnfart.abi.new
	mv libnfart.abi.new $(srcdir)/include/libnfart.abi
phony += abi-reference

# Files that name folders are written at installation, since `make install prefix=...` may have
# another prefix than configure. libtool already wrote a folder into libnfart.la when it linked.
cmakedir = $(libdir)/cmake/nfart
fill = sed -e 's|[@]prefix@|$(prefix)|' -e 's|[@]libdir@|$(libdir)|' \
	-e 's|[@]includedir@|$(includedir)|' -e 's|[@]PACKAGE_VERSION@|$(PACKAGE_VERSION)|'
install-exec-hook:
	$(MKDIR_P) '$(DESTDIR)$(pkgconfigdir)' '$(DESTDIR)$(cmakedir)'
	$(fill) -e 's|dir=$(prefix)/|dir=$${prefix}/|' $(srcdir)/include/nfart.pc.in \
		>'$(DESTDIR)$(pkgconfigdir)/nfart.pc'
	chmod 644 '$(DESTDIR)$(pkgconfigdir)/nfart.pc'
	for f in nfartConfig.cmake nfartConfigVersion.cmake; do \
		$(fill) $(srcdir)/include/$$f.in >'$(DESTDIR)$(cmakedir)/'$$f && \
			chmod 644 '$(DESTDIR)$(cmakedir)/'$$f || exit 1; done
	sed "s|^libdir=.*|libdir='$(libdir)'|" '$(DESTDIR)$(libdir)/libnfart.la' >libnfart.la.inst
	$(INSTALL_DATA) libnfart.la.inst '$(DESTDIR)$(libdir)/libnfart.la'
	rm -f libnfart.la.inst
uninstall-hook:
	rm -f '$(DESTDIR)$(pkgconfigdir)/nfart.pc' '$(DESTDIR)$(cmakedir)'/nfartConfig*.cmake
