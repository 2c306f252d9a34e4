// SPDX-License-Identifier: Apache-2.0
// Made-up schemes and experiments, one for each case that a study can meet.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/study/plan.hpp"
#include "poslab/study/study.hpp"

namespace fake {

/// rope (base, style, factors), sinusoidal (base, layout), learned (max_length without default, limit may be unset,
/// offset, style), none; uniqueness (length, kind), relative-shift (length, inner shift; draws contents), extrapolation
/// (train_length without default, flag centred, inner multiple).
poslab::data::Catalogue catalogue();

/// `text`, read with the fake catalogue as study.toml.
poslab::study::Study parse(const std::string& text, const poslab::study::Overrides& overrides = {});

/// All mistakes of `text`, one line each, joined; empty: none.
std::string mistakes(const std::string& text, const poslab::study::Overrides& overrides = {});

/// A study of nine correct lines (rope x uniqueness), then `more`, from line 10.
std::string study_with(const std::string& more);

/// A forecaster that calls `one` for each cell.
poslab::study::Forecaster each(const std::function<poslab::data::Forecast(const poslab::data::Cell&)>& one);

/// Plans with a forecaster that refuses nothing; `learned` draws weights.
poslab::study::Plan plan(const std::string& text, const poslab::study::Overrides& overrides = {});

/// "uniqueness rope(base=2.0) d_model=128 heads=8 length=16 kind=position #0", one for each cell, and " skipped:
/// reason".
std::vector<std::string> cells(const poslab::study::Plan& plan);

}  // namespace fake
