# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""A SoC of LiteX whose CPU watches its own data bus by the engine; runs in LiteX's simulation, and writes a
waveform, build/gateware/sim.vcd. Usage: soc.py FIRMWARE-FOLDER [NFACC [RTL]]. It needs LiteX with
pythondata-cpu-vexriscv and pythondata-misc-tapcfg, Verilator, libevent-dev and libjson-c-dev, and
gcc-riscv64-unknown-elf."""
import os
import subprocess
import sys

from litex.build.generic_platform import Pins, Subsignal
from litex.build.sim import SimPlatform
from litex.build.sim.config import SimConfig
from litex.soc.integration.builder import Builder
from litex.soc.integration.common import get_mem_data
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from migen.genlib.io import CRG

from nfacc_litex import NFACC

HERE = os.path.dirname(os.path.abspath(__file__))
IO = [
    ("sys_clk", 0, Pins(1)),
    ("serial", 0,
        Subsignal("source_valid", Pins(1)), Subsignal("source_ready", Pins(1)),
        Subsignal("source_data", Pins(8)),
        Subsignal("sink_valid", Pins(1)), Subsignal("sink_ready", Pins(1)),
        Subsignal("sink_data", Pins(8))),
]


class SoC(SoCCore):
    def __init__(self, rom, nfacc, rtl):
        platform = SimPlatform("SIM", IO)
        self.crg = CRG(platform.request("sys_clk"))
        SoCCore.__init__(self, platform, clk_freq=int(1e6), cpu_type="vexriscv", cpu_variant="minimal",
                         uart_name="sim", integrated_rom_size=0x8000, integrated_rom_init=rom,
                         integrated_sram_size=0x1000, with_timer=False)
        self.add_ram("shared", origin=0x20000000, size=0x100)
        platform.add_debug(self, reset=0)  # the firmware says when the waveform is written

        self.nfacc = NFACC(self.cpu.dbus, os.path.join(HERE, "handed.re"), os.path.join(HERE, "engine.ov"),
                           nfacc=nfacc, rtl=rtl)
        self.bus.add_slave("nfacc", self.nfacc.regs, SoCRegion(size=0x1000, cached=False))


def build(rom, nfacc, rtl, run):
    config = SimConfig()
    config.add_clocker("sys_clk", freq_hz=int(1e6))
    config.add_module("serial2console", "serial")
    builder = Builder(SoC(rom, nfacc, rtl), output_dir="build", compile_software=False,
                      compile_gateware=run)
    builder.build(sim_config=config, run=run, interactive=False, trace=True, opt_level="O1", verbose=False)


def main(firmware, nfacc="nfacc", rtl="/usr/local/share/nfacc/rtl"):
    build([], nfacc, rtl, run=False)  # its addresses, for the firmware
    subprocess.run(["make", "-s", "-f", os.path.join(HERE, "firmware.mk"), f"FIRMWARE={firmware}"],
                   check=True)
    build(get_mem_data("firmware.bin", endianness="little"), nfacc, rtl, run=True)


main(*sys.argv[1:])
