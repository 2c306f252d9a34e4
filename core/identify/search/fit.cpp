// SPDX-License-Identifier: Apache-2.0
#include "search/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "poslab/base/error.hpp"
#include "search/descent.hpp"
#include "search/numbers.hpp"

namespace poslab::identify {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

struct Tried {
  data::Values values;
  double distance = never;
};

class VariantFit {
 public:
  VariantFit(const Maker& maker, const Evidence& evidence, const std::vector<Standard>& standards, const Effort& effort,
             const Variant& variant, std::size_t& tried)
      : maker_(maker), evidence_(evidence), standards_(standards), effort_(effort), variant_(variant), tried_(tried) {}

  std::optional<Found> find() {
    const auto plain = maker_.candidate(variant_.choices);
    if (!plain) return std::nullopt;
    // Where the weights alone make any dump, numbers change nothing.
    if (maker_.weights_from(*plain->scheme) == WeightsFrom::solved && maker_.surplus(*plain) == 0)
      return described(variant_.choices);
    std::vector<Tried> best = grid();
    if (best.empty()) return std::nullopt;
    for (const Tried& one : best)
      if (auto found = inside(one.values)) return found;
    if (effort_.any_numbers)
      for (std::size_t i = 0; i < std::min<std::size_t>(2, best.size()); ++i)
        if (auto found = with_any_numbers(best[i])) return found;
    return described(best.front().values);
  }

 private:
  const data::Quantity& parameter(const std::string& name) const { return *maker_.info().parameter(name); }

  double distance(const data::Values& values) const {
    ++tried_;
    const auto candidate = maker_.candidate(values);
    return candidate ? distance_of(*candidate, evidence_) : never;
  }

  // The best few combinations of numbers in use. One number after another where there are too many combinations.
  std::vector<Tried> grid() {
    std::vector<std::pair<std::string, std::vector<data::Value>>> axes;
    double combinations = 1;
    for (const std::string& name : variant_.numbers) {
      std::vector<data::Value> values = values_in_use(parameter(name), evidence_);
      if (const data::Value* needed = variant_.choices.find(name);
          needed && std::find(values.begin(), values.end(), *needed) == values.end())
        values.insert(values.begin(), *needed);
      const data::Quantity& quantity = parameter(name);
      if (quantity.may_be_unset && std::holds_alternative<std::monostate>(quantity.default_value) &&
          !variant_.choices.contains(name))
        values.insert(values.begin(), data::Value{});
      if (values.size() < 2) continue;
      axes.emplace_back(name, std::move(values));
      combinations *= static_cast<double>(axes.back().second.size());
    }
    std::vector<Tried> best;
    const auto note = [&](const data::Values& values) {
      const double here = distance(values);
      if (!std::isfinite(here)) return;
      best.push_back({values, here});
      std::stable_sort(best.begin(), best.end(),
                       [](const Tried& a, const Tried& b) { return a.distance < b.distance; });
      if (best.size() > 3) best.pop_back();
    };
    note(variant_.choices);
    while (combinations > static_cast<double>(effort_.most_grid) && axes.size() > 2) {  // the last are the least used
      combinations /= static_cast<double>(axes.back().second.size());
      rest_.push_back(axes.back());
      axes.pop_back();
    }
    visit(axes, 0, variant_.choices, note);
    for (const auto& axis : rest_)
      for (const Tried& one : std::vector<Tried>(best)) visit({axis}, 0, one.values, note);
    return best;
  }
  template <class Note>
  void visit(const std::vector<std::pair<std::string, std::vector<data::Value>>>& axes, std::size_t at,
             const data::Values& values, const Note& note) {
    if (at == axes.size()) return note(values);
    for (const data::Value& value : axes[at].second) {
      data::Values more = values;
      more.set(axes[at].first, value);
      visit(axes, at + 1, more, note);
    }
  }

  std::optional<Found> inside(const data::Values& values) {
    Found found = described(values);
    if (!found.fit.inside) return std::nullopt;
    return found;
  }

  Found described(const data::Values& values) {
    Found found;
    auto candidate = maker_.candidate(values);
    if (!candidate) return found;
    found.candidate = std::move(*candidate);
    found.values = values;
    found.fit = best_fit(found.candidate, evidence_, standards_);
    found.weights = maker_.weights_from(*found.candidate.scheme);
    if (found.weights == WeightsFrom::solved) found.surplus = maker_.surplus(found.candidate);
    found.distance = distance_of(found.candidate, evidence_);
    found.free_list = free_list_;
    return found;
  }

  // Residuals of the numbers that are free, at the first `rows` rows.
  std::vector<double> rest(const data::Values& values, Index rows) const {
    const auto candidate = maker_.candidate(values);
    if (!candidate) return {};
    const Setting setting = setting_of(evidence_, evidence_.positions);
    std::vector<double> all;
    try {
      for (const auto& observation : evidence_.observations) {
        const Index columns = observation->columns(), count = std::min(rows, observation->rows());
        std::vector<double> shown(static_cast<std::size_t>(count * columns));
        observation->predict(*candidate, setting, 0, count, shown);
        const std::size_t stride = std::max<std::size_t>(1, shown.size() / 4096);
        for (std::size_t i = 0; i < shown.size(); i += stride) {
          const Index row = static_cast<Index>(i) / columns, column = static_cast<Index>(i) % columns;
          const double seen = observation->number(row, column), size = observation->size(row, column);
          if (!std::isfinite(seen)) continue;
          if (observation->relative() && seen > 0 && shown[i] > 0)
            all.push_back(std::log(shown[i] / seen));  // a line in the logarithm of the base
          else
            all.push_back((shown[i] - seen) / (size > 0 ? size : 1));
        }
      }
    } catch (const base::Error&) {
      return {};
    }
    return all;
  }

  struct Free {
    std::string name;
    std::size_t element;  // of a list
    bool logarithm;
  };
  static double number_of(const data::Values& values, const data::Quantity& quantity, const Free& free) {
    const data::Value* value = values.find(free.name);
    if (!value || std::holds_alternative<std::monostate>(*value)) value = &quantity.default_value;
    if (const auto* list = std::get_if<std::vector<double>>(value)) return list->at(free.element);
    if (const auto* number = std::get_if<double>(value)) return *number;
    return 1;
  }
  static void set(data::Values& values, const Free& free, double x) {
    const data::Value* value = values.find(free.name);
    if (value && std::holds_alternative<std::vector<double>>(*value)) {
      std::vector<double> list = std::get<std::vector<double>>(*value);
      list.at(free.element) = x;
      values.set(free.name, std::move(list));
    } else {
      values.set(free.name, x);
    }
  }

  std::vector<Free> free_numbers(const data::Values& values) const {
    std::vector<Free> free;
    for (const std::string& name : variant_.numbers) {
      const data::Quantity& quantity = parameter(name);
      if (quantity.kind == data::Kind::real && free.size() < 4) {
        const double x = number_of(values, quantity, {name, 0, false});
        free.push_back({name, 0, quantity.range.lowest >= 0 && x > 0});
      } else if (quantity.kind == data::Kind::list && free.size() < 4) {
        const data::Value* value = values.find(name);
        const auto* list = value ? std::get_if<std::vector<double>>(value) : nullptr;
        // One number a plane: each is free, and nothing else is.
        if (list && static_cast<Index>(list->size()) == evidence_.model.head_width() / 2 && name != "sections") {
          std::vector<Free> planes;
          for (std::size_t i = 0; i < list->size(); ++i) planes.push_back({name, i, true});
          return planes;
        }
      }
    }
    return free;
  }

  // Near the beginning first, where no plane has gone round, then farther and farther out, where a little shows.
  data::Values refined(const data::Values& start, const std::vector<Free>& free) {
    Index rows = 0;
    for (const auto& observation : evidence_.observations) rows = std::max(rows, observation->rows());
    rows = std::min(rows, evidence_.most_rows);
    data::Values values = start;
    for (Index level = 4;; level *= 4) {
      const Residuals residuals = [&](const std::vector<double>& x) -> std::vector<double> {
        data::Values here = values;
        for (std::size_t i = 0; i < free.size(); ++i) {
          const double number = free[i].logarithm ? std::exp(x[i]) : x[i];
          if (!parameter(free[i].name).range.contains(number)) return {};
          set(here, free[i], number);
        }
        ++tried_;
        return rest(here, std::min(level, rows));
      };
      std::vector<double> x;
      for (const Free& one : free) {
        const double number = number_of(values, parameter(one.name), one);
        x.push_back(one.logarithm ? std::log(std::max(number, 1e-300)) : number);
      }
      const Descent found = descend(residuals, x, level == 4 ? 20 : 8);
      if (std::isfinite(found.sum_of_squares))
        for (std::size_t i = 0; i < free.size(); ++i)
          set(values, free[i], free[i].logarithm ? std::exp(found.x[i]) : found.x[i]);
      if (level >= rows) return values;
    }
  }

  // Each fitted number becomes the roundest that still fits.
  data::Values rounded(data::Values values, const std::vector<Free>& free) {
    for (const Free& one : free)
      for (const double x :
           round_numbers_near(parameter(one.name), evidence_, number_of(values, parameter(one.name), one))) {
        if (!parameter(one.name).range.contains(x)) continue;
        data::Values other = values;
        set(other, one, x);
        const auto candidate = maker_.candidate(other);
        if (!candidate || !may_fit(*candidate, evidence_, standards_)) continue;
        values = other;
        break;
      }
    return values;
  }

  std::optional<Found> with_any_numbers(const Tried& start) {
    const std::vector<Free> all = free_numbers(start.values);
    if (all.empty()) return std::nullopt;
    free_list_ = all.size() > 4 || parameter(all.front().name).kind == data::Kind::list;
    // The first alone: the base, most often. Then all.
    std::vector<std::vector<Free>> sets;
    if (!free_list_)
      for (const Free& one : all) sets.push_back({one});
    if (all.size() > 1) sets.push_back(all);
    if (free_list_) sets = {all};
    for (const std::vector<Free>& free : sets) {
      const data::Values values = refined(start.values, free);
      if (auto found = inside(rounded(values, free))) return found;
      if (auto found = inside(values)) return found;
    }
    return std::nullopt;
  }

  const Maker& maker_;
  const Evidence& evidence_;
  const std::vector<Standard>& standards_;
  const Effort& effort_;
  const Variant& variant_;
  std::size_t& tried_;
  bool free_list_ = false;
  std::vector<std::pair<std::string, std::vector<data::Value>>> rest_;
};

// Values that may be left out without a number changing; then the others are what the variant is.
void name(Found& found, const Maker& maker, const Evidence& evidence, const Variant& variant) {
  const std::vector<double> shown = glimpse(found.candidate, evidence);
  data::Values values = found.values;
  for (const auto& [parameter, value] : found.values) {
    const data::Quantity* quantity = maker.info().parameter(parameter);
    data::Values without;
    for (const auto& [name, kept] : values)
      if (name != parameter) without.set(name, kept);
    if (std::find(variant.numbers.begin(), variant.numbers.end(), parameter) != variant.numbers.end() &&
        value != quantity->default_value)
      continue;
    const auto candidate = maker.candidate(without);
    if (candidate && glimpse(*candidate, evidence) == shown) values = without;
  }
  found.fit.named.scheme = maker.info().id;
  found.fit.named.parameters = {};
  for (const data::Quantity& quantity : maker.info().parameters)
    if (const data::Value* value = values.find(quantity.name); value && *value != quantity.default_value)
      found.fit.named.parameters.set(quantity.name, *value);
  found.length = length_of(maker.info(), found.fit.named.parameters, evidence);
  for (const data::Values& other : variant.same)
    for (const data::Quantity& quantity : maker.info().parameters) {
      const data::Value *a = other.find(quantity.name), *b = variant.choices.find(quantity.name);
      const data::Value& here = a ? *a : quantity.default_value;
      const data::Value& there = b ? *b : quantity.default_value;
      if (here != there && std::find(found.silent.begin(), found.silent.end(), quantity.name) == found.silent.end())
        found.silent.push_back(quantity.name);
    }
}

}  // namespace

std::vector<Found> fits_of(const Maker& maker, const Evidence& evidence, const std::vector<Standard>& standards,
                           const Effort& effort, std::size_t& tried) {
  std::vector<Found> all;
  for (const Variant& variant : variants_of(maker, evidence)) {
    auto found = VariantFit(maker, evidence, standards, effort, variant, tried).find();
    if (!found || !found->candidate.scheme) continue;
    name(*found, maker, evidence, variant);
    all.push_back(std::move(*found));
  }
  std::stable_sort(all.begin(), all.end(), [](const Found& a, const Found& b) {
    if (a.fit.inside != b.fit.inside) return a.fit.inside;
    return a.fit.inside ? a.length < b.length : a.distance < b.distance;
  });
  return all;
}

}  // namespace poslab::identify
