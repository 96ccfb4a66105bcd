# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""check_pcapng.py LIST JSON PCAPNG HZ: compares a pcapng trace with the same trace as JSON. LIST is
what nfacc --list prints of the protocol. Prints what differs."""
import itertools
import sys

from packets import Pcapng, Protocol, wanted

protocol = Protocol(sys.argv[1])
trace = Pcapng(sys.argv[3], protocol)
hertz = int(sys.argv[4])

for want, (time, got) in itertools.zip_longest(wanted(sys.argv[2]), trace.packets,
                                               fillvalue=(None, None)):
    if got != want:
        print(f"wanted {want}\ngot    {got}")
        break
    if time != want.cycle * 10**9 // hertz:
        print(f"cycle {want.cycle} has {time} ns")
        break
if trace.interface[2].decode() != protocol.name or trace.interface[9] != b"\x09":
    print(f"options of the interface: {trace.interface}")
if str(hertz) not in trace.interface[3].decode():
    print(f"the interface does not say {hertz}")
if len(trace.numbers) > 1:
    print(f"several numbers of the protocol: {trace.numbers}")
