// SPDX-License-Identifier: Apache-2.0
// Candidates, with the weights that the dump has or that fit it best.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "poslab/base/error.hpp"
#include "search/descent.hpp"
#include "search/variants.hpp"

namespace poslab::identify {
namespace {

constexpr Index numbers_for_weights = 1 << 20, some_numbers_for_weights = 1 << 15, max_numbers_of_heads = 2048;
constexpr double hopeless = 1e-4;  // mean square of what is left at the first head

std::vector<Index> shape_of(const host::WeightInfo& info) {
  return {info.shape.begin(), info.shape.begin() + info.rank};
}

// The column of a weight [R, C] that a number of the dump comes of.
Index column_of(const Observation& observation, Index row, Index column) {
  const Place place = observation.place(row, column);
  return observation.kind() == Kind::table ? place.channel : place.head;
}

struct ShownEntry {
  Index row, column;  // of the observation
  Index entry;        // of the weight, counted row by row
};

// Which row of a single weight [R, C] each number of an observation is: a table whose rows are their numbers shows it.
// Looked at are the first rows and the last, which see the far offsets of both signs. Empty: they are not rows of it.
std::vector<ShownEntry> entries_of(Candidate& candidate, const Observation& observation, const Setting& setting,
                                   Index most) {
  std::vector<ShownEntry> out;
  Array<double>& weight = candidate.weights.arrays()[0][0];
  const Index stride = weight.view().stride(), R = weight.extent(0), N = observation.rows();
  const Index half = std::max<Index>(1, most / observation.columns() / 2);
  std::vector<std::pair<Index, Index>> blocks{{0, std::min(N, 2 * half)}};
  if (N > 2 * half) blocks = {{0, half}, {N - half, half}};
  for (const auto& [first, count] : blocks) {
    std::vector<double> shown(static_cast<std::size_t>(count * observation.columns()));
    for (Index r = 0; r * stride < weight.size(); ++r)
      std::fill_n(weight.data() + r * stride, stride, static_cast<double>(r + 1));
    observation.predict(candidate, setting, first, count, shown);
    const std::size_t before = out.size();
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const double found = shown[i] - 1;
      if (!(found >= 0 && found < static_cast<double>(R) && found == std::floor(found))) return {};
      const Index row = first + static_cast<Index>(i) / observation.columns(),
                  column = static_cast<Index>(i) % observation.columns();
      const Index part = column_of(observation, row, column);
      if (part < 0 || part >= stride) return {};
      out.push_back({row, column, static_cast<Index>(found) * stride + part});
    }
    // Not by accident: other numbers come out where they went in.
    for (Index i = 0; i < weight.size(); ++i) weight.data()[i] = std::sin(static_cast<double>(i) * 1.7 + 1);
    observation.predict(candidate, setting, first, count, shown);
    for (std::size_t i = 0; i < shown.size(); ++i)
      if (shown[i] != weight.data()[out[before + i].entry]) return {};
  }
  return out;
}

// Each entry is the first number that shows it: where the structure fits, the others are the same.
bool solve_rows(Candidate& candidate, const Observation& observation, const Setting& setting, Index most) {
  const std::vector<ShownEntry> numbers = entries_of(candidate, observation, setting, most);
  if (numbers.empty()) return false;
  Array<double>& weight = candidate.weights.arrays()[0][0];
  std::vector<bool> known(static_cast<std::size_t>(weight.size()), false);
  weight.fill(0);
  for (const ShownEntry& number : numbers) {
    const double x = observation.number(number.row, number.column);
    if (std::isnan(x) || known[static_cast<std::size_t>(number.entry)]) continue;
    known[static_cast<std::size_t>(number.entry)] = true;
    weight.data()[number.entry] = x;
  }
  return true;
}

// A few numbers a head, or for all.
bool solve_few(Candidate& candidate, const Observation& observation, const Setting& setting) {
  auto& arrays = candidate.weights.arrays();
  const Index heads = arrays[0][0].size();
  for (const auto& weight : arrays)
    if (weight[0].size() != heads) return false;
  if (arrays.size() > 4 || heads > 256 || (heads > 1 && observation.kind() == Kind::table)) return false;
  const Index columns = observation.columns();
  const Index count = std::min(observation.rows(), std::max<Index>(1, max_numbers_of_heads * heads / columns)),
              first = observation.rows() - count;
  std::vector<double> shown(static_cast<std::size_t>(count * columns));
  struct Seen {
    std::size_t at;  // among those that are shown
    double number, size;
  };
  std::vector<std::vector<Seen>> of_heads(static_cast<std::size_t>(heads));
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Index row = first + static_cast<Index>(i) / columns, column = static_cast<Index>(i) % columns;
    const double number = observation.number(row, column), size = observation.size(row, column);
    const Index head = heads > 1 ? observation.place(row, column).head : 0;
    if (!std::isnan(number) && head >= 0 && head < heads)
      of_heads[static_cast<std::size_t>(head)].push_back({i, number, size > 0 ? size : 1});
  }
  for (Index head = 0; head < heads; ++head) {
    const Residuals residuals = [&](const std::vector<double>& x) -> std::vector<double> {
      for (std::size_t w = 0; w < x.size(); ++w) arrays[w][0].data()[head] = x[w];
      try {
        observation.predict(candidate, setting, first, count, shown);
      } catch (const base::Error&) {
        return {};
      }
      std::vector<double> rest;
      for (const Seen& seen : of_heads[static_cast<std::size_t>(head)])
        rest.push_back((shown[seen.at] - seen.number) / seen.size);
      return rest;
    };
    Descent best{{}, std::numeric_limits<double>::infinity()};
    // From two sides: powers have an upper end, beyond which nothing leads back.
    for (const auto& [one, others] :
         {std::pair(0.3, 1.0), std::pair(0.05, 1.0), std::pair(0.9, 1.0), std::pair(0.3, 1.8), std::pair(0.05, 1.8)}) {
      std::vector<double> start(arrays.size(), others);
      start[0] = one;
      const Descent found = descend(residuals, start, 40);
      if (found.sum_of_squares < best.sum_of_squares) best = found;
      if (best.sum_of_squares < 1e-9) break;
    }
    if (best.x.empty() || best.sum_of_squares > hopeless * static_cast<double>(max_numbers_of_heads)) return false;
    for (std::size_t w = 0; w < best.x.size(); ++w) arrays[w][0].data()[head] = best.x[w];
  }
  return true;
}

bool may_be_solved(const host::Scheme& scheme) {
  if (scheme.weights().size() == 1 && scheme.weights()[0].rank == 2) return true;
  return std::all_of(scheme.weights().begin(), scheme.weights().end(),
                     [](const host::WeightInfo& info) { return info.rank == 1; });
}

}  // namespace

std::shared_ptr<const host::Scheme> Maker::any_scheme(const data::Values& values) const {
  try {
    return std::make_shared<const host::Scheme>(plugin_, values, evidence_.model);
  } catch (const base::Error&) {
    return nullptr;
  }
}

bool Maker::shows(const host::Scheme& scheme) const {
  return std::all_of(evidence_.observations.begin(), evidence_.observations.end(),
                     [&](const auto& observation) { return observation->suits(scheme); });
}

std::shared_ptr<const host::Scheme> Maker::scheme(const data::Values& values) const {
  auto one = any_scheme(values);
  const int axes = static_cast<int>(evidence_.positions.extent(1));
  return one && axes >= one->least_axes() && axes <= one->most_axes() && shows(*one) ? one : nullptr;
}

bool Maker::shows_something_else(const data::Values& values) const {
  const auto one = any_scheme(values);
  return one && !shows(*one);
}

const DumpArray* Maker::weight_of_dump(const host::WeightInfo& info) const {
  for (const auto& shared : evidence_.weights) {
    const DumpArray& array = *shared;
    const std::string last = array.name.substr(array.name.find_last_of("/.") + 1);
    if (array.name == info.name || last == info.name) return &array;
  }
  return nullptr;
}

std::optional<Index> Maker::shapes_off(const data::Values& values) const {
  constexpr Index of_a_missing_array = 64, of_another_rank = 8;
  const auto one = scheme(values);
  if (!one) return std::nullopt;
  Index off = 0;
  bool names_any = false;
  for (const host::WeightInfo& info : one->weights()) {
    const DumpArray* array = weight_of_dump(info);
    if (!array) {
      off += of_a_missing_array;
      continue;
    }
    names_any = true;
    const std::vector<Index> ours = without_ones(shape_of(info)), theirs = without_ones(array->shape);
    if (ours.size() != theirs.size())
      off += of_another_rank;
    else
      for (std::size_t axis = 0; axis < ours.size(); ++axis) off += ours[axis] != theirs[axis] ? 1 : 0;
  }
  if (!names_any) return std::nullopt;
  return off;
}

bool Maker::fits_numbers_of_heads(const host::Scheme& scheme) const {
  return weights_from(scheme) == WeightsFrom::solved && scheme.weights()[0].rank == 1;
}

bool Maker::fill_from_dump(Candidate& candidate) const {
  const auto& infos = candidate.scheme->weights();
  for (std::size_t w = 0; w < infos.size(); ++w) {
    const DumpArray* array = weight_of_dump(infos[w]);
    if (!array || without_ones(array->shape) != without_ones(shape_of(infos[w]))) return false;
    std::copy(array->numbers.begin(), array->numbers.end(), candidate.weights.arrays()[w][0].data());
  }
  return true;
}

WeightsFrom Maker::weights_from(const host::Scheme& scheme) const {
  const auto& infos = scheme.weights();
  if (infos.empty()) return WeightsFrom::nothing;
  const bool named =
      std::all_of(infos.begin(), infos.end(), [&](const host::WeightInfo& info) { return weight_of_dump(info); });
  return named ? WeightsFrom::dump : WeightsFrom::solved;
}

std::optional<Candidate> Maker::candidate(const data::Values& values, bool fully) const {
  Candidate one{scheme(values), {}};
  if (!one.scheme) return std::nullopt;
  one.weights = host::Weights<double>(one.scheme->weights(), 1);
  switch (weights_from(*one.scheme)) {
    case WeightsFrom::nothing: return one;
    case WeightsFrom::dump:
      if (fill_from_dump(one)) return one;
      return std::nullopt;
    case WeightsFrom::solved: break;
  }
  if (leaves_out_solved_ || evidence_.observations.size() != 1 || !may_be_solved(*one.scheme)) return std::nullopt;
  const Observation& observation = *evidence_.observations[0];
  const Setting setting = setting_of(evidence_, evidence_.positions);
  try {
    const bool solved =
        one.scheme->weights()[0].rank == 2
            ? solve_rows(one, observation, setting, fully ? numbers_for_weights : some_numbers_for_weights)
            : solve_few(one, observation, setting);
    if (solved) return one;
  } catch (const base::Error&) {
  }
  return std::nullopt;
}

Solved Maker::solved(const Candidate& candidate) const {
  if (candidate.scheme->weights().empty()) return {};
  if (candidate.scheme->weights()[0].rank == 2) return solved_rows(candidate);
  Solved solved;
  for (const auto& observation : evidence_.observations)
    for (const double x : observation->numbers()) solved.numbers += std::isnan(x) ? 0 : 1;
  for (const auto& weight : candidate.weights.arrays()) solved.weights += weight[0].size();
  return solved;
}

// Those entries that the dump shows.
Solved Maker::solved_rows(const Candidate& candidate) const {
  Candidate one{candidate.scheme, {}};
  one.weights = host::Weights<double>(one.scheme->weights(), 1);
  const Observation& observation = *evidence_.observations[0];
  const Index stride = one.weights.arrays()[0][0].view().stride();
  const bool has_offsets = observation.kind() == Kind::bias && evidence_.positions.extent(1) == 1;
  Solved solved{.by_offset = has_offsets};
  std::set<Index> entries;
  std::map<Index, double> offset_of_row;
  for (const ShownEntry& number :
       entries_of(one, observation, setting_of(evidence_, evidence_.positions), some_numbers_for_weights)) {
    if (std::isnan(observation.number(number.row, number.column))) continue;
    ++solved.numbers;
    entries.insert(number.entry);
    if (!has_offsets) continue;
    const Place place = observation.place(number.row, number.column);
    const double offset = evidence_.positions(place.key, 0) - evidence_.positions(place.position, 0);
    const auto [row, is_new] = offset_of_row.emplace(number.entry / stride, offset);
    // Where keys after the query are as the query's own, that is a mask's doing.
    if (!is_new && std::min(row->second, 0.0) != std::min(offset, 0.0)) solved.by_offset = false;
  }
  solved.weights = static_cast<Index>(entries.size());
  return solved;
}

std::string Maker::why_not(const data::Values& values) const {
  std::shared_ptr<const host::Scheme> one;
  try {
    one = std::make_shared<const host::Scheme>(plugin_, values, evidence_.model);
  } catch (const base::Error& refusal) {
    return refusal.what();
  }
  if (!scheme(values))
    return shows(*one) ? "it is of positions with another number of axes" : "it makes no arrays of this kind";
  if (weights_from(*one) == WeightsFrom::dump) return "the weights in the dump have other shapes than its own";
  return "its weights are not in the dump, and cannot be told from it";
}

std::optional<Index> Maker::offsets_beside(const Candidate& candidate) const {
  constexpr double same = 1e-6;  // of weights and of what shows them, in float32
  Candidate one{candidate.scheme, {}};
  if (one.scheme->weights().size() != 1 || one.scheme->weights()[0].rank != 2) return std::nullopt;
  one.weights = host::Weights<double>(one.scheme->weights(), 1);
  const Observation& observation = *evidence_.observations[0];
  const std::vector<ShownEntry> numbers =
      entries_of(one, observation, setting_of(evidence_, evidence_.positions), numbers_for_weights);
  if (observation.kind() != Kind::bias || numbers.empty()) return std::nullopt;
  const auto entries = static_cast<std::size_t>(one.weights.arrays()[0][0].size());
  const Index stride = one.weights.arrays()[0][0].view().stride();
  std::vector<std::map<double, Index>> shown(entries);
  for (const ShownEntry& number : numbers)
    if (const double x = observation.number(number.row, number.column); !std::isnan(x))
      ++shown[static_cast<std::size_t>(number.entry)][x];
  std::vector<double> usual(entries, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t entry = 0; entry < entries; ++entry)
    if (weights_from(*one.scheme) == WeightsFrom::dump)
      usual[entry] = candidate.weights.arrays()[0][0].flat()[entry];
    else if (!shown[entry].empty())
      usual[entry] = std::max_element(shown[entry].begin(), shown[entry].end(), [](const auto& a, const auto& b) {
                       return a.second < b.second;
                     })->first;
  const auto is_of = [&](double x, Index entry) {
    const double weight = usual[static_cast<std::size_t>(entry)];
    return std::abs(x - weight) <= same * std::abs(weight);
  };
  std::set<double> offsets, all;
  for (const ShownEntry& number : numbers) {
    const double x = observation.number(number.row, number.column);
    if (std::isnan(x)) continue;
    const Place place = observation.place(number.row, number.column);
    const double offset = evidence_.positions(place.key, 0) - evidence_.positions(place.position, 0);
    all.insert(offset);
    if (is_of(x, number.entry)) continue;
    bool beside = false;
    for (const Index other : {number.entry - stride, number.entry + stride})
      beside = beside || (other >= 0 && other < static_cast<Index>(entries) && is_of(x, other));
    if (!beside) return std::nullopt;
    offsets.insert(offset);
  }
  if (offsets.empty() || 3 * offsets.size() > all.size()) return std::nullopt;
  return static_cast<Index>(offsets.size());
}

}  // namespace poslab::identify
