# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""nfacc_ring_engine with the memory of cocotbext-axi at its AXI4 port, whose channels wait at random:
what is in the ring is what nfarun says. cocotb.test runs this in a folder with engine_plan.py's
plan.json."""
import random

import cocotb
from cocotbext.axi import AxiRamWrite, AxiWriteBus
from engine_cocotb import (ARM, LOADED, PLAN, REGISTERS, STOP, Bench, batches_of, stalls, wanted_of,
                           words_of)

ON, ONLY, WRAP, WAIT = 1, 2, 4, 8
STATUS_ON, STATUS_BUSY, STATUS_FULL, STATUS_ERROR = 1, 2, 4, 8
BEAT, PAGE, MEMORY = 64, 4096, 1 << 20


class RingBench(Bench):
    def __init__(self, dut):
        super().__init__(dut)
        self.ram = AxiRamWrite(AxiWriteBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, size=MEMORY)
        self.run = 0

    def memory_waits(self, chance):
        for channel in self.ram.aw_channel, self.ram.w_channel, self.ram.b_channel:
            channel.set_pause_generator(stalls(chance))

    async def put_64(self, name, value):
        await self.put(name + "_LO", value & 0xFFFFFFFF)
        await self.put(name + "_HI", value >> 32)

    async def ring_on(self, base, size, how):
        """Begins a run of the ring, in memory that has what was there before."""
        self.run = self.run + 1
        await self.put_64("RING_BASE", base)
        await self.put_64("RING_SIZE", size)
        await self.put("RING_RUN", self.run)
        await self.put("RING_CONTROL", ON | how)

    async def ring_off(self):
        await self.put("RING_CONTROL", 0)
        for _ in range(2000):
            status = await self.get("RING_STATUS")
            if not status & (STATUS_ON | STATUS_BUSY):
                return status
        raise AssertionError("RING_STATUS.busy stays")

    def beat(self, base, size, number):
        """The words of a beat, by its number since the run began."""
        data = self.ram.read(base + number * BEAT % size, BEAT)
        words = [int.from_bytes(data[k:k + 8], "little") for k in range(0, BEAT, 8)]
        assert words[0] >> 8 & 0xFFFFFF == self.run and words[0] >> 32 == number * BEAT // size
        return words[1:1 + (words[0] & 7)]


async def stream(bench, case, pace):
    assert await bench.load(words_of(case["words"])) == LOADED, case["name"]
    await bench.put("CONTROL", ARM)
    await bench.tap(batches_of(case), pace)
    await bench.put("CONTROL", STOP)


@cocotb.test()
async def ring_holds(dut):
    """A ring that is large enough has all records in their order, and nothing else was written."""
    random.seed(PLAN["seed"] + 5)
    bench = await RingBench(dut).start()
    total = 0
    for case in PLAN["cases"]:
        bench.memory_waits(random.choice((0, 0.3, 0.7)))
        bench.wait_often(random.choice((0, 0.2)))
        wanted = wanted_of(case["wanted"])
        size = -(-(len(wanted) // 7 + 2) * BEAT // PAGE) * PAGE + PAGE * random.randrange(3)
        base = PAGE * random.randrange((MEMORY - size) // PAGE)
        bench.ram.write(0, bytes([0xA5]) * MEMORY)
        await bench.ring_on(base, size, ONLY)
        await stream(bench, case, random.choice((0, 0.3)))
        await bench.until("done", True)
        status = await bench.ring_off()
        assert not status & (STATUS_FULL | STATUS_ERROR), case["name"]
        beats = await bench.get_count("RING_WRITTEN")
        got = [word for number in range(beats) for word in bench.beat(base, size, number)]
        assert got == wanted, f"{case['name']}: {got} is not {wanted}"
        assert await bench.get_count("RING_LOST") == 0
        end = base + beats * BEAT
        assert bench.ram.read(0, base) == bytes([0xA5]) * base
        assert bench.ram.read(end, MEMORY - end) == bytes([0xA5]) * (MEMORY - end)
        assert bench.sink.empty()
        total += await bench.get_count("RING_RECORDS")
        print(f"same {case['name']}")
    assert total > len(PLAN["cases"])


@cocotb.test()
async def ring_wraps(dut):
    """One that wraps has the last records; one that waits for its reader has all of them."""
    random.seed(PLAN["seed"] + 6)
    bench = await RingBench(dut).start()
    bench.memory_waits(0.2)
    case = PLAN["overflow"]
    wanted = wanted_of(case["wanted"])
    await bench.ring_on(PAGE, PAGE, ONLY | WRAP)
    await stream(bench, case, 0.6)
    await bench.until("done", True)
    await bench.ring_off()
    beats = await bench.get_count("RING_WRITTEN")
    assert beats > PAGE // BEAT
    assert await bench.get_count("RING_LOST") == 0
    kept = [word for number in range(beats - PAGE // BEAT, beats)
            for word in bench.beat(PAGE, PAGE, number)]
    assert kept == wanted[-len(kept):]

    await bench.ring_on(8 * PAGE, PAGE, ONLY | WAIT)
    reading = cocotb.start_soon(stream(bench, case, 0.6))
    got, read = [], 0
    while len(got) < len(wanted):
        written = await bench.get_count("RING_WRITTEN")
        assert written - read <= PAGE // BEAT
        for number in range(read, written):
            got += bench.beat(8 * PAGE, PAGE, number)
        if written != read:
            await bench.put_64("RING_READ", written)
        assert written != read or not await bench.get("RING_STATUS") & STATUS_ERROR
        read = written
    await reading
    await bench.until("done", True)
    await bench.ring_off()
    assert got == wanted
    assert await bench.get_count("DROPPED") == 0
    assert read > 2 * PAGE // BEAT
