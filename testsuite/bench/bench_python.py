# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: nfacc contributors
"""Prints how long the Python module takes for two million generated messages: the median of five.

The environment says where things are: NFAGEN, NFART_LIBRARY.
"""
import os
import statistics
import subprocess
import tempfile
import time

import nfart

protocol = nfart.Protocol("eci")
with tempfile.TemporaryDirectory() as folder:
    trace = os.path.join(folder, "trace.nft")
    subprocess.run([os.environ["NFAGEN"], "-q", "-n", "2000000", "-f", "compact", "-o", trace],
                   check=True)
    for ask in nfart.messages, nfart.pairs:
        seconds = []
        for _ in range(5):
            begin = time.perf_counter()
            rows = len(ask(trace, protocol).time)
            seconds.append(time.perf_counter() - begin)
        print(f"{ask.__name__:10} {rows:9} rows {statistics.median(seconds):8.3f} s")
