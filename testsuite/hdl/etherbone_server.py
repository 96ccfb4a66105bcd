# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""etherbone_server.py SOCKET BASE FILE: LiteX's server (litex_server) in front of an engine that is
served at a Unix socket (runtime/device/device_wire.h), whose registers begin at the address BASE of
the server's bus. A second port takes the same packets over UDP, by LiteX's classes of packets. The
two ports are written to FILE."""
import os
import socket
import struct
import sys
import threading

from litex.tools.litex_server import RemoteServer
from litex.tools.remote.etherbone import EtherbonePacket, EtherboneRecord, EtherboneWrites

READ, WRITE = 2, 3  # enum wire_what


class Comm:
    """What litex_server does its accesses by: a bus on which there is nothing but the engine."""

    def __init__(self, path, base):
        self.base, self.lock = base, threading.Lock()
        self.engine = socket.socket(socket.AF_UNIX)
        self.engine.connect(path)

    def open(self):
        pass

    close = open

    def ask(self, what, address, value):
        if not self.base <= address < self.base + 4096:
            return 0xFFFFFFFF
        with self.lock:
            self.engine.sendall(struct.pack("<III", what, address - self.base, value))
            fault, answer = struct.unpack("<II", self.engine.recv(8, socket.MSG_WAITALL))
            if fault != 0:
                self.engine.recv(answer, socket.MSG_WAITALL)
        return answer if fault == 0 else 0xFFFFFFFF

    def read(self, address, length=1, burst="incr"):
        return [self.ask(READ, address + 4 * i, 0) for i in range(length)]

    def write(self, address, data):
        for i, value in enumerate(data):
            self.ask(WRITE, address + 4 * i, value)


def udp(comm, port):
    while True:
        data, peer = port.recvfrom(1500)
        packet = EtherbonePacket(32, data)
        packet.decode()
        record = packet.records.pop()
        if record.writes is not None:
            comm.write(record.writes.base_addr, record.writes.get_datas())
        if record.reads is not None:
            answer = EtherboneRecord(4)
            datas = [comm.read(address)[0] for address in record.reads.get_addrs()]
            answer.writes = EtherboneWrites(addr_size=4, datas=datas)
            answer.wcount = len(answer.writes)
            packet = EtherbonePacket(32)
            packet.records = [answer]
            packet.encode()
            # A core answers to the port that it has itself, whatever the sender's is.
            port.sendto(packet.bytes, (peer[0], port.getsockname()[1]))


comm = Comm(sys.argv[1], int(sys.argv[2], 0))
datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
datagrams.bind(("127.0.0.2", 0))
threading.Thread(target=udp, args=(comm, datagrams), daemon=True).start()
server = RemoteServer(comm, "127.0.0.1", 0)
server.open()
server.start(4)
with open(sys.argv[3] + ".new", "w") as f:
    print(server.socket.getsockname()[1], datagrams.getsockname()[1], file=f)
os.rename(sys.argv[3] + ".new", sys.argv[3])
threading.Event().wait()
