# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""Usage: etherbone_soc.py NFACC RTL EXAMPLE: builds, in ./build, LiteX's simulation of a SoC without a CPU that an
Etherbone core drives over UDP, with the engine of examples/litex (the folder EXAMPLE) and its tap on the
core's own bus. Prints the address of the registers. build/gateware/obj_dir/Vsim runs it, in build/gateware,
as root; it makes the network interface tap0."""
import os
import sys

from litex.build.generic_platform import Pins, Subsignal
from litex.build.sim import SimPlatform
from litex.build.sim.config import SimConfig
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCMini
from liteeth.phy.model import LiteEthPHYModel
from migen.genlib.io import CRG

NFACC, RTL, EXAMPLE = sys.argv[1:]
sys.path.insert(0, EXAMPLE)
from nfacc_litex import NFACC as Module  # noqa: E402

IO = [
    ("sys_clk", 0, Pins(1)),
    ("eth_clocks", 0, Subsignal("tx", Pins(1)), Subsignal("rx", Pins(1))),
    ("eth", 0,
        Subsignal("source_valid", Pins(1)), Subsignal("source_ready", Pins(1)),
        Subsignal("source_data", Pins(8)),
        Subsignal("sink_valid", Pins(1)), Subsignal("sink_ready", Pins(1)),
        Subsignal("sink_data", Pins(8))),
]


class SoC(SoCMini):
    def __init__(self):
        platform = SimPlatform("SIM", IO)
        self.crg = CRG(platform.request("sys_clk"))
        SoCMini.__init__(self, platform, clk_freq=int(1e6))
        self.ethphy = LiteEthPHYModel(platform.request("eth"))
        self.add_etherbone(phy=self.ethphy, ip_address="192.168.1.50", mac_address=0x10e2d5000001,
                           data_width=8)
        self.nfacc = Module(self.etherbone.wishbone.bus, os.path.join(EXAMPLE, "handed.re"),
                            os.path.join(EXAMPLE, "engine.ov"), nfacc=NFACC, rtl=RTL)
        self.bus.add_slave("nfacc", self.nfacc.regs, SoCRegion(origin=0x30000000, size=0x1000, cached=False))


config = SimConfig()
config.add_clocker("sys_clk", freq_hz=int(1e6))
config.add_module("ethernet", "eth", args={"interface": "tap0", "ip": "192.168.1.100"})
Builder(SoC(), output_dir="build", compile_software=False, compile_gateware=False).build(
    sim_config=config, run=False, interactive=False, opt_level="O1", verbose=False)
