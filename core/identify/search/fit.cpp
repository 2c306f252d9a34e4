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

constexpr const char* stretch = "attention_factor";
constexpr double largest_number = 1e15;  // of what is fitted
constexpr double hopeless_rest = 1e-3;   // mean square of what a descent leaves
constexpr std::size_t many_combinations = 1000,
                      max_values_of_few = 8;  // of the values of a parameter, where time is short
constexpr double exact = 1e-10;               // the same of what is the dump but for its rounding
constexpr Index max_numbers_of_descent = 1 << 19;
constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

struct Tried {
  data::Values values;
  double distance = never;
};

class VariantFit {
 public:
  VariantFit(const Maker& maker, const Evidence& evidence, const std::vector<Standard>& standards,
             std::size_t max_combinations, const Variant& variant)
      : maker_(maker), evidence_(evidence), standards_(standards), most_(max_combinations), variant_(variant) {}

  // Numbers in use.
  void try_numbers_in_use() {
    const auto plain = maker_.candidate(variant_.choices);
    if (!plain) return;
    // Where the weights alone make any dump, numbers change nothing.
    if (maker_.weights_from(*plain->scheme) == WeightsFrom::solved && maker_.surplus(*plain) == 0) {
      found_ = described(variant_.choices);
      return;
    }
    if (distance(variant_.choices) < exact && (found_ = inside(variant_.choices))) return;
    best_ = grid();
    for (const Tried& one : best_)
      if ((found_ = inside(one.values))) return;
    if (!best_.empty()) found_ = described(best_.front().values);
  }
  void try_any_numbers() {
    if (!found_ || found_->fit.inside) return;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, best_.size()); ++i)
      if (auto found = with_any_numbers(best_[i])) {
        found_ = std::move(found);
        return;
      }
  }
  std::optional<Found>& found() { return found_; }
  const Variant& variant() const { return variant_; }
  std::size_t tried() const { return tried_; }

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
      if (most_ < many_combinations && values.size() > max_values_of_few) values.resize(max_values_of_few);
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
    decltype(axes) rest;
    while (combinations > static_cast<double>(most_) && axes.size() > 2) {  // the last are the least used
      combinations /= static_cast<double>(axes.back().second.size());
      rest.push_back(axes.back());
      axes.pop_back();
    }
    visit(axes, 0, variant_.choices, note);
    // A stretch that was left out would hide which lengths come nearest.
    if (std::find(variant_.numbers.begin(), variant_.numbers.end(), stretch) != variant_.numbers.end() &&
        !variant_.choices.contains(stretch)) {
      data::Values without = variant_.choices;
      without.set(stretch, 1.0);
      visit(axes, 0, without, note);
    }
    if (!best.empty() && best.front().distance < exact) return best;
    for (const auto& axis : rest) {
      const bool is_length = parameter(axis.first).kind == data::Kind::integer;
      for (const Tried& one : std::vector<Tried>(best)) {
        visit({axis}, 0, one.values, note);
        for (const auto& other : axes)  // a window means nothing without its group, a length without its factor
          if (is_length && axis.second.size() * other.second.size() <= most_) visit({axis, other}, 0, one.values, note);
      }
    }
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
    auto candidate = maker_.candidate(values, true);
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
          // A list comes with a stretch of its own, whatever lengths it was made of.
          for (const std::string& other : variant_.numbers)
            if (other == stretch) planes.push_back({other, 0, true});
          return planes;
        }
      }
    }
    return free;
  }

  // Near the beginning first, where no plane has gone round, then farther and farther out, where a little shows.
  // Nothing where it does not even come near there.
  std::optional<data::Values> refined(const data::Values& start, const std::vector<Free>& free) {
    Index rows = 0, columns = 1;
    for (const auto& observation : evidence_.observations)
      rows = std::max(rows, observation->rows()), columns = std::max(columns, observation->columns());
    rows = std::min(rows, evidence_.max_rows);
    data::Values values = start;
    for (Index level = 4;; level *= 4) {
      const Residuals residuals = [&](const std::vector<double>& x) -> std::vector<double> {
        data::Values here = values;
        for (std::size_t i = 0; i < free.size(); ++i) {
          const double number = free[i].logarithm ? std::exp(x[i]) : x[i];
          if (!parameter(free[i].name).range.contains(number) || std::abs(number) > largest_number) return {};
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
      const std::vector<double> left = rest(values, std::min(level, rows));
      double sum = 0;
      for (const double rest_of_one : left) sum += rest_of_one * rest_of_one;
      if (left.empty() || !(sum <= hopeless_rest * static_cast<double>(left.size()))) return std::nullopt;
      if (level >= rows || level * columns > max_numbers_of_descent) return values;
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
      const auto values = refined(start.values, free);
      if (!values) continue;
      if (auto found = inside(rounded(*values, free))) return found;
      if (auto found = inside(*values)) return found;
    }
    return std::nullopt;
  }

  const Maker& maker_;
  const Evidence& evidence_;
  const std::vector<Standard>& standards_;
  std::size_t most_;
  Variant variant_;
  mutable std::size_t tried_ = 0;
  bool free_list_ = false;
  std::vector<Tried> best_;
  std::optional<Found> found_;
};

namespace {

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
  // A factor that was left to its usual value is said.
  for (const std::string& number : variant.numbers) {
    const data::Quantity* quantity = maker.info().parameter(number);
    const data::Value* value = values.find(number);
    if (!found.fit.inside || (value && !std::holds_alternative<std::monostate>(*value)) ||
        !std::holds_alternative<std::monostate>(quantity->default_value))
      continue;
    for (const data::Value& option : values_in_use(*quantity, evidence)) {
      data::Values with = values;
      with.set(number, option);
      const auto candidate = maker.candidate(with);
      if (!candidate || glimpse(*candidate, evidence) != shown) continue;
      values = with;
      break;
    }
  }
  found.fit.named.scheme = maker.info().id;
  found.fit.named.parameters = {};
  for (const data::Quantity& quantity : maker.info().parameters)
    if (const data::Value* value = values.find(quantity.name); value && *value != quantity.default_value)
      found.fit.named.parameters.set(quantity.name, *value);
  found.length = length_of(maker.info(), found.fit.named.parameters, evidence);
  for (const host::Operation operation : host::all_operations)  // what it does beside what is shown
    found.length += found.candidate.scheme->has(operation) ? 0.25 : 0;
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

bool is_plainer(const Found& a, const Found& b) {
  if (a.length != b.length) return a.length < b.length;
  return a.distance < b.distance;
}

struct SchemeSearch::State {
  const Maker maker;
  const Evidence& evidence;
  const std::vector<Standard>& standards;
  std::vector<VariantFit> variants = {};
};

SchemeSearch::SchemeSearch(const Maker& maker, const Evidence& evidence, const std::vector<Standard>& standards,
                           const std::vector<Variant>& variants, std::size_t max_combinations)
    : state_(new State{maker, evidence, standards}) {
  for (const Variant& variant : variants) {
    state_->variants.emplace_back(state_->maker, evidence, standards, max_combinations, variant);
    state_->variants.back().try_numbers_in_use();
  }
}
SchemeSearch::~SchemeSearch() = default;
SchemeSearch::SchemeSearch(SchemeSearch&&) noexcept = default;

void SchemeSearch::try_any_numbers() {
  for (VariantFit& variant : state_->variants) variant.try_any_numbers();
}

std::vector<Found> SchemeSearch::take() {
  std::vector<Found> all;
  for (VariantFit& variant : state_->variants) {
    if (!variant.found() || !variant.found()->candidate.scheme) continue;
    name(*variant.found(), state_->maker, state_->evidence, variant.variant());
    all.push_back(std::move(*variant.found()));
  }
  return all;
}

bool SchemeSearch::any_inside(bool emulated_too) const {
  return std::any_of(state_->variants.begin(), state_->variants.end(), [&](VariantFit& variant) {
    const auto& found = variant.found();
    return found && found->fit.inside && found->weights != WeightsFrom::solved &&
           (emulated_too || *found->fit.precision.format == '\0');
  });
}

std::size_t SchemeSearch::tried() const {
  std::size_t sum = 0;
  for (const VariantFit& variant : state_->variants) sum += variant.tried();
  return sum;
}

}  // namespace poslab::identify
