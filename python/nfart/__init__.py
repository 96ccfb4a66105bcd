# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The file is long because the classes lend each other what the library owns.
"""Traces of hardware events, and the filters that nfacc compiles for them, over libnfart.

    import nfart
    image = nfart.Image("inflight.bin")
    for label, n in nfart.count(image, "inflight.bt").items():
        print(label, n)

An image has the protocol that is needed to read a trace. Without an image, `Protocol("eci")` has it.
Results of whole traces are columns: numpy arrays if numpy is installed, else memoryviews, which have
len(), [] and tolist(), too.

Where a trace or an image is wanted, a str or an os.PathLike is the name of a file, and any other
object is its bytes: bytes, bytearray, memoryview, mmap, a numpy array, contiguous and not copied.
While a Reader reads from it, its bytes must not change. A file that can't be read raises OSError.

Threads may share every object. Each call on a Reader, an Engine, a Filter or a Monitor waits for the
call of another thread on it.
"""
import os
from array import array
from ctypes import (byref, c_char_p, c_int, c_size_t, c_uint8, c_uint64, create_string_buffer,
                    get_errno, pointer, string_at)
from operator import index
from threading import RLock
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _library as _c
from ._library import lib as _lib

try:
    import numpy as _numpy
except ImportError:
    _numpy = None  # type: ignore[assignment]

__all__ = ["Batch", "Engine", "Error", "Filter", "Image", "Match", "Matches", "Message", "Messages",
           "Monitor", "PAIR_OUTCOMES", "Pairs", "Protocol", "Reader", "Result", "count", "matches",
           "messages", "pairs"]

Path = Union[str, "os.PathLike[str]"]
Source = Any  # a Path, or a bytes-like object
Column = Any  # numpy.ndarray, or memoryview

#: What became of a request, by the numbers in Pairs.outcome.
PAIR_OUTCOMES: Tuple[str, ...] = ("answered", "open", "replaced", "lost", "unasked")


class Error(Exception):
    """What the library could not do.

    `status` is a value of enum nfart_status. If `file` is not empty, the error is in that file, at
    `line` and `column`, which count from 1; 0 means that there is no such place.
    """

    def __init__(self, status: int, what: str, file: str = "", line: int = 0, column: int = 0) -> None:
        place = "".join(f"{p}:" for p in (file, line, column) if p)
        super().__init__(f"{place} {what}" if place else what)
        self.status, self.what, self.file, self.line, self.column = status, what, file, line, column


def _error(e: "_c.nfart_error", path: Any = None) -> Exception:
    """Returns the exception for an error of the library. For a file that can't be read it is an
    OSError; `path` is the name that the user gave it."""
    what, file = e.what.decode(errors="replace"), os.fsdecode(e.file)
    number = get_errno()
    if e.status == _c.STATUSES["NFART_SYSTEM"] and file and number:
        return OSError(number, os.strerror(number), file if path is None else path)
    return Error(e.status, what, file, e.line, e.column)


def _no_memory() -> Error:
    return Error(_c.STATUSES["NFART_SYSTEM"], "out of memory")


def _text(name: Optional[bytes]) -> Optional[str]:
    return None if name is None else name.decode(errors="replace")


def _column(values: Any) -> Column:
    return memoryview(values) if _numpy is None else _numpy.asarray(values)


_MOST = 2 ** 64 - 1


def _number(value: Any, what: str, most: int = _MOST) -> int:
    """Returns a number that C can hold: ctypes would cut it off without a word."""
    n = index(value)
    if not 0 <= n <= most:
        raise ValueError(f"{what} {n} is not in 0 to {most}")
    return n


def _string(text: str, what: str) -> bytes:
    """Returns a string for C, where a NUL would end it."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be a str, not {type(text).__name__}")
    if "\0" in text:
        raise ValueError(f"{what} has a null character")
    return text.encode()


def _is_path(source: Source) -> bool:
    return isinstance(source, (str, os.PathLike))


def _path(path: Path) -> bytes:
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("the name of a file has a null byte")
    return name


class _Object:
    """An object of the library. close() ends it; so does the end of a `with` block."""

    def __init__(self, handle: "_c.Handle") -> None:
        self._handle: Optional[_c.Handle] = handle
        self._lock = RLock()  # held by each method that uses what may change

    @property
    def _open(self) -> "_c.Handle":
        # What looks at memory of the library keeps this in a variable until it has looked.
        handle = self._handle
        if handle is None:
            raise ValueError(f"this {type(self).__name__} is closed")
        return handle

    def close(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None:
            handle.closed = True
        self._handle = None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# ---- protocols and images ----

class Message(NamedTuple):
    """A message in words: the name of its slot and type, its byte address, and its fields. `type` and
    `address` are None where it has none. The field `offset`, the place in the line, is in both."""

    slot: str
    type: Optional[str]
    address: Optional[int]
    fields: Dict[str, int]

    def __str__(self) -> str:
        words = [f"{name}={value}" for name, value in self.fields.items() if name != "offset"]
        place = "" if self.address is None else f" {self.address:#x}"
        return " ".join([f"{self.slot} {self.type}{place}", *words])


class Protocol:
    """A protocol: its slots, types, fields and rules for pairs. It is that of an image, a shipped one
    ("eci"), or the description in a file, whose name has a "." or "/" or is an os.PathLike."""

    def __init__(self, source: Union["Image", Path]) -> None:
        if isinstance(source, Image):
            self._handle = source._open  # the protocol belongs to it
            self._p: Any = _lib.nfart_image_proto(self._handle)
        else:
            self._handle = self._p = self._opened(source)
        self._taps: Optional[Protocol] = None
        self.name: str = _lib.nfart_proto_name(self._p).decode()
        #: The names of the slots, such as "cpu@6".
        self.slots: List[str] = [self._slot_name(i) for i in range(_lib.nfart_proto_nslots(self._p))]
        #: The names of the fields.
        self.fields: List[str] = [_lib.nfart_proto_field_name(self._p, i).decode()
                                  for i in range(_lib.nfart_proto_nfields(self._p))]
        #: The names of the rules for pairs.
        self.pairs: List[str] = [_lib.nfart_proto_pair_name(self._p, i).decode()
                                 for i in range(_lib.nfart_proto_npairs(self._p))]

    @staticmethod
    def _opened(source: Path) -> "_c.Handle":
        if not _is_path(source):
            raise TypeError(f"a protocol is an Image, a name or a path, not {type(source).__name__}")
        name, e = _path(source), _c.nfart_error()
        if not isinstance(source, str) and b"." not in name and b"/" not in name:
            name = b"./" + name
        address = _lib.nfart_proto_open(name, byref(e))
        if not address:
            raise _error(e, os.fspath(source))
        return _c.Handle(address, _lib.nfart_proto_free)

    @property
    def _open(self) -> Any:
        # The address, or the handle, of the protocol. After its image was closed this raises.
        if self._handle.closed:
            raise ValueError("the Image of this Protocol is closed")
        return self._p

    def _shipped(self) -> Optional["Protocol"]:
        """Returns the shipped protocol of this name for one of an image, which has no taps."""
        if self._taps is None and self._handle is not self._p:
            try:
                self._taps = Protocol(self.name)
            except Error:
                self._taps = self  # there is none
        return None if self._taps is self else self._taps

    def _slot_name(self, slot: int) -> str:
        out = create_string_buffer(96)
        _lib.nfart_proto_slot_name(self._p, slot, out, len(out))
        return out.value.decode()

    def _named(self, names: List[str], name: str, what: str) -> int:
        if name not in names:
            raise ValueError(f"protocol {self.name} has no {what} {name}")
        return names.index(name)

    def _slot(self, slot: int) -> int:
        n = index(slot)
        if not 0 <= n < len(self.slots):
            raise ValueError(f"protocol {self.name} has no slot {n}")
        return n

    def slot(self, name: str) -> int:
        """Returns the number of a slot."""
        return self._named(self.slots, name, "slot")

    def type(self, slot: int, header: int) -> Optional[str]:
        """Returns the name of a message's type, or None if its opcode has none."""
        return _text(_lib.nfart_proto_type(self._open, self._slot(slot), _number(header, "header")))

    def address(self, slot: int, header: int) -> Optional[int]:
        """Returns the byte address of a message's line, or None if the message has no address."""
        value = c_uint64()
        found = _lib.nfart_proto_address(self._open, self._slot(slot), _number(header, "header"),
                                         byref(value))
        return value.value if found else None

    def field(self, name: str, slot: int, header: int) -> Optional[int]:
        """Returns the value of a field, or None if the message lacks it."""
        value = c_uint64()
        found = _lib.nfart_proto_field(self._open, self._named(self.fields, name, "field"),
                                       self._slot(slot), _number(header, "header"), byref(value))
        return value.value if found else None

    def set_field(self, name: str, slot: int, header: int, value: int) -> int:
        """Returns the header with a value in a field."""
        changed = c_uint64(_number(header, "header"))
        if not _lib.nfart_proto_set_field(self._open, self._named(self.fields, name, "field"),
                                          self._slot(slot), byref(changed), _number(value, name)):
            raise ValueError(f"{self.type(slot, header)} in {self.slots[slot]} has no field {name} "
                             f"that can be {value}")
        return changed.value

    def message(self, type: str, address: int = 0, slot: Optional[str] = None,
                **fields: int) -> Tuple[int, int]:
        """Returns the slot and the header of a message, for Batch.of(). `slot` is needed where several
        slots have the type. An address within a line sets the field `offset`."""
        places = [self.slot(slot)] if slot is not None else [
            s for s in range(len(self.slots))
            if _lib.nfart_proto_header(self._open, s, _string(type, "type"), 0, byref(c_uint64()))]
        if len(places) != 1:
            raise ValueError(f"protocol {self.name} has no message {type}" if not places else
                             f"say which slot: {', '.join(self.slots[s] for s in places)}")
        number, address = places[0], _number(address, "address")
        line = address
        if "offset" in self.fields:
            # The least that is taken away makes it the address of a line.
            line = next(address >> k << k for k in range(65) if _lib.nfart_proto_header(
                self._open, number, _string(type, "type"), address >> k << k, byref(c_uint64()))
                or address >> k == 0)
        header = self.header(number, type, line)
        if line != address:
            fields = {"offset": address - line, **fields}
        for name, value in fields.items():
            header = self.set_field(name, number, header, value)
        return number, header

    def decode(self, slot: int, header: int) -> Message:
        """Returns a message in words."""
        fields = {name: value for name in self.fields
                  for value in [self.field(name, slot, header)] if value is not None}
        address = self.address(slot, header)
        return Message(self.slots[slot], self.type(slot, header),
                       None if address is None else address + fields.get("offset", 0), fields)

    def header(self, slot: int, type: str, address: int = 0) -> int:
        """Returns the header of a message of this type for the line at a byte address."""
        value, slot, address = c_uint64(), self._slot(slot), _number(address, "address")
        if not _lib.nfart_proto_header(self._open, slot, _string(type, "type"), address,
                                       byref(value)):
            raise ValueError(f"{self.slots[slot]} has no message {type} for address {address:#x}")
        return value.value


class Image(_Object):
    """An image, as nfacc writes it: the name of its file, or its bytes."""

    def __init__(self, source: Source) -> None:
        e = _c.nfart_error()
        if _is_path(source):
            address = _lib.nfart_image_open(_path(source), byref(e))
        else:
            memory = _c.Buffer(source)
            address = _lib.nfart_image_load(memory.address, memory.size, b"image", byref(e))
        if not address:
            raise _error(e, os.fspath(source) if _is_path(source) else None)
        super().__init__(_c.Handle(address, _lib.nfart_image_free))
        names = _lib.nfart_image_labels(self._open)
        #: The labels, and after them the outputs of machines, with names that begin with "|".
        self.labels: List[str] = [names[i].decode() for i in range(_lib.nfart_image_nlabels(self._open))]
        self.protocol = Protocol(self)
        #: Batches that are output before and after an accepted one.
        self.window: Tuple[int, int] = (_lib.nfart_image_window(self._open),
                                        _lib.nfart_image_window_after(self._open))
        self.limit: int = _lib.nfart_image_limit(self._open)
        self.tick: int = _lib.nfart_image_tick(self._open)
        self.key: Optional[str] = _text(_lib.nfart_image_key(self._open))
        self.states: int = _lib.nfart_image_nstates(self._open)
        #: Words of payload that the image looks at. Batches have none here, but those of a Reader that
        #: a Filter reads have.
        self.payload: int = _lib.nfart_image_payload(self._open)


# ---- traces ----

class _Batch(NamedTuple):
    time: int
    slots: Tuple[int, ...] = ()
    headers: Tuple[int, ...] = ()
    lost: Optional[int] = None


class Batch(_Batch):
    """The messages of one clock cycle. If `lost` is not None this is a loss record: so many messages
    were lost, or an unknown number if it is -1. Values that no batch can have raise ValueError."""

    __slots__ = ()

    def __new__(cls, time: int, slots: Iterable[int] = (), headers: Iterable[int] = (),
                lost: Optional[int] = None) -> "Batch":
        slots = tuple(_number(s, "slot", _c.SLOTS - 1) for s in slots)
        headers = tuple(_number(h, "header") for h in headers)
        if len(slots) != len(headers):
            raise ValueError(f"a batch with {len(slots)} slots has {len(headers)} headers")
        if len(set(slots)) != len(slots):
            raise ValueError("a batch has two messages in a slot")
        if lost is None and not slots:
            raise ValueError("a batch without messages is a loss record: say how many were lost")
        if lost is not None:
            lost = index(lost)
            lost = lost if lost == -1 else _number(lost, "lost", _c.LOST_UNKNOWN - 1)
            if slots:
                raise ValueError("a loss record has no messages")
        return super().__new__(cls, _number(time, "time"), slots, headers, lost)

    @classmethod
    def of(cls, time: int, *messages: Tuple[int, int]) -> "Batch":
        """A batch of messages, each of which is a pair (slot, header), as Protocol.message() has it."""
        return cls(time, [slot for slot, _ in messages], [header for _, header in messages])

    @classmethod
    def of_tap(cls, time: int, present: int, header: int, bits: int = 64) -> "Batch":
        """The batch at the outputs of a module that nfacc --emit=tap writes. `bits` is the width of a
        slot in s_header."""
        present, header = _number(present, "present"), index(header)
        slots = [s for s in range(_c.SLOTS) if present >> s & 1]
        return cls(time, slots, [header >> s * bits & (1 << bits) - 1 for s in slots])

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> "Batch":
        return cls(*iterable)  # for _replace(), too, which would not check


def _batch_of(b: "_c.nfart_batch") -> Batch:
    left, header = b.mask, b.header
    if left == 0 and b.when == 0:
        return tuple.__new__(Batch, (b.time, (), (), -1 if b.lost == _c.LOST_UNKNOWN else b.lost))
    slots = []
    while left:
        slots.append((left & -left).bit_length() - 1)
        left &= left - 1
    return tuple.__new__(Batch, (b.time, tuple(slots), tuple([header[s] for s in slots]), None))


def _fill(b: "_c.nfart_batch", batch: Batch, image: Image) -> None:
    """Makes b the batch, whose slots must be those of the image's protocol."""
    protocol = image.protocol
    if image.payload:
        raise ValueError("the image looks at payload, and a Batch has none; Filter.read() takes it "
                         "from a trace")
    if not isinstance(batch, Batch):
        raise TypeError(f"a Batch is wanted, not {type(batch).__name__}")
    mask = 0
    for slot, header in zip(batch.slots, batch.headers):
        mask |= 1 << slot
        b.header[slot] = header
    if mask >> len(protocol.slots):
        raise ValueError(f"protocol {protocol.name} has no slot {max(batch.slots)}")
    b.time, b.mask, b.when, b.lost = batch.time, mask, 0, 0
    if batch.lost is not None:
        b.lost = _c.LOST_UNKNOWN if batch.lost < 0 else batch.lost


def _span(begin: Optional[int], end: Optional[int]) -> Tuple[int, int]:
    """A span of time as the library has it: an end of 0 is that of the trace."""
    span = 0 if begin is None else begin, 1 << 64 if end is None else end
    if not 0 <= span[0] < span[1] <= 1 << 64:
        raise ValueError(f"no time is in {begin}..{end}")
    return span[0], span[1] % (1 << 64)


def _strings(texts: List[str], what: str) -> Any:
    """Returns an array of strings for C."""
    return (c_char_p * max(len(texts), 1))(*[_string(t, what) for t in texts])


class Reader(_Object):
    """Reads a trace: the name of its file ("-": standard input), or its bytes. `format` is a name that
    nfarun --from knows; None: the first bytes decide. `map` is text that says what the sources of a
    capture mean. `between` = (begin, end): only what is at begin or later, and before end; None stands
    for the trace's own begin or end. Iterating gives Batches.

    The others are for waveforms, as for nfarun. `at` is the prefix of the signals, such as
    "top.cpu.m_axi_", or a list of USE=PREFIX; `signals` is a dict of paths by name; with `end` the values
    at the end are a last sample; `time` is "cycle" or "wave"; `taps` is the Protocol whose taps are used:
    that of an image has none. None: the shipped one with the name of `protocol`, or `protocol` itself."""

    def __init__(self, source: Source, protocol: Protocol, format: Optional[str] = None,
                 strict: bool = False, map: Optional[str] = None,
                 between: Optional[Tuple[Optional[int], Optional[int]]] = None,
                 at: Union[str, Iterable[str]] = (), signals: Optional[Dict[str, str]] = None,
                 end: bool = False, time: str = "cycle", taps: Optional[Protocol] = None) -> None:
        if time not in ("cycle", "wave"):
            raise ValueError(f"time is 'cycle' or 'wave', not {time!r}")
        places = [at] if isinstance(at, str) else list(at)
        paths = [f"{name}={path}" for name, path in (signals or {}).items()]
        wave = _c.nfart_wave(at=_strings(places, "at"), nat=len(places),
                             signals=_strings(paths, "signals"), nsignals=len(paths), end=bool(end),
                             wave_time=time == "wave")
        taps = protocol._shipped() if taps is None else taps
        if taps is not None:
            taps_open = taps._open
            wave.taps = taps_open if isinstance(taps_open, int) else taps_open._as_parameter_
        e, o = _c.nfart_error(), _c.nfart_reader_options(strict=bool(strict))
        number, p = c_int(), protocol._open
        if format is not None and not _lib.nfart_format_parse(_string(format, "format"),
                                                              byref(number)):
            raise ValueError(f"there is no format {format}")
        o.format = number.value
        if map is not None:
            o.map = _string(map, "map")
        if between is not None:
            o.begin, o.end = _span(*between)
        o.wave = pointer(wave)
        memory = None
        if _is_path(source):
            address = _lib.nfart_reader_open(_path(source), p, byref(o), byref(e))
        else:
            memory = _c.Buffer(source)
            address = _lib.nfart_reader_memory(memory.address, memory.size, b"trace", p, byref(o),
                                               byref(e))
        self._path = os.fspath(source) if _is_path(source) else None
        if not address:
            raise _error(e, self._path)
        super().__init__(_c.Handle(address, _lib.nfart_reader_free, memory, protocol._handle, wave,
                                   taps and taps._handle))
        self._protocol = protocol
        self._batch = _c.nfart_batch()
        self._time = -1  # up to where the trace was read here

    def _check(self, got: int, e: "_c.nfart_error") -> bool:
        """Returns what nfart_reader_next() and its like say: is there more?"""
        if got < 0:
            raise _error(e, self._path)
        return got > 0

    def __iter__(self) -> Iterator[Batch]:
        e = _c.nfart_error()
        while True:
            with self._lock:
                self._protocol._open
                if not self._check(_lib.nfart_reader_next(self._open, byref(self._batch), byref(e)),
                                   e):
                    return
                batch = _batch_of(self._batch)
                self._time = batch.time
            yield batch

    @property
    def format(self) -> str:
        with self._lock:
            return _lib.nfart_format_name(_lib.nfart_reader_format(self._open)).decode()

    @property
    def stats(self) -> Dict[str, Any]:
        """What was read so far, as struct nfart_reader_stats has it."""
        with self._lock:
            handle = self._open
            s = _lib.nfart_reader_stats(handle).contents
            return {name: _text(s.damage) if name == "damage" else getattr(s, name)
                    for name, *_ in s._fields_}


# ---- engines and filters ----

class Result(NamedTuple):
    """What the filters say of a batch: the labels that accept it, with substreams the lines (or values
    of the key) as pairs (label, address), and whether it is logged."""

    labels: Tuple[str, ...]
    lines: Tuple[Tuple[str, int], ...]
    logged: bool


class Engine(_Object):
    """Runs an image batch by batch."""

    def __init__(self, image: Image, lines: bool = False, reset_on_loss: bool = False) -> None:
        e = _c.nfart_error()
        o = _c.nfart_engine_options(lines=bool(lines), reset_on_loss=bool(reset_on_loss))
        address = _lib.nfart_engine_new(image._open, byref(o), byref(e))
        if not address:
            raise _error(e)
        super().__init__(_c.Handle(address, _lib.nfart_engine_free, image._open))
        self._image = image
        self._batch, self._result = _c.nfart_batch(), _c.nfart_result()

    def step(self, batch: Batch) -> Result:
        with self._lock:
            self._image._open
            _fill(self._batch, batch, self._image)
            handle, r = self._open, self._result
            if not _lib.nfart_engine_step(handle, byref(self._batch), byref(r)):
                raise _no_memory()
            names = self._image.labels
            return Result(tuple(n for i, n in enumerate(names) if r.labels[i // 64] >> i % 64 & 1),
                          tuple((names[r.lines[i].label], r.lines[i].address)
                                for i in range(r.nlines)),
                          r.logged)

    def reset(self) -> None:
        """Puts the engine back to its start states."""
        with self._lock:
            self._image._open
            _lib.nfart_engine_reset(self._open)


class _Order:
    """The order in which a stream's records come. Other input raises ValueError."""

    def __init__(self) -> None:
        # The time of the last record, and of the last batch; was the last record of a loss?
        self.time, self.batch_time, self.after_loss = -1, -1, False
        self.passed = -1  # all that comes is later
        self.ended = False

    def takes(self, time: int, last: int, loss: bool = False) -> None:
        """Raises if input from `time` to `last` can't come next; else that is what comes."""
        if self.ended:
            raise ValueError("the stream has ended")
        again = loss or self.after_loss  # the time of the last record may come again
        if time < self.time or time == self.time and not again or (
                not loss and time <= self.batch_time) or time <= self.passed:
            raise ValueError(f"time {time} does not follow {max(self.time, self.passed)}")
        self.time, self.after_loss = last, loss
        if not loss:
            self.batch_time = last

    def passes(self, time: int) -> None:
        """What comes next is later than `time`."""
        if self.ended:
            raise ValueError("the stream has ended")
        self.passed = max(time, self.passed)


class Matches(NamedTuple):
    """Columns of matches: time of the batch, index of the label, byte address of the line (0 if the
    match is of no line)."""

    time: Column
    label: Column
    address: Column


def _open_image(image):
    if not isinstance(image, Image):
        raise TypeError(f"an Image is wanted, not {type(image).__name__}")
    return image._open


class Filter(_Object):
    """Runs an image at full speed, and gives matches as columns. Its input is one stream: times rise,
    except that a loss record may have the time of the record before or after it; and after end(), or
    read(), which ends the stream, nothing follows. Other input raises ValueError."""

    def __init__(self, image: Image, lines: bool = False, reset_on_loss: bool = False) -> None:
        e = _c.nfart_error()
        engine = _c.nfart_engine_options(lines=bool(lines), reset_on_loss=bool(reset_on_loss))
        o = _c.nfart_filter_options(engine=engine, matches=True)
        address = _lib.nfart_filter_new(_open_image(image), byref(o), byref(e))
        if not address:
            raise _error(e)
        super().__init__(_c.Handle(address, _lib.nfart_filter_free, image._open))
        self._image = image
        self._found = bytearray()
        self._order = _Order()

    def _fetch(self) -> None:
        n, handle = c_size_t(), self._open
        at = _lib.nfart_filter_matches(handle, byref(n))
        if n.value != 0:
            self._found += string_at(at, n.value * _c.sizeof_match)

    def _done(self, ok: bool) -> None:
        if not ok:
            raise _no_memory()
        self._fetch()

    def read(self, reader: Reader) -> None:
        """Filters all that a reader has left, and ends the stream. If there was input before, the
        reader must have been read up to its time."""
        with self._lock, reader._lock:
            self._image._open
            reader._protocol._open
            if self._order.ended:
                raise ValueError("the stream has ended")
            if reader._time < self._order.time:
                raise ValueError(f"the reader may have times that do not follow {self._order.time}")
            e, more = _c.nfart_error(), True
            while more:
                more = reader._check(_lib.nfart_filter_read(self._open, reader._open, byref(e)), e)
                self._fetch()
            _lib.nfart_filter_until(self._open, _lib.nfart_reader_until(reader._open))
            self.end()

    def put(self, batch: Batch) -> None:
        """Filters one batch, or loss record."""
        b = _c.nfart_batch()
        _fill(b, batch, self._image)
        with self._lock:
            self._image._open
            self._order.takes(b.time, b.time, loss=b.mask == 0)
            self._done(_lib.nfart_filter_put(self._open, byref(b)))

    def bytes(self, data: Any, time: int) -> None:
        """Filters bytes for protocol `bytes`; `time` is the time of the first one."""
        memory, time = _c.Buffer(data), _number(time, "time")
        if self._image.protocol.name != "bytes":
            raise ValueError(f"bytes are no trace of protocol {self._image.protocol.name}")
        with self._lock:
            self._image._open
            if memory.size != 0:
                self._order.takes(time, _number(time + memory.size - 1, "time"))
            self._done(_lib.nfart_filter_bytes(self._open, memory.address, memory.size, time))

    def end(self) -> None:
        """Ends the stream: ticks and the end are filtered, where the image has them. Where the stream
        has ended this does nothing."""
        with self._lock:
            self._image._open
            if not self._order.ended:
                handle, self._order.ended = self._open, True
                self._done(_lib.nfart_filter_end(handle))

    def matches(self) -> Matches:
        """Returns the matches since the last call of this function, by time, label and address."""
        with self._lock:
            self._open
            found, self._found = bytes(self._found), bytearray()
        words, halves = memoryview(found).cast("Q"), memoryview(found).cast("I")
        size, m = _c.sizeof_match, _c.nfart_match
        return Matches(_column(words[m.time.offset // 8::size // 8]),
                       _column(halves[m.label.offset // 4::size // 4]),
                       _column(words[m.address.offset // 8::size // 8]))

    @property
    def counts(self) -> Dict[str, int]:
        """How many batches each label accepts so far."""
        with self._lock:
            handle = self._open
            s = _lib.nfart_filter_stats(handle)
            return {name: s.labels[i] for i, name in enumerate(self._image.labels)}


# ---- whole traces ----

class Messages(NamedTuple):
    """Columns of messages: time, slot and header."""

    time: Column
    slot: Column
    header: Column


class Pairs(NamedTuple):
    """Columns of requests and what became of them: index of the rule, outcome (an index into
    PAIR_OUTCOMES), time, slot and header of the request, and those of the answer."""

    rule: Column
    outcome: Column
    time: Column
    slot: Column
    header: Column
    answer_time: Column
    answer_slot: Column
    answer_header: Column


def matches(image: Image, trace: Source, lines: bool = False, **options: Any) -> Matches:
    """Returns the matches of an image in a trace. The options are those of Reader."""
    with Reader(trace, image.protocol, **options) as reader, Filter(image, lines) as f:
        f.read(reader)
        return f.matches()


def count(image: Image, trace: Source, **options: Any) -> Dict[str, int]:
    """Returns how many batches of a trace each label accepts. The options are those of Reader."""
    with Reader(trace, image.protocol, **options) as reader, Filter(image) as f:
        f.read(reader)
        return f.counts


# How many elements C writes at once.
_ROOM = 1 << 15


def _collect(struct: Any, names: Iterable[str], step: Callable[[Any, int, Any], bool]) -> List[Column]:
    """Returns the columns `names` of a struct of columns. step() writes what comes next into such a
    struct, up to a room, and says whether there is more."""
    kinds = {name: kind for name, kind in struct._fields_}
    parts = {name: ((c_uint8 if kinds[name]._type_ is c_uint8 else c_uint64) * _ROOM)()
             for name in names}
    # Views as bytes of the same memory, of which what was written is appended to the columns.
    views = {name: memoryview(part).cast("B") for name, part in parts.items()}
    found = {name: array("B" if part._type_ is c_uint8 else "Q") for name, part in parts.items()}
    columns, n, more = struct(**parts), c_size_t(), True
    while more:
        more = step(byref(columns), _ROOM, byref(n))
        for name, column in found.items():
            column.frombytes(views[name][:n.value * column.itemsize])
    return [_column(column) for column in found.values()]


def messages(trace: Source, protocol: Protocol, **options: Any) -> Messages:
    """Returns the messages of a trace. The options are those of Reader."""
    e = _c.nfart_error()
    with Reader(trace, protocol, **options) as reader:
        return Messages(*_collect(
            _c.nfart_message_columns, Messages._fields,
            lambda columns, room, n: reader._check(_lib.nfart_reader_messages(
                reader._open, columns, room, n, byref(e)), e)))


def pairs(trace: Source, protocol: Protocol, **options: Any) -> Pairs:
    """Returns the requests of a trace, each with its answer, in the order in which their outcome was
    known. The options are those of Reader. Columns of the answer are 0 where there is none, and so are
    those of the request of an unasked answer."""
    e = _c.nfart_error()
    with Reader(trace, protocol, **options) as reader:
        address = _lib.nfart_pair_reader_new(reader._open, protocol._open, byref(e))
        if not address:
            raise _error(e)
        handle = _c.Handle(address, _lib.nfart_pair_reader_free, reader._open)
        return Pairs(*_collect(
            _c.nfart_pair_columns, Pairs._fields,
            lambda columns, room, n: reader._check(_lib.nfart_pair_reader_next(
                handle, columns, room, n, byref(e)), e)))


# It needs what is above.
from ._monitor import Match, Monitor  # noqa: E402
