# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""The interface of libnfart for ctypes: the structs of nfart.h, and the functions that the module uses.

`nfart.h` says what they mean. testsuite/python compares size and offsets of the structs, and the
numbers of the enums, with what a C compiler says of them.

No function here gets a Python function to call. An exception in such a callback, such as the
KeyboardInterrupt of Ctrl-C, can't leave it: ctypes prints the exception and goes on. So what takes
long is done by functions that return to Python after some thousand records.
"""
import ctypes
import os
from ctypes import (POINTER, Structure, c_bool, c_char, c_char_p, c_int, c_size_t, c_uint8,
                    c_ssize_t, c_uint32, c_uint64, c_void_p)
from typing import Any, List

SLOTS = 64
LOST_UNKNOWN = 2 ** 64 - 1
VERSION = 100  # NFART_VERSION of the nfart.h that this file follows

STATUSES = {"NFART_OK": 0, "NFART_INPUT": 1, "NFART_USAGE": 2, "NFART_NOFIT": 3, "NFART_GAVEUP": 4,
            "NFART_SYSTEM": 5, "NFART_PARTIAL": 6}
OUTCOMES = {"NFART_PAIR_ANSWERED": 0, "NFART_PAIR_OPEN": 1, "NFART_PAIR_REPLACED": 2,
            "NFART_PAIR_LOST": 3, "NFART_PAIR_UNASKED": 4}
WHENS = {"NFART_TICK": 1, "NFART_END": 2}


class nfart_error(Structure):
    _fields_ = [("status", c_int), ("line", c_uint64), ("column", c_uint64), ("file", c_char * 256),
                ("what", c_char * 512), ("source", c_char * 256)]


class nfart_batch(Structure):
    _fields_ = [("time", c_uint64), ("mask", c_uint64), ("lost", c_uint64), ("damaged", c_bool),
                ("when", c_uint8), ("payload_words", c_uint8), ("header", c_uint64 * SLOTS),
                ("payload", POINTER(c_uint64))]


class nfart_line(Structure):
    _fields_ = [("label", c_uint32), ("address", c_uint64)]


class nfart_result(Structure):
    _fields_ = [("labels", POINTER(c_uint64)), ("nlabels", c_uint32), ("accepted", c_bool),
                ("logged", c_bool), ("lines", POINTER(nfart_line)), ("nlines", c_size_t),
                ("by_line", c_bool), ("more_lines", c_bool)]


class nfart_wave(Structure):
    _fields_ = [("at", POINTER(c_char_p)), ("nat", c_size_t), ("signals", POINTER(c_char_p)),
                ("nsignals", c_size_t), ("end", c_bool), ("wave_time", c_bool), ("taps", c_void_p),
                ("say", c_void_p), ("say_ctx", c_void_p)]


class nfart_reader_options(Structure):
    _fields_ = [("format", c_int), ("unchecked", c_bool), ("strict", c_bool),
                ("has_ring_start", c_bool), ("as_is", c_bool), ("ring_start", c_uint64),
                ("map", c_char_p), ("map_name", c_char_p), ("wait", c_void_p), ("wait_ctx", c_void_p),
                ("mapping", c_void_p), ("begin", c_uint64), ("end", c_uint64),
                ("follow", c_void_p), ("wave", POINTER(nfart_wave))]


class nfart_reader_stats(Structure):
    _fields_ = [("batches", c_uint64), ("messages", c_uint64), ("losses", c_uint64),
                ("lost", c_uint64), ("lost_unknown", c_bool), ("damaged", c_uint64),
                ("bad_chunks", c_uint64), ("bytes", c_uint64), ("size", c_uint64),
                ("damage", c_char_p)]


class nfart_message_columns(Structure):
    _fields_ = [("time", POINTER(c_uint64)), ("header", POINTER(c_uint64)),
                ("slot", POINTER(c_uint8))]


class nfart_engine_options(Structure):
    _fields_ = [("lines", c_bool), ("has_substream", c_bool), ("base", c_uint64),
                ("count", c_uint64), ("reset_on_loss", c_bool), ("keep_on_loss", c_bool),
                ("tick", c_uint32)]


class nfart_filter_options(Structure):
    _fields_ = [("engine", nfart_engine_options), ("sink", c_void_p), ("ctx", c_void_p),
                ("simd", c_int), ("stepwise", c_bool), ("matches", c_bool)]


class nfart_filter_stats(Structure):
    _fields_ = [("batches", c_uint64), ("accepted", c_uint64), ("logged", c_uint64),
                ("output", c_uint64), ("labels", POINTER(c_uint64))]


class nfart_match(Structure):
    _fields_ = [("time", c_uint64), ("address", c_uint64), ("label", c_uint32)]


class nfart_explained(Structure):
    _fields_ = [("batch", POINTER(nfart_batch)), ("result", nfart_result), ("text", c_char_p)]


class nfart_pair_columns(Structure):
    _fields_ = ([(name, POINTER(c_uint8)) for name in ("rule", "outcome", "slot", "answer_slot")] +
                [(name, POINTER(c_uint64))
                 for name in ("time", "header", "answer_time", "answer_header")])


STRUCTS = [nfart_error, nfart_batch, nfart_line, nfart_result, nfart_explained, nfart_wave,
           nfart_reader_options, nfart_reader_stats, nfart_message_columns, nfart_engine_options, nfart_filter_options,
           nfart_filter_stats, nfart_match, nfart_pair_columns]

# The size of a match in the array of nfart_filter_matches().
sizeof_match = ctypes.sizeof(nfart_match)

_E = POINTER(nfart_error)

# The functions: name, result, arguments. An object of the library is a c_void_p.
_FUNCTIONS: List[Any] = [
    ("nfart_version", c_uint32, []),
    ("nfart_image_open", c_void_p, [c_char_p, _E]),
    ("nfart_image_load", c_void_p, [c_void_p, c_size_t, c_char_p, _E]),
    ("nfart_image_free", None, [c_void_p]),
    ("nfart_image_proto", c_void_p, [c_void_p]),
    ("nfart_image_nlabels", c_uint32, [c_void_p]),
    ("nfart_image_labels", POINTER(c_char_p), [c_void_p]),
    ("nfart_image_window", c_uint64, [c_void_p]),
    ("nfart_image_window_after", c_uint64, [c_void_p]),
    ("nfart_image_limit", c_uint64, [c_void_p]),
    ("nfart_image_key", c_char_p, [c_void_p]),
    ("nfart_image_tick", c_uint64, [c_void_p]),
    ("nfart_image_nstates", c_uint32, [c_void_p]),
    ("nfart_image_payload", c_uint32, [c_void_p]),
    ("nfart_proto_open", c_void_p, [c_char_p, _E]),
    ("nfart_proto_parse", c_void_p, [c_char_p, c_size_t, c_char_p, _E]),
    ("nfart_proto_free", None, [c_void_p]),
    ("nfart_proto_name", c_char_p, [c_void_p]),
    ("nfart_proto_nslots", c_uint32, [c_void_p]),
    ("nfart_proto_slot", c_int, [c_void_p, c_char_p]),
    ("nfart_proto_slot_name", c_bool, [c_void_p, c_uint32, c_char_p, c_size_t]),
    ("nfart_proto_header", c_bool, [c_void_p, c_uint32, c_char_p, c_uint64, POINTER(c_uint64)]),
    ("nfart_proto_type", c_char_p, [c_void_p, c_uint32, c_uint64]),
    ("nfart_proto_address", c_bool, [c_void_p, c_uint32, c_uint64, POINTER(c_uint64)]),
    ("nfart_proto_nfields", c_uint32, [c_void_p]),
    ("nfart_proto_field_name", c_char_p, [c_void_p, c_uint32]),
    ("nfart_proto_field", c_bool, [c_void_p, c_uint32, c_uint32, c_uint64, POINTER(c_uint64)]),
    ("nfart_proto_set_field", c_bool, [c_void_p, c_uint32, c_uint32, POINTER(c_uint64), c_uint64]),
    ("nfart_proto_npairs", c_uint32, [c_void_p]),
    ("nfart_proto_pair_name", c_char_p, [c_void_p, c_uint32]),
    ("nfart_format_parse", c_bool, [c_char_p, POINTER(c_int)]),
    ("nfart_format_name", c_char_p, [c_int]),
    ("nfart_reader_open", c_void_p, [c_char_p, c_void_p, POINTER(nfart_reader_options), _E]),
    ("nfart_reader_memory", c_void_p, [c_void_p, c_size_t, c_char_p, c_void_p,
                                       POINTER(nfart_reader_options), _E]),
    ("nfart_reader_free", None, [c_void_p]),
    ("nfart_reader_next", c_int, [c_void_p, POINTER(nfart_batch), _E]),
    ("nfart_reader_messages", c_int, [c_void_p, POINTER(nfart_message_columns), c_size_t,
                                      POINTER(c_size_t), _E]),
    ("nfart_reader_until", c_uint64, [c_void_p]),
    ("nfart_reader_stats", POINTER(nfart_reader_stats), [c_void_p]),
    ("nfart_reader_format", c_int, [c_void_p]),
    ("nfart_engine_new", c_void_p, [c_void_p, POINTER(nfart_engine_options), _E]),
    ("nfart_engine_free", None, [c_void_p]),
    ("nfart_engine_reset", None, [c_void_p]),
    ("nfart_engine_step", c_bool, [c_void_p, POINTER(nfart_batch), POINTER(nfart_result)]),
    ("nfart_explainer_new", c_void_p, [c_void_p, POINTER(nfart_engine_options), _E]),
    ("nfart_explainer_free", None, [c_void_p]),
    ("nfart_explainer_put", c_bool, [c_void_p, POINTER(nfart_batch), _E]),
    ("nfart_explainer_until", c_bool, [c_void_p, c_uint64, _E]),
    ("nfart_explainer_end", c_bool, [c_void_p, _E]),
    ("nfart_explainer_next", c_int, [c_void_p, POINTER(nfart_explained), _E]),
    ("nfart_pair_reader_new", c_void_p, [c_void_p, c_void_p, _E]),
    ("nfart_pair_reader_free", None, [c_void_p]),
    ("nfart_pair_reader_next", c_int, [c_void_p, POINTER(nfart_pair_columns), c_size_t,
                                       POINTER(c_size_t), _E]),
    ("nfart_filter_new", c_void_p, [c_void_p, POINTER(nfart_filter_options), _E]),
    ("nfart_filter_free", None, [c_void_p]),
    ("nfart_filter_read", c_int, [c_void_p, c_void_p, _E]),
    ("nfart_filter_put", c_bool, [c_void_p, POINTER(nfart_batch)]),
    ("nfart_filter_bytes", c_bool, [c_void_p, c_void_p, c_size_t, c_uint64]),
    ("nfart_filter_full", c_bool, [c_void_p]),
    ("nfart_filter_matches", c_void_p, [c_void_p, POINTER(c_size_t)]),
    ("nfart_filter_until", None, [c_void_p, c_uint64]),
    ("nfart_filter_end", c_bool, [c_void_p]),
    ("nfart_filter_stats", nfart_filter_stats, [c_void_p]),
]


def _load() -> ctypes.CDLL:
    """Loads the file that NFART_LIBRARY names, else the one that the system finds, else the installed one."""
    if "NFART_LIBRARY" in os.environ:
        return ctypes.CDLL(os.environ["NFART_LIBRARY"], use_errno=True)
    try:
        return ctypes.CDLL("libnfart.so.0", use_errno=True)
    except OSError as not_found:
        try:
            # `make install` writes this file.
            from nfart._where import LIBDIR  # type: ignore[import-not-found]
        except ImportError:
            raise not_found from None
    return ctypes.CDLL(os.path.join(LIBDIR, "libnfart.so.0"), use_errno=True)


def _open() -> ctypes.CDLL:
    """Loads the library, and says what its functions take and return."""
    lib = _load()
    for name, result, arguments in _FUNCTIONS:
        function = getattr(lib, name)
        function.restype = result
        function.argtypes = arguments
    if lib.nfart_version() < VERSION:
        raise ImportError(f"libnfart {lib.nfart_version()} is older than this module, {VERSION}")
    return lib


lib = _open()


class Handle:
    """Owns an object of the library, and frees it when nothing refers to the handle any more.

    `keeps` are what the object borrows. A handle is an argument of the functions of the library, and
    ctypes refers to it while the call lasts: so an object that is closed by another thread, or by the
    handler of a signal, is freed after the calls that use it.
    """

    def __init__(self, address: int, free: Any, *keeps: Any) -> None:
        self._as_parameter_ = address
        self._free, self._keeps = free, keeps
        self.closed = False

    def __del__(self) -> None:
        self._free(self._as_parameter_)


class _Py_buffer(Structure):
    _fields_ = [("buf", c_void_p), ("obj", c_void_p), ("len", c_ssize_t), ("itemsize", c_ssize_t),
                ("readonly", c_int), ("ndim", c_int), ("format", c_char_p), ("shape", c_void_p),
                ("strides", c_void_p), ("suboffsets", c_void_p), ("internal", c_void_p)]


_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = [ctypes.py_object, POINTER(_Py_buffer), c_int]
_release_buffer = ctypes.pythonapi.PyBuffer_Release
_release_buffer.argtypes = [POINTER(_Py_buffer)]
_release_buffer.restype = None


class Buffer:
    """The memory of a bytes-like object, without a copy. While this lives the memory stays where it
    is: a bytearray can't be resized, and an mmap can't be closed. An object that is not bytes-like, or
    not contiguous, raises what Python says of it."""

    def __init__(self, source: Any) -> None:
        self._buffer = _Py_buffer()
        _get_buffer(source, ctypes.byref(self._buffer), 0)
        self.address, self.size = self._buffer.buf, self._buffer.len

    def __del__(self) -> None:
        if self._buffer.obj:
            _release_buffer(ctypes.byref(self._buffer))
