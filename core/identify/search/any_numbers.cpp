// SPDX-License-Identifier: Apache-2.0
#include "search/any_numbers.hpp"

#include <algorithm>
#include <cmath>

#include "poslab/base/error.hpp"
#include "search/descent.hpp"
#include "search/grid.hpp"
#include "search/numbers.hpp"

namespace poslab::identify {
namespace {

constexpr double largest_number = 1e15;  // of what is fitted
constexpr double hopeless_rest = 1e-3;   // mean square of what a descent leaves
constexpr Index max_numbers_of_descent = 1 << 19, max_residuals = 4096, min_rows = 16;
constexpr std::size_t max_free = 4;

class FreeNumbers {
 public:
  FreeNumbers(const Maker& maker, const Evidence& evidence, const std::vector<Standard>& standards,
              const Variant& variant, std::size_t& tried)
      : maker_(maker), evidence_(evidence), standards_(standards), variant_(variant), tried_(tried) {}

  void from(const data::Values& start, const std::function<bool(const FreeFit&)>& suits) {
    const std::vector<Free> all = free_numbers(start);
    if (all.empty()) return;
    const bool free_list = all.size() > max_free || parameter(all.front().name).kind == data::Kind::list;
    // The first alone: the base, most often. Then all.
    std::vector<std::vector<Free>> sets;
    if (!free_list)
      for (const Free& one : all) sets.push_back({one});
    if (all.size() > 1 || free_list) sets.push_back(all);
    for (const std::vector<Free>& free : sets) {
      const auto values = refined(free_list ? without_reals(start) : start, free);
      if (!values) continue;
      if (suits({rounded(*values, free), free_list}) || suits({*values, free_list})) return;
    }
  }

 private:
  const data::Quantity& parameter(const std::string& name) const { return *maker_.info().parameter(name); }

  // Residuals of the numbers that are free, at the first `rows` rows.
  std::vector<double> rest(const data::Values& values, Index rows) const {
    const auto candidate = maker_.candidate(values);
    if (!candidate) return {};
    const Setting setting = setting_of(evidence_, evidence_.positions);
    std::vector<double> all;
    try {
      for (const auto& observation : evidence_.observations) {
        const Index columns = observation->columns(), count = std::min(rows, observation->rows());
        // Some rows, far from each other, with all their columns.
        const Index taken = std::min(count, std::max(min_rows, max_residuals / std::max<Index>(1, columns)));
        std::vector<double> shown(static_cast<std::size_t>(taken * columns));
        const auto row_of = [&](Index i) { return (i + 1) * count / taken - 1; };
        if (taken == count)
          observation->predict(*candidate, setting, 0, count, shown);
        else
          for (Index i = 0; i < taken; ++i)
            observation->predict(
                *candidate, setting, row_of(i), 1,
                std::span(shown).subspan(static_cast<std::size_t>(i * columns), static_cast<std::size_t>(columns)));
        for (std::size_t i = 0; i < shown.size(); ++i) {
          const Index row = row_of(static_cast<Index>(i) / columns), column = static_cast<Index>(i) % columns;
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
  bool is_list(const Free& free) const { return parameter(free.name).kind == data::Kind::list; }
  // A list that divides by 1 at least ends there, and rounding would lead beyond.
  double number_at(const Free& free, double x) const {
    const double number = free.logarithm ? std::exp(x) : x;
    return is_list(free) ? std::max(number, parameter(free.name).range.lowest) : number;
  }
  // A list says all that a base would: the usual one.
  data::Values without_reals(const data::Values& values) const {
    data::Values rest;
    for (const auto& [name, value] : values)
      if (!std::holds_alternative<double>(value)) rest.set(name, value);
    return rest;
  }
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
      if (quantity.kind == data::Kind::real && free.size() < max_free) {
        const double x = number_of(values, quantity, {name, 0, false});
        free.push_back({name, 0, quantity.range.lowest >= 0 && x > 0});
      } else if (quantity.kind == data::Kind::list && free.size() < max_free) {
        const data::Value* value = values.find(name);
        const auto* list = value ? std::get_if<std::vector<double>>(value) : nullptr;
        // One number a plane: each is free, and nothing else is.
        if (list && static_cast<Index>(list->size()) == evidence_.model.head_width() / 2 &&
            quantity.role != data::Role::planes) {
          std::vector<Free> planes;
          for (std::size_t i = 0; i < list->size(); ++i) planes.push_back({name, i, true});
          // A list comes with a stretch of its own, whatever lengths it was made of.
          if (const data::Quantity* stretch = stretch_of(maker_.info()))
            for (const std::string& other : variant_.numbers)
              if (other == stretch->name) planes.push_back({other, 0, true});
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
          const double number = number_at(free[i], x[i]);
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
        for (std::size_t i = 0; i < free.size(); ++i) set(values, free[i], number_at(free[i], found.x[i]));
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

  const Maker& maker_;
  const Evidence& evidence_;
  const std::vector<Standard>& standards_;
  const Variant& variant_;
  std::size_t& tried_;
};

}  // namespace

void fit_any_numbers(const Maker& maker, const Evidence& evidence, const std::vector<Standard>& standards,
                     const Variant& variant, const data::Values& start, std::size_t& tried,
                     const std::function<bool(const FreeFit&)>& suits) {
  FreeNumbers(maker, evidence, standards, variant, tried).from(start, suits);
}

}  // namespace poslab::identify
