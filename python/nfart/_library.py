# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""The interface of libnfart for ctypes: the structs of nfart.h, and the functions that the module uses.

`nfart.h` says what they mean. testsuite/python compares size and offsets of the structs, and the
numbers of the enums, with what a C compiler says of them.
"""
import ctypes
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_int, c_size_t, c_uint8,
                    c_uint32, c_uint64, c_void_p)
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
                ("when", c_uint8), ("header", c_uint64 * SLOTS)]


class nfart_line(Structure):
    _fields_ = [("label", c_uint32), ("address", c_uint64)]


class nfart_result(Structure):
    _fields_ = [("labels", POINTER(c_uint64)), ("nlabels", c_uint32), ("accepted", c_bool),
                ("logged", c_bool), ("lines", POINTER(nfart_line)), ("nlines", c_size_t),
                ("by_line", c_bool)]


class nfart_reader_options(Structure):
    _fields_ = [("format", c_int), ("unchecked", c_bool), ("strict", c_bool),
                ("has_ring_start", c_bool), ("as_is", c_bool), ("ring_start", c_uint64),
                ("map", c_char_p), ("map_name", c_char_p), ("wait", c_void_p), ("wait_ctx", c_void_p),
                ("mapping", c_void_p)]


class nfart_reader_stats(Structure):
    _fields_ = [("batches", c_uint64), ("messages", c_uint64), ("losses", c_uint64),
                ("lost", c_uint64), ("lost_unknown", c_bool), ("damaged", c_uint64),
                ("bad_chunks", c_uint64), ("bytes", c_uint64), ("size", c_uint64),
                ("damage", c_char_p)]


class nfart_engine_options(Structure):
    _fields_ = [("lines", c_bool), ("has_substream", c_bool), ("base", c_uint64),
                ("count", c_uint64), ("reset_on_loss", c_bool), ("tick", c_uint32)]


class nfart_filter_options(Structure):
    _fields_ = [("engine", nfart_engine_options), ("sink", c_void_p), ("ctx", c_void_p),
                ("simd", c_int), ("stepwise", c_bool), ("matches", c_bool)]


class nfart_filter_stats(Structure):
    _fields_ = [("batches", c_uint64), ("accepted", c_uint64), ("logged", c_uint64),
                ("output", c_uint64), ("labels", POINTER(c_uint64))]


class nfart_match(Structure):
    _fields_ = [("time", c_uint64), ("address", c_uint64), ("label", c_uint32)]


class nfart_pair(Structure):
    _fields_ = [("rule", c_uint32), ("outcome", c_int), ("time", c_uint64), ("header", c_uint64),
                ("slot", c_uint32), ("answer_slot", c_uint32), ("answer_time", c_uint64),
                ("answer_header", c_uint64), ("mark", c_uint32)]


STRUCTS = [nfart_error, nfart_batch, nfart_line, nfart_result, nfart_reader_options,
           nfart_reader_stats, nfart_engine_options, nfart_filter_options, nfart_filter_stats,
           nfart_match, nfart_pair]

# The size of a match in the array of nfart_filter_matches().
sizeof_match = ctypes.sizeof(nfart_match)

PairSink = CFUNCTYPE(c_bool, c_void_p, POINTER(nfart_pair))

_E = POINTER(nfart_error)

# The functions: name, result, arguments. An object of the library is a c_void_p.
_FUNCTIONS: List[Any] = [
    ("nfart_version", c_uint32, []),
    ("nfart_image_open", c_void_p, [c_char_p, _E]),
    ("nfart_image_load", c_void_p, [c_char_p, c_size_t, c_char_p, _E]),
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
    ("nfart_proto_npairs", c_uint32, [c_void_p]),
    ("nfart_proto_pair_name", c_char_p, [c_void_p, c_uint32]),
    ("nfart_format_parse", c_bool, [c_char_p, POINTER(c_int)]),
    ("nfart_format_name", c_char_p, [c_int]),
    ("nfart_reader_open", c_void_p, [c_char_p, c_void_p, POINTER(nfart_reader_options), _E]),
    ("nfart_reader_memory", c_void_p, [c_char_p, c_size_t, c_char_p, c_void_p,
                                       POINTER(nfart_reader_options), _E]),
    ("nfart_reader_free", None, [c_void_p]),
    ("nfart_reader_next", c_int, [c_void_p, POINTER(nfart_batch), _E]),
    ("nfart_reader_until", c_uint64, [c_void_p]),
    ("nfart_reader_stats", POINTER(nfart_reader_stats), [c_void_p]),
    ("nfart_reader_format", c_int, [c_void_p]),
    ("nfart_engine_new", c_void_p, [c_void_p, POINTER(nfart_engine_options), _E]),
    ("nfart_engine_free", None, [c_void_p]),
    ("nfart_engine_reset", None, [c_void_p]),
    ("nfart_engine_step", c_bool, [c_void_p, POINTER(nfart_batch), POINTER(nfart_result)]),
    ("nfart_pairs_new", c_void_p, [c_void_p, PairSink, c_void_p, _E]),
    ("nfart_pairs_free", None, [c_void_p]),
    ("nfart_pairs_put", c_bool, [c_void_p, POINTER(nfart_batch)]),
    ("nfart_pairs_end", c_bool, [c_void_p]),
    ("nfart_filter_new", c_void_p, [c_void_p, POINTER(nfart_filter_options), _E]),
    ("nfart_filter_free", None, [c_void_p]),
    ("nfart_filter_read", c_int, [c_void_p, c_void_p, _E]),
    ("nfart_filter_put", c_bool, [c_void_p, POINTER(nfart_batch)]),
    ("nfart_filter_bytes", c_bool, [c_void_p, c_char_p, c_size_t, c_uint64]),
    ("nfart_filter_full", c_bool, [c_void_p]),
    ("nfart_filter_matches", c_void_p, [c_void_p, POINTER(c_size_t)]),
    ("nfart_filter_until", None, [c_void_p, c_uint64]),
    ("nfart_filter_end", c_bool, [c_void_p]),
    ("nfart_filter_stats", nfart_filter_stats, [c_void_p]),
]


def _open() -> ctypes.CDLL:
    """Opens the library: the file that NFART_LIBRARY names, else the one that the system finds."""
    lib = ctypes.CDLL(os.environ.get("NFART_LIBRARY", "libnfart.so.0"))
    for name, result, arguments in _FUNCTIONS:
        function = getattr(lib, name)
        function.restype = result
        function.argtypes = arguments
    if lib.nfart_version() < VERSION:
        raise ImportError(f"libnfart {lib.nfart_version()} is older than this module, {VERSION}")
    return lib


lib = _open()
