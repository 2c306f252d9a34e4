// SPDX-License-Identifier: Apache-2.0
// Slips within what was named: the variant fits, and no model that is known has such numbers.
#include <algorithm>
#include <cmath>

#include "search/numbers.hpp"
#include "slips.hpp"

namespace poslab::identify {
namespace {

struct NamedNumber {
  const data::Quantity* parameter;
  double number;
};

// What was named of the parameters with that role: the first.
std::optional<NamedNumber> number_of(const data::SchemeInfo& scheme, data::Role role, const data::Values& values) {
  for (const data::Quantity& parameter : scheme.parameters) {
    const data::Value* const value = parameter.role == role ? values.find(parameter.name) : nullptr;
    if (!value) continue;
    if (const auto* real = std::get_if<double>(value)) return NamedNumber{&parameter, *real};
    if (const auto* integer = std::get_if<std::int64_t>(value))
      return NamedNumber{&parameter, static_cast<double>(*integer)};
  }
  return std::nullopt;
}

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

// A base that no model uses may be near one that some do, or near one to some power.
std::optional<Slip> slip_of_base(double b, const Evidence& evidence, const data::Quantity& quantity) {
  constexpr double near = 1e-3, least = 1e4;
  // Tables that are added have one base.
  const bool is_added = evidence.observations.front()->kind() == Kind::table;
  std::vector<double> in_use;
  for (const data::Value& value : values_in_use(quantity, evidence))
    if (const double* other = std::get_if<double>(&value); other && (!is_added || value == quantity.default_value))
      in_use.push_back(*other);
  for (const double other : in_use)
    if (other >= least && std::abs(b / other - 1) < near)
      return b == other ? std::nullopt : std::optional(Slip{Slip::Kind::nearly, other});
  for (const double width : {2.0, 4.0, 0.5, 0.25, 8.0, 4.0 / 3, 3.0 / 2, 2.5})
    for (const double other : in_use)
      if (other >= least && std::abs(std::pow(b, width) / other - 1) < near)
        return Slip{Slip::Kind::wrong_width, width};
  return std::nullopt;
}

}  // namespace

std::optional<Slip> slip_of_use(const host::Scheme& scheme, const Evidence& evidence) {
  const Kind kind = evidence.observations.front()->kind();
  if (kind == Kind::outputs && !evidence.causal && scheme.mask() == host::Mask::causal_only)
    return Slip{Slip::Kind::mask_missing};
  const bool has_products = kind == Kind::logits || kind == Kind::outputs;
  if (has_products && evidence.scale && *evidence.scale != scheme.logit_scale())
    return Slip{Slip::Kind::scale, *evidence.scale / scheme.logit_scale()};
  return std::nullopt;
}

std::optional<Slip> slip_within(const Found& found, const Evidence& evidence, const Maker& maker) {
  const data::Values& named = found.fit.named.parameters;
  const auto named_number = [&](data::Role role) { return number_of(maker.info(), role, named); };
  const auto factor = named_number(data::Role::factor);
  if (factor && factor->parameter == stretch_of(maker.info())) {
    data::Values usual = found.values;
    usual.erase(factor->parameter->name);
    if (const auto m = magnitude_of(maker, usual); m && *m > 1)
      for (const double power : {0.0, 2.0, 0.5})
        if (std::abs(factor->number - std::pow(*m, power)) < 1e-4) return Slip{Slip::Kind::magnitude, power};
  }
  if (const auto start = named_number(data::Role::start); start && std::abs(start->number) == 1)
    return Slip{Slip::Kind::off_by_one, start->number};
  // A table that is added comes multiplied by what it should not.
  if (factor && factor->parameter->default_value == data::Value(1.0))
    return Slip{factor->number == -1 ? Slip::Kind::sign : Slip::Kind::scale, factor->number == -1 ? 0 : factor->number};
  if (auto slip = slip_of_use(*found.candidate.scheme, evidence)) return slip;
  const auto base = named_number(data::Role::base);
  if (evidence.positions.extent(1) != 1 || !base) return std::nullopt;
  return slip_of_base(base->number, evidence, *base->parameter);
}

}  // namespace poslab::identify
