#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# pythondir.sh PREFIX: prints, relative to PREFIX, the folder below PREFIX in which Python 3 looks
# for modules, such as lib/python3.11/dist-packages. Prints nothing where there is none. $PYTHON is
# the Python that is asked; else the system's, else the first in PATH.
for python in "${PYTHON:-/usr/bin/python3}" python3; do
	folder=$("$python" -I - "$1" 2>/dev/null <<'ASK'
import site
import sys
prefix = sys.argv[1].rstrip("/") + "/"
for folder in site.getsitepackages() + [site.getusersitepackages()]:
    # Python looks below /usr/local, too; with the prefix /usr that is not meant.
    if folder.startswith(prefix + "lib"):
        print(folder[len(prefix):])
        break
ASK
	)
	if [ -n "$folder" ]; then
		echo "$folder"
		exit 0
	fi
done
