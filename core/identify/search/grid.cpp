// SPDX-License-Identifier: Apache-2.0
#include "search/grid.hpp"

#include <algorithm>
#include <cmath>

#include "poslab/base/error.hpp"
#include "poslab/base/find_by.hpp"
#include "search/numbers.hpp"

namespace poslab::identify {
namespace {

constexpr std::size_t many_combinations = 1000,
                      max_values_of_few = 8;  // of the values of a parameter, where time is short
constexpr std::size_t kept = 3, numbers_of_a_refutation = 3;
constexpr Index rows_of_a_refutation = 8;
constexpr double off_in_any_precision = 0.05;  // of a number's size; 16 bits are off by less so near the beginning

struct Axis {
  std::string name;
  std::vector<data::Value> values;
};

class Grid {
 public:
  Grid(const Maker& maker, const Evidence& evidence, const Variant& variant, std::size_t most, Looks looks,
       std::size_t& tried)
      : maker_(maker), evidence_(evidence), variant_(variant), most_(most), looks_(looks), tried_(tried) {}

  std::vector<Tried> nearest() {
    std::vector<Axis> axes = all_axes(), rest;
    double combinations = 1;
    for (const Axis& axis : axes) combinations *= static_cast<double>(axis.values.size());
    note(variant_.choices);
    while (combinations > static_cast<double>(most_) && axes.size() > 2) {  // the last are the least used
      combinations /= static_cast<double>(axes.back().values.size());
      rest.push_back(axes.back());
      axes.pop_back();
    }
    visit(axes, 0, variant_.choices);
    // A stretch that was left out would hide which lengths come nearest.
    if (const data::Quantity* parameter = stretch_of(maker_.info());
        parameter &&
        std::find(variant_.numbers.begin(), variant_.numbers.end(), parameter->name) != variant_.numbers.end() &&
        !variant_.choices.contains(parameter->name)) {
      data::Values without = variant_.choices;
      without.set(parameter->name, 1.0);
      visit(axes, 0, without);
      // What lies beside the channels that the nearest one rotates is not stretched.
      data::Values nearest = best_.empty() ? without : best_.front().values;
      nearest.set(parameter->name, 1.0);
      if (const auto stretch = stretch_of_dump(*parameter, nearest)) {
        without.set(parameter->name, *stretch);
        visit(axes, 0, without);
      }
    }
    if (!best_.empty() && best_.front().distance < exact_distance) return best_;
    for (const Axis& axis : rest) {
      std::vector<Tried> starts = best_;
      if (looks_ == Looks::for_a_fit) starts.push_back({variant_.choices});
      const bool is_length = maker_.info().parameter(axis.name)->kind == data::Kind::integer;
      for (const Tried& one : starts) {
        visit({axis}, 0, one.values);
        for (const auto* others : {&axes, &rest})
          for (const Axis& other : *others)  // a window means nothing without its group, a length without its factor
            if (is_length && other.name != axis.name && axis.values.size() * other.values.size() <= most_)
              visit({axis, other}, 0, one.values);
      }
    }
    return best_;
  }

 private:
  // By how much the dump is stretched at position 0, where nothing is rotated, if that is another factor than 1.
  std::optional<double> stretch_of_dump(const data::Quantity& parameter, const data::Values& without) const {
    constexpr double same = 2e-7;
    for (const double p : evidence_.positions.view().rows(0, 1).flat())
      if (p != 0) return std::nullopt;
    data::Values other = without;
    other.set(parameter.name, 2.0);
    const auto one = maker_.candidate(without), two = maker_.candidate(other);
    if (!one || !two) return std::nullopt;
    const Setting setting = setting_of(evidence_, evidence_.positions);
    double along = 0, length = 0;
    try {
      for (const auto& observation : evidence_.observations) {
        if (observation->kind() != Kind::rotated && observation->kind() != Kind::cosines) continue;
        std::vector<double> once(static_cast<std::size_t>(observation->columns())), twice(once.size());
        observation->predict(*one, setting, 0, 1, once);
        observation->predict(*two, setting, 0, 1, twice);
        for (std::size_t c = 0; c < once.size(); ++c) {
          const double by = twice[c] - once[c];
          along += (observation->number(0, static_cast<Index>(c)) - once[c]) * by, length += by * by;
        }
      }
    } catch (const base::Error&) {
      return std::nullopt;
    }
    const double stretch = 1 + along / length;
    if (!(stretch > 0) || !std::isfinite(stretch) || std::abs(stretch - 1) < same) return std::nullopt;
    for (const double x : round_numbers_near(parameter, evidence_, stretch))
      if (std::abs(x - stretch) <= same * stretch) return x;
    return stretch;
  }

  std::vector<Axis> all_axes() const {
    std::vector<Axis> axes;
    for (const std::string& name : variant_.numbers) {
      const data::Quantity& quantity = *maker_.info().parameter(name);
      std::vector<data::Value> values = values_in_use(quantity, evidence_);
      if (const data::Value* needed = variant_.choices.find(name);
          needed && std::find(values.begin(), values.end(), *needed) == values.end())
        values.insert(values.begin(), *needed);
      if (quantity.may_be_unset && std::holds_alternative<std::monostate>(quantity.default_value) &&
          !variant_.choices.contains(name))
        values.insert(values.begin(), data::Value{});
      if (values.size() < 2) continue;
      if (most_ < many_combinations && values.size() > max_values_of_few) values.resize(max_values_of_few);
      axes.push_back({name, std::move(values)});
    }
    return axes;
  }

  // Another way to say the same is no other combination: those that are kept differ.
  data::Values without_defaults(const data::Values& values) const {
    data::Values others;
    for (const data::Quantity& parameter : maker_.info().parameters)
      if (const data::Value* const value = values.find(parameter.name); value && *value != parameter.default_value)
        others.set(parameter.name, *value);
    return others;
  }

  void note(const data::Values& as_set) {
    const data::Values values = without_defaults(as_set);
    if (base::find_by(best_, &Tried::values, values)) return;
    ++tried_;
    const auto candidate = maker_.candidate(values);
    if (!candidate) return;
    if (looks_ == Looks::for_a_fit && !may_come_near(*candidate, evidence_)) return;
    const double bound = best_.size() < kept ? std::numeric_limits<double>::infinity() : best_.back().distance;
    const double here = distance_of(*candidate, evidence_, std::numeric_limits<Index>::max(), bound);
    if (!std::isfinite(here)) return;
    best_.push_back({values, here});
    std::stable_sort(best_.begin(), best_.end(),
                     [](const Tried& a, const Tried& b) { return a.distance < b.distance; });
    if (best_.size() > kept) best_.pop_back();
  }
  void visit(const std::vector<Axis>& axes, std::size_t at, const data::Values& values) {
    if (at == axes.size()) return note(values);
    data::Values more = values;
    for (const data::Value& value : axes[at].values) {
      more.set(axes[at].name, value);
      visit(axes, at + 1, more);
    }
  }

  const Maker& maker_;
  const Evidence& evidence_;
  const Variant& variant_;
  std::size_t most_;
  Looks looks_;
  std::size_t& tried_;
  std::vector<Tried> best_;
};

// What a variant shows at the first rows of every observation; empty where it cannot be made, or shows nothing.
std::vector<double> beginning(const Maker& maker, const Evidence& evidence, const data::Values& values) {
  const auto candidate = maker.candidate(values);
  if (!candidate) return {};
  const Setting setting = setting_of(evidence, evidence.positions);
  std::vector<double> all;
  try {
    for (const auto& observation : evidence.observations) {
      const Index rows = std::min({rows_of_a_refutation, observation->rows(), evidence.max_rows});
      const std::size_t before = all.size();
      all.resize(before + static_cast<std::size_t>(rows * observation->columns()));
      observation->predict(*candidate, setting, 0, rows, std::span(all).subspan(before));
    }
  } catch (const base::Error&) {
    return {};
  }
  return all;
}

}  // namespace

std::vector<Tried> nearest_in_use(const Maker& maker, const Evidence& evidence, const Variant& variant,
                                  std::size_t most, Looks looks, std::size_t& tried) {
  return Grid(maker, evidence, variant, most, looks, tried).nearest();
}

bool is_refuted(const Maker& maker, const Evidence& evidence, const Variant& variant) {
  const std::vector<double> plain = beginning(maker, evidence, variant.choices);
  std::vector<std::size_t> off;  // numbers where the dump is another, and nothing has changed anything
  std::size_t at = 0;
  if (!plain.empty())
    for (const auto& observation : evidence.observations)
      for (Index row = 0; row < std::min({rows_of_a_refutation, observation->rows(), evidence.max_rows}); ++row)
        for (Index column = 0; column < observation->columns(); ++column, ++at) {
          const double seen = observation->number(row, column), size = observation->size(row, column);
          if (std::abs(seen - plain[at]) > off_in_any_precision * std::max(size, std::abs(plain[at])))
            off.push_back(at);
        }
  const auto note = [&](const data::Values& values) {  // whether they make a variant
    if (off.size() < numbers_of_a_refutation) return false;
    const std::vector<double> other = beginning(maker, evidence, values);
    if (!other.empty()) std::erase_if(off, [&](std::size_t i) { return other[i] != plain[i]; });
    return !other.empty();
  };
  data::Values together = variant.choices;
  for (const std::string& name : variant.numbers)
    for (const data::Value& option : telling_values(*maker.info().parameter(name), evidence, variant.choices)) {
      data::Values other = variant.choices, more = together;
      other.set(name, option), more.set(name, option);
      note(other);
      if (note(more)) together = std::move(more);
    }
  return off.size() >= numbers_of_a_refutation;
}

}  // namespace poslab::identify
