/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * options_take.h: what the rows of nfacc's table of options (options.c) have besides text: the
 * values that an option takes, and handlers for options that do more than store a value.
 * support/option.h says how these functions are called.
 */
#ifndef NFACC_COMPILER_OPTIONS_TAKE_H
#define NFACC_COMPILER_OPTIONS_TAKE_H

#include "support/option.h"

/* Value i of an option; its name is NULL behind the last one. */
struct option_value options_languages(size_t i);
struct option_value options_forms_of_checkers(size_t i);
struct option_value options_restarts_of_checkers(size_t i);
struct option_value options_verify_levels(size_t i);
struct option_value options_counts(size_t i);
struct option_value options_models(size_t i);
struct option_value options_formats(size_t i);
struct option_value options_protocols(size_t i);
struct option_value options_overlays(size_t i);
struct option_value options_targets(size_t i);
struct option_value options_readings(size_t i);
struct option_value options_layouts(size_t i);
struct option_value options_warnings(size_t i);
struct option_value options_warnings_off(size_t i);

/* Takes an option that was given: stores what it says in a struct options. */
int options_take_command(const struct option_given *g);
int options_take_emit(const struct option_given *g);
int options_take_stop_after(const struct option_given *g);
int options_take_no_pass(const struct option_given *g);
int options_take_level(const struct option_given *g);
int options_take_count(const struct option_given *g);
int options_take_overlay(const struct option_given *g);
int options_take_target(const struct option_given *g);
int options_take_reading(const struct option_given *g);
int options_take_bound(const struct option_given *g);
int options_take_core_budget(const struct option_given *g);
int options_take_rate(const struct option_given *g);
int options_take_clock(const struct option_given *g);
int options_take_period(const struct option_given *g);
int options_take_dir(const struct option_given *g);
int options_take_projection(const struct option_given *g);
int options_take_werror(const struct option_given *g);
int options_take_no_warning(const struct option_given *g);
int options_take_param(const struct option_given *g);
int options_take_at(const struct option_given *g);
int options_take_signal(const struct option_given *g);
int options_take_warning(const struct option_given *g);
int options_take_fatal(const struct option_given *g);
int options_take_all(const struct option_given *g);
int options_take_depends(const struct option_given *g);
int options_take_no_names(const struct option_given *g);
int options_take_log(const struct option_given *g);
int options_take_window(const struct option_given *g);
int options_take_tick(const struct option_given *g);
int options_take_substream(const struct option_given *g);
int options_take_fit_range(const struct option_given *g);
int options_take_fit_weights(const struct option_given *g);

/* Prints that memory is short. Returns NFART_SYSTEM. */
int options_no_memory(void);

#endif
