// SPDX-License-Identifier: Apache-2.0
// Schemes and experiments that exist on paper only, one for each case that a study can meet.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "poslab/base/catalogue.hpp"
#include "poslab/spec/plan.hpp"
#include "poslab/spec/study.hpp"

namespace fake {

/// rope (base, style, factors), sinusoidal (base, layout), learned (max_length without default, limit may be unset,
/// offset, style), none; uniqueness (length, kind), relative-shift (length, inner shift; draws contents), extrapolation
/// (train_length without default, flag centred, inner multiple).
poslab::base::Catalogue catalogue();

/// `text`, read with the fake catalogue as study.toml.
poslab::spec::Study parse(const std::string& text, const poslab::spec::Overrides& overrides = {});

/// All mistakes of `text`, one line each, joined; empty: none.
std::string mistakes(const std::string& text, const poslab::spec::Overrides& overrides = {});

/// A study of nine right lines (rope x uniqueness) and then `more`, from line 10.
std::string study_with(const std::string& more);

/// A forecaster that asks `one` of each cell in turn.
poslab::spec::Forecaster each(std::function<poslab::spec::Forecast(const poslab::base::Cell&)> one);

/// Plans with a forecaster that refuses nothing; `learned` draws weights.
poslab::spec::Plan plan(const std::string& text, const poslab::spec::Overrides& overrides = {});

/// "uniqueness rope(base=2.0) d_model=128 heads=8 length=16 kind=position #0", one a cell, and " skipped: reason".
std::vector<std::string> cells(const poslab::spec::Plan& plan);

}  // namespace fake
