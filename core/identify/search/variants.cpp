// SPDX-License-Identifier: Apache-2.0
#include "search/variants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "compare/compare.hpp"
#include "poslab/base/error.hpp"
#include "search/numbers.hpp"

namespace poslab::identify {
namespace {

constexpr std::size_t max_combinations = 512;

bool is_number(const data::Quantity& parameter) {
  return parameter.kind == data::Kind::real || parameter.kind == data::Kind::integer ||
         parameter.kind == data::Kind::list;
}

// All choices times flags. Where a choice may be unset, that is one of the others.
std::vector<data::Values> combinations_of(const data::SchemeInfo& scheme) {
  std::vector<data::Values> all{{}};
  for (const data::Quantity& parameter : scheme.parameters) {
    std::vector<data::Value> options;
    if (parameter.kind == data::Kind::choice)
      options.assign(parameter.choices.begin(), parameter.choices.end());
    else if (parameter.kind == data::Kind::flag)
      options = {false, true};
    else
      continue;
    if (parameter.may_be_unset) options.insert(options.begin(), data::Value{});
    // The default first: of variants that are alike it is the one that is named.
    std::stable_partition(options.begin(), options.end(),
                          [&](const data::Value& option) { return option == parameter.default_value; });
    std::vector<data::Values> more;
    for (const data::Value& option : options)
      for (const data::Values& values : all) {
        more.push_back(values);
        if (option != parameter.default_value) more.back().set(parameter.name, option);
      }
    if (more.size() > max_combinations) break;
    all = std::move(more);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const data::Values& a, const data::Values& b) { return a.size() < b.size(); });
  return all;
}

data::Values joined(const data::Values& values, const data::Values& more) {
  data::Values both = values;
  for (const auto& [name, value] : more) both.set(name, value);
  return both;
}

// Where the dump has the scheme's weights: numbers that give them their shapes, one after another. Rows before the
// first make as many as a longer table does: of two numbers that do so together, those that come nearest.
std::optional<data::Values> shaped(const Maker& maker, const Evidence& evidence, const data::Values& values) {
  using Option = std::pair<std::string, data::Value>;
  std::vector<Option> options;
  for (const data::Quantity& parameter : maker.info().parameters)
    if (parameter.kind == data::Kind::integer || parameter.kind == data::Kind::list)
      for (const data::Value& value : values_in_use(parameter, evidence))
        if (value != parameter.default_value) options.emplace_back(parameter.name, value);
  const auto with = [](const data::Values& some, const Option& option) { return joined(some, {option}); };
  data::Values now = values;
  std::optional<Index> off = maker.shapes_off(now);
  for (bool better = true; better && off != 0;) {
    better = false;
    data::Values best = now;
    for (const Option& option : options)
      if (const auto there = maker.shapes_off(with(now, option)); there && (!off || *there < *off))
        off = there, best = with(now, option), better = true;
    now = best;
  }
  if (off != 0) return std::nullopt;
  std::optional<data::Values> nearest;
  double distance = std::numeric_limits<double>::infinity();
  const auto note = [&](const data::Values& some) {
    const auto candidate = maker.candidate(some);
    const double here = candidate ? distance_of(*candidate, evidence) : distance;
    if (here < distance) distance = here, nearest = some;
  };
  note(now);
  std::vector<Option> shaping;
  for (const Option& option : options)
    if (const auto there = maker.shapes_off(with(now, option)); there && *there == 1) shaping.push_back(option);
  for (std::size_t a = 0; a < shaping.size(); ++a)
    for (std::size_t b = a + 1; b < shaping.size(); ++b) {
      if (shaping[a].first == shaping[b].first) continue;
      const data::Values both = with(with(now, shaping[a]), shaping[b]);
      if (maker.shapes_off(both) == 0) note(both);
    }
  return nearest;
}

// Values of what the scheme asks for beside a choice: the fewest parameters that make it work.
// `known` has what served other choices; with several choices off their defaults nothing else is tried, nor where the
// plain variant `shows_something_else`.
std::optional<data::Values> completed(const Maker& maker, const Evidence& evidence, const data::Values& values,
                                      bool shows_something_else, std::vector<data::Values>& known) {
  if (!evidence.weights.empty())
    if (auto found = shaped(maker, evidence, values)) return found;
  if (maker.candidate(values)) return values;
  for (const data::Values& more : known)
    if (maker.candidate(joined(values, more))) return joined(values, more);
  if (values.size() > 1)  // each of two choices may need something
    for (std::size_t a = 0; a < known.size(); ++a)
      for (std::size_t b = a + 1; b < known.size(); ++b)
        if (const data::Values both = joined(joined(values, known[a]), known[b]); maker.candidate(both)) return both;
  if (values.size() > 1 || shows_something_else) return std::nullopt;
  std::vector<std::pair<std::string, data::Value>> unset;
  for (const data::Quantity& parameter : maker.info().parameters) {
    if (!is_number(parameter)) continue;
    if (!parameter.may_be_unset) continue;
    std::vector<data::Value> options = values_in_use(parameter, evidence);
    if (parameter.kind == data::Kind::real && options.empty()) options = {2.0};
    if (parameter.kind == data::Kind::integer && options.empty()) options = {std::int64_t{8}};
    // Some of the lists: m-rope's planes take turns in few of them.
    options.resize(std::min<std::size_t>(options.size(), parameter.kind == data::Kind::list ? 4 : 1));
    if (parameter.kind == data::Kind::list)
      options.emplace_back(std::vector<double>(static_cast<std::size_t>(evidence.model.head_width() / 2), 1.0));
    for (const data::Value& option : options)
      if (!data::why_not(parameter, option)) unset.emplace_back(parameter.name, option);
  }
  const auto with = [&](std::initializer_list<std::size_t> which) {
    data::Values more;
    for (const std::size_t i : which) more.set(unset[i].first, unset[i].second);
    return more;
  };
  const auto serves = [&](const data::Values& more) {
    if (!maker.candidate(joined(values, more))) return false;
    known.push_back(more);
    return true;
  };
  for (std::size_t a = 0; a < unset.size(); ++a)
    if (serves(with({a}))) return joined(values, known.back());
  for (std::size_t a = 0; a < unset.size(); ++a)
    for (std::size_t b = a + 1; b < unset.size(); ++b)
      if (unset[a].first != unset[b].first && serves(with({a, b}))) return joined(values, known.back());
  if (unset.size() > 20) return std::nullopt;
  for (std::size_t a = 0; a < unset.size(); ++a)
    for (std::size_t b = a + 1; b < unset.size(); ++b)
      for (std::size_t c = b + 1; c < unset.size(); ++c)
        if (serves(with({a, b, c}))) return joined(values, known.back());
  return std::nullopt;
}

struct Telling {
  data::Value value;
  std::vector<double> shown;  // a glimpse of what it makes
};

// Some other value that shows, if any does.
std::optional<Telling> telling_value(const Maker& maker, const Evidence& evidence, const data::Values& values,
                                     const data::Quantity& parameter, const std::vector<double>& at_values,
                                     std::size_t most = 30) {
  std::size_t tried = 0;
  for (const data::Value& option : telling_values(parameter, evidence, values)) {
    if (++tried > most) break;
    data::Values other = values;
    other.set(parameter.name, option);
    const auto candidate = maker.candidate(other);
    if (!candidate) continue;
    std::vector<double> shown = glimpse(*candidate, evidence);
    if (shown != at_values) return Telling{option, std::move(shown)};
  }
  return std::nullopt;
}

}  // namespace

std::vector<data::Value> telling_values(const data::Quantity& parameter, const Evidence& evidence,
                                        const data::Values& values) {
  std::vector<data::Value> options = values_in_use(parameter, evidence);
  if (options.size() < 2 && parameter.kind == data::Kind::real) options = {0.75, 1.5, 3.0, 100.0};
  if (parameter.kind == data::Kind::list && values.find(parameter.name))
    options.insert(options.begin(),
                   std::vector<double>(static_cast<std::size_t>(evidence.model.head_width() / 2), 1.5));
  const data::Value* const now = values.find(parameter.name);
  std::erase_if(options, [&](const data::Value& option) {
    return data::why_not(parameter, option) || (now ? *now : parameter.default_value) == option;
  });
  return options;
}

Setting setting_of(const Evidence& evidence, View<const double> positions) {
  return {positions, {evidence.length, evidence.model.train_length, evidence.causal}};
}

std::vector<double> glimpse(const Candidate& candidate, const Evidence& evidence) {
  std::vector<double> all;
  const Setting setting = setting_of(evidence, evidence.positions);
  try {
    for (const auto& observation : evidence.observations) {
      const Index rows = observation->rows(), columns = observation->columns();
      const Index count =
          std::min<Index>(rows, std::max<Index>(2, std::min<Index>(8, 4096 / std::max<Index>(1, columns))));
      for (const Index first : {Index{0}, rows - std::min(rows, Index{1})}) {
        const Index here = first == 0 ? count : 1;
        const std::size_t before = all.size();
        all.resize(before + static_cast<std::size_t>(here * columns));
        observation->predict(candidate, setting, first, here, std::span(all).subspan(before));
        for (std::size_t i = before; i < all.size(); ++i) {  // what the dump does not show is no difference
          const auto number = static_cast<Index>(i - before);
          if (std::isnan(observation->number(first + number / columns, number % columns))) all[i] = 0;
        }
      }
    }
  } catch (const base::Error&) {
    return {};
  }
  return all;
}

std::vector<Variant> variants_of(const Maker& maker, const Evidence& evidence) {
  std::vector<Variant> variants;
  std::vector<data::Values> known;
  std::map<std::vector<double>, std::size_t> seen;  // what they show -> which variant
  const bool shows_something_else = maker.shows_something_else({});
  for (const data::Values& combination : combinations_of(maker.info())) {
    const auto values = completed(maker, evidence, combination, shows_something_else, known);
    if (!values) continue;
    const auto candidate = maker.candidate(*values);
    if (!candidate) continue;
    std::vector<double> shown = glimpse(*candidate, evidence);
    if (shown.empty()) continue;
    Variant variant{*values, {}, {}};
    data::Values others = *values;
    std::vector<double> each;  // of what they show with one number changed: some choices are alike until then
    for (const data::Quantity& parameter : maker.info().parameters) {
      if (!is_number(parameter) || maker.fits_numbers_of_heads(*candidate->scheme)) continue;
      if (const auto telling = telling_value(maker, evidence, *values, parameter, shown)) {
        variant.numbers.push_back(parameter.name);
        others.set(parameter.name, telling->value);
        each.insert(each.end(), telling->shown.begin(), telling->shown.end());
      }
    }
    shown.insert(shown.end(), each.begin(), each.end());
    if (const auto other = maker.candidate(others)) {
      const std::vector<double> more = glimpse(*other, evidence);
      // What shows only beside these: how many share a position beyond a window that is short enough.
      for (const data::Quantity& parameter : maker.info().parameters)
        if (is_number(parameter) && !variant.numbers.empty() && !more.empty() &&
            std::find(variant.numbers.begin(), variant.numbers.end(), parameter.name) == variant.numbers.end() &&
            telling_value(maker, evidence, others, parameter, more, 4))
          variant.numbers.push_back(parameter.name);
      shown.insert(shown.end(), more.begin(), more.end());
    }
    shown.push_back(static_cast<double>(variant.numbers.size()));
    const auto [place, is_new] = seen.emplace(std::move(shown), variants.size());
    if (is_new)
      variants.push_back(std::move(variant));
    else
      variants[place->second].same.push_back(*values);
  }
  return variants;
}

}  // namespace poslab::identify
