## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The Python module. Each version of Python looks for modules elsewhere, so it is installed where
# PYTHONPATH can name it.
pythonmoduledir = $(pkgdatadir)/python/nfart
dist_pythonmodule_DATA = python/nfart/__init__.py python/nfart/_library.py python/nfart/py.typed
