# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""The engine in a SoC of LiteX, with a tap on a bus of Wishbone:

    self.nfacc = NFACC(self.cpu.dbus, "filter.re", "engine.ov")
    self.bus.add_slave("nfacc", self.nfacc.regs, SoCRegion(size=0x1000, cached=False))

The engine's registers are a region of the SoC's bus. Its output is in CSRs: software reads `record` and
`last` while `valid` is 1, and takes the word by a write to `take`. The filter is compiled with the SoC,
and `nfacc_image.h` in the folder `build` is its image for firmware."""
import os
import subprocess

from litex.gen import LiteXContext, LiteXModule
from litex.soc.interconnect import axi
from litex.soc.interconnect.csr import CSR, CSRStatus
from migen import Cat, ClockSignal, Constant, Instance, ResetSignal, Signal


class NFACC(LiteXModule):
    """`bus` is a wishbone.Interface, `image` the source of a filter, `overlay` the file of an overlay.
    `nfacc` is the compiler, `rtl` the folder of the engine's Verilog, `depth` how many batches can wait
    for software."""

    def __init__(self, bus, image, overlay, build="nfacc", nfacc="nfacc",
                 rtl="/usr/local/share/nfacc/rtl", depth=512):
        self.regs = axi.AXILiteInterface(data_width=32, address_width=32)
        self.record = CSRStatus(64, description="The word at the engine's output.")
        self.valid = CSRStatus(description="There is a word.")
        self.last = CSRStatus(description="It is the last one of its record.")
        self.take = CSR()

        build = os.path.abspath(build)
        os.makedirs(build, exist_ok=True)
        for emit, name, more in (("verilog", "nfacc_overlay.vh", ["--overlay", overlay]),
                                 ("tap", "nfacc_tap_wishbone.v", []),
                                 ("header", "nfacc_image.h", ["--overlay", overlay, image])):
            protocol = [] if emit == "header" else ["--protocol", "wishbone"]
            subprocess.run([nfacc, f"--emit={emit}", *protocol, *more, "-o", os.path.join(build, name)],
                           check=True)

        present, header, time, valid = Signal(2), Signal(128), Signal(64), Signal()
        # LiteX counts words, and the filter bytes.
        shift = (len(bus.dat_w) // 8).bit_length() - 1
        adr, sel = Signal(32), Signal(len(bus.sel))
        self.comb += [adr.eq(Cat(Constant(0, shift), bus.adr)), sel.eq(bus.sel)]
        self.specials += Instance(
            "nfacc_tap_wishbone", name="nfacc_tap", p_SEL_BITS=len(bus.sel), p_DAT_W_BITS=len(bus.dat_w),
            i_clk=ClockSignal(), i_rst=ResetSignal(), i_cyc=bus.cyc, i_stb=bus.stb, i_we=bus.we,
            i_adr=adr, i_sel=sel, i_dat_w=bus.dat_w, i_cti=bus.cti, i_ack=bus.ack, i_err=bus.err,
            i_rty=0, i_stall=0,
            o_s_valid=valid, o_s_present=present, o_s_header=header, o_s_time=time)
        self.specials += Instance(
            "nfacc_engine", name="nfacc_engine", p_OUT_DEPTH=depth,
            i_clk=ClockSignal(), i_rst=ResetSignal(),
            i_s_valid=valid, i_s_present=present, i_s_header=header, i_s_time=time,
            i_s_payload=0,
            i_s_axil_awaddr=self.regs.aw.addr[:12], i_s_axil_awvalid=self.regs.aw.valid,
            o_s_axil_awready=self.regs.aw.ready,
            i_s_axil_wdata=self.regs.w.data, i_s_axil_wstrb=self.regs.w.strb,
            i_s_axil_wvalid=self.regs.w.valid, o_s_axil_wready=self.regs.w.ready,
            o_s_axil_bresp=self.regs.b.resp, o_s_axil_bvalid=self.regs.b.valid,
            i_s_axil_bready=self.regs.b.ready,
            i_s_axil_araddr=self.regs.ar.addr[:12], i_s_axil_arvalid=self.regs.ar.valid,
            o_s_axil_arready=self.regs.ar.ready,
            o_s_axil_rdata=self.regs.r.data, o_s_axil_rresp=self.regs.r.resp,
            o_s_axil_rvalid=self.regs.r.valid, i_s_axil_rready=self.regs.r.ready,
            o_m_axis_tdata=self.record.status, o_m_axis_tvalid=self.valid.status,
            i_m_axis_tready=self.take.re, o_m_axis_tlast=self.last.status,
            o_idle=Signal(), o_done=Signal())

        platform = LiteXContext.platform
        platform.add_verilog_include_path(rtl)
        platform.add_verilog_include_path(build)
        platform.add_source(os.path.join(build, "nfacc_tap_wishbone.v"))
        with open(os.path.join(rtl, "nfacc.f")) as files:
            for line in files:
                if not line.startswith("//"):
                    platform.add_source(os.path.join(rtl, line.strip()))
