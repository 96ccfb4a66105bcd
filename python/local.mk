## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The Python module, in the folder that configure found or was given. The installed one knows where
# the library is, since systems do not look for libraries in all folders.
pythonmoduledir = $(pythondir)/nfart
dist_pythonmodule_DATA = python/nfart/__init__.py python/nfart/_library.py \
	python/nfart/_monitor.py python/nfart/cocotb.py python/nfart/py.typed
install-data-hook:
	echo 'LIBDIR = "$(libdir)"' >'$(DESTDIR)$(pythonmoduledir)/_where.py'
	chmod 644 '$(DESTDIR)$(pythonmoduledir)/_where.py'
uninstall-python:
	rm -f '$(DESTDIR)$(pythonmoduledir)/_where.py'
uninstall-local: uninstall-python
phony += uninstall-python
