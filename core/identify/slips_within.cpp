// SPDX-License-Identifier: Apache-2.0
// Slips within what was named: the variant fits, and no model that is known has such numbers.
#include <algorithm>
#include <cmath>

#include "search/numbers.hpp"
#include "slips.hpp"

namespace poslab::identify {
namespace {

// By how much a variant stretches queries at position 0.
std::optional<double> magnitude_of(const Maker& maker, const data::Values& values) {
  const auto candidate = maker.candidate(values);
  if (!candidate || !candidate->scheme->has(host::Operation::transform)) return std::nullopt;
  const host::Model& model = candidate->scheme->model();
  Array<double> x{model.heads, 1, model.head_width()}, position{1, candidate->scheme->least_axes()};
  x(0, 0, 0) = 1;
  candidate->scheme->transform<double>({1, model.train_length, false}, host::Side::key, position, candidate->views(),
                                       x);
  return std::abs(x(0, 0, 0));
}

}  // namespace

std::optional<Slip> slip_within(const Found& found, const Evidence& evidence, const Maker& maker) {
  const data::Values& named = found.fit.named.parameters;
  if (const data::Value* factor = named.find("attention_factor")) {
    data::Values usual = found.values;
    usual.erase("attention_factor");
    if (const auto m = magnitude_of(maker, usual); m && *m > 1)
      for (const double power : {0.0, 2.0, 0.5})
        if (std::abs(std::get<double>(*factor) - std::pow(*m, power)) < 1e-4) return Slip{Slip::Kind::magnitude, power};
  }
  if (const data::Value* start = named.find("start_index"))
    if (std::abs(std::get<double>(*start)) == 1) return Slip{Slip::Kind::off_by_one, std::get<double>(*start)};
  // A table that is added comes multiplied by what it should not.
  if (const data::Value* scale = named.find("scale");
      scale && maker.info().parameter("scale")->default_value == data::Value(1.0)) {
    const double factor = std::get<double>(*scale);
    return Slip{factor == -1 ? Slip::Kind::sign : Slip::Kind::scale, factor == -1 ? 0 : factor};
  }
  const bool has_products =
      evidence.observations.front()->kind() == Kind::logits || evidence.observations.front()->kind() == Kind::outputs;
  const host::Scheme& scheme = *found.candidate.scheme;
  if (evidence.observations.front()->kind() == Kind::outputs && !evidence.causal &&
      scheme.mask() == host::Mask::causal_only)
    return Slip{Slip::Kind::mask_missing};
  if (has_products && evidence.scale && *evidence.scale != scheme.logit_scale())
    return Slip{Slip::Kind::scale, *evidence.scale / scheme.logit_scale()};
  const data::Value* base = named.find("base");
  if (evidence.positions.extent(1) != 1 || !base || !std::holds_alternative<double>(*base)) return std::nullopt;
  const data::Quantity& quantity = *maker.info().parameter("base");
  const std::vector<data::Value> in_use = values_in_use(quantity, evidence);
  const double b = std::get<double>(*base);
  if (std::find(in_use.begin(), in_use.end(), data::Value(b)) != in_use.end() && b >= 1e4) return std::nullopt;
  for (const double width : {2.0, 4.0, 0.5, 0.25, 8.0, 4.0 / 3, 3.0 / 2, 2.5})
    for (const data::Value& value : in_use)
      if (const double other = std::get<double>(value); other >= 1e4 && std::abs(std::pow(b, width) / other - 1) < 1e-3)
        return Slip{Slip::Kind::wrong_width, width};
  return std::nullopt;
}

}  // namespace poslab::identify
