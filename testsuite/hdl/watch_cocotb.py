# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""nfart.cocotb: monitors of cocotbext-axi give a filter the messages that the tap gives it."""
import random

import cocotb
import nfart
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiBus, AxiMaster, AxiRam
from cocotbext.axi.axi_channels import AxiAWMonitor
from nfart.cocotb import Accepted, Watch

TYPES = "AW", "W", "WLAST", "B", "AR", "R", "RLAST"


def stalls():
    while True:
        yield random.random() < 0.3


async def traffic(dut):
    """Begins reads and writes, and returns a function that waits for their end."""
    bus = AxiBus.from_entity(dut)
    master, ram = AxiMaster(bus, dut.clk, dut.rst), AxiRam(bus, dut.clk, dut.rst, size=4096)
    for side in master, ram:
        for channel in (side.write_if.aw_channel, side.write_if.w_channel, side.write_if.b_channel,
                        side.read_if.ar_channel, side.read_if.r_channel):
            channel.set_pause_generator(stalls())
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    for _ in range(3):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    await RisingEdge(dut.clk)

    async def work():
        await master.write(0, bytes(4096))
        for _ in range(30):
            at, size = random.randrange(3800), random.randrange(1, 256)
            data = random.randbytes(size)
            await master.write(at, data)
            assert (await master.read(at, size)).data == data

    return work


@cocotb.test()
async def same(dut):
    """All that is accepted: its time, and each message in words."""
    random.seed(1)
    image = nfart.Image("every.bin")
    taps = Watch(image, dut.tap, dut.clk, at_once=False)
    monitors = Watch(image, AxiBus.from_entity(dut), dut.clk, dut.rst, at_once=False)
    await (await traffic(dut))()
    found = []
    for watch in taps, monitors:
        try:
            watch.end()
        except Accepted:
            pass
        found.append([(m.time, [str(w) for w in m.messages if w.type in TYPES]) for m in watch.matches])
    assert len(found[0]) > 500
    assert found[0] == found[1]
    print(f"same {len(found[0])} batches")


@cocotb.test()
async def one_channel(dut):
    """A single monitor will do; the filter of the second write accepts, and says so."""
    random.seed(2)
    watch = Watch("second.bin", AxiAWMonitor(AxiBus.from_entity(dut).write.aw, dut.clk, dut.rst), dut.clk,
                  at_once=False)
    await (await traffic(dut))()
    assert len(watch.matches) == 1
    try:
        watch.end()
    except Accepted as accepted:
        assert accepted.match == watch.matches[0] and "accepted by [second]" in str(accepted)
        return
    raise AssertionError("nothing is raised")


@cocotb.test(expect_error=Accepted)
async def at_once(dut):
    """The test ends when the filter accepts, whatever it waits for."""
    random.seed(2)
    Watch("second.bin", AxiBus.from_entity(dut), dut.clk, dut.rst)
    await (await traffic(dut))()
    raise ValueError("the test goes on")


@cocotb.test()
async def ticks(dut):
    """While nothing happens a filter with ticks accepts, behind a tap and behind monitors."""
    random.seed(3)
    image = nfart.Image("quiet.bin")
    taps = Watch(image, dut.tap, dut.clk, at_once=False)
    monitors = Watch(image, AxiBus.from_entity(dut), dut.clk, dut.rst, at_once=False)
    await (await traffic(dut))()
    before = [len(taps.matches), len(monitors.matches)]
    for _ in range(500):
        await RisingEdge(dut.clk)
    # The tap counts on from the tests before, so the ticks are at other cycles.
    for watch, had in zip((taps, monitors), before):
        assert len(watch.matches) in (had + 4, had + 5)


@cocotb.test()
async def wrong(dut):
    """What can't be watched is refused."""
    for image, source, error in (("bytes.bin", dut.tap, ValueError), ("every.bin", dut.clk, TypeError),
                                 ("bytes.bin", AxiBus.from_entity(dut), ValueError)):
        try:
            Watch(image, source, dut.clk)
        except error:
            continue
        raise AssertionError(f"{image} is taken")
