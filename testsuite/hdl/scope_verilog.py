# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""Usage: scope_verilog.py DEPTH STEPS: writes scope.v, LiteScope's analyzer on the signals of a Wishbone bus that
the tap of protocol wishbone has, with a trigger of so many steps and its CSR bus."""
import sys

from litescope import LiteScopeAnalyzer
from litex.gen import LiteXModule
from litex.soc.interconnect import csr_bus
from migen import Signal
from migen.fhdl import verilog

SIGNALS = {"cyc": 1, "stb": 1, "we": 1, "adr": 32, "sel": 4, "dat_w": 32, "cti": 3, "ack": 1, "err": 1}


class Scope(LiteXModule):
    def __init__(self, depth, steps):
        self.probes = [Signal(bits, name=name) for name, bits in SIGNALS.items()]
        self.analyzer = LiteScopeAnalyzer(self.probes, depth=depth, trigger_depth=steps)
        self.bus = csr_bus.Interface(data_width=32, address_width=14)
        self.bank = csr_bus.CSRBankArray(self, lambda name, memory: 0, data_width=32, address_width=14)
        self.shared = csr_bus.InterconnectShared([self.bus], self.bank.get_buses())


def main(depth, steps):
    top = Scope(int(depth), int(steps))
    ios = {*top.probes, top.bus.adr, top.bus.we, top.bus.re, top.bus.dat_w, top.bus.dat_r}
    verilog.convert(top, ios, name="scope").write("scope.v")


main(*sys.argv[1:])
