// SPDX-License-Identifier: Apache-2.0
// The weights that a cell works with: drawn, or given to it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments {
namespace {

using base::Index;
using data::KeptArray;

std::vector<std::int64_t> shape_of(const host::WeightInfo& info) {
  return {info.shape.begin(), info.shape.begin() + info.rank};
}

// One that every layer has for itself is called `<weight>/<layer>`, or `<weight>` if there is one layer only.
const KeptArray* array_of(const data::GivenWeights& given, const host::WeightInfo& info, Index layer, Index layers) {
  if (info.per_layer)
    if (const KeptArray* own = data::find_array(given.arrays, fmt::format("{}/{}", info.name, layer))) return own;
  return info.per_layer && layers > 1 ? nullptr : data::find_array(given.arrays, info.name);
}

bool has_some(const data::GivenWeights& given, const host::WeightInfo& info) {
  for (const KeptArray& array : given.arrays)
    if (array.name == info.name || (info.per_layer && array.name.starts_with(info.name + "/"))) return true;
  return false;
}

std::string why_not_array(const std::string& scheme, const KeptArray& array, const host::WeightInfo& info) {
  const std::vector<std::int64_t> wanted = shape_of(info);
  if (array.shape != wanted) {
    const bool other_rows = array.shape.size() == wanted.size() && !wanted.empty() &&
                            std::equal(wanted.begin() + 1, wanted.end(), array.shape.begin() + 1);
    const bool transposed = std::equal(wanted.rbegin(), wanted.rend(), array.shape.begin(), array.shape.end());
    return fmt::format("scheme \"{}\" wants its weight {} as {}, and what was given is {}{}", scheme, array.name,
                       KeptArray{"", wanted, {}}.shape_text(), array.shape_text(),
                       transposed ? "; is it transposed? exchange its axes before it is given"
                       : other_rows
                           ? "; choose the variant and the lengths for which it was trained (no rows are cut or "
                             "made up)"
                           : "");
  }
  for (std::size_t i = 0; i < array.size(); ++i)
    if (!std::isfinite(array.value(i)))
      return fmt::format("the weight {} given to scheme \"{}\" is {} at number {}", array.name, scheme,
                         base::shortest(array.value(i)), i);
  return "";
}

std::string why_unknown(const host::Scheme& scheme, const data::GivenWeights& given) {
  std::vector<std::string> names;
  for (const host::WeightInfo& info : scheme.weights()) names.push_back(info.name);
  for (const KeptArray& array : given.arrays) {
    const std::string name = array.name.substr(0, array.name.find('/'));
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return fmt::format("scheme \"{}\" has no weight \"{}\"{}{}", scheme.info().id, base::printable(name),
                       base::did_you_mean(name, names),
                       names.empty() ? ": it has none at all" : "; it has " + base::enumerate(names));
  }
  return "";
}

}  // namespace

std::string why_not_weights(const host::Scheme& scheme, const data::GivenWeights& given, Index layers) {
  if (std::string reason = why_unknown(scheme, given); !reason.empty()) return reason;
  for (const host::WeightInfo& info : scheme.weights()) {
    if (!has_some(given, info)) continue;
    for (Index layer = 0; layer < (info.per_layer ? layers : 1); ++layer) {
      const KeptArray* array = array_of(given, info, layer, layers);
      if (!array)
        return fmt::format("scheme \"{}\" wants its weight {} for each of {} layers, and layer {} was not given",
                           scheme.info().id, info.name, layers, layer);
      if (std::string reason = why_not_array(scheme.info().id, *array, info); !reason.empty()) return reason;
    }
  }
  return "";
}

bool draws_weights(const host::Scheme& scheme, const data::GivenWeights* given) {
  return std::any_of(scheme.weights().begin(), scheme.weights().end(), [&](const host::WeightInfo& info) {
    return info.initialisation != POSLAB_CONSTANT && !(given && has_some(*given, info));
  });
}

std::string weights_note(const host::Scheme& scheme, const data::GivenWeights* given) {
  if (!given) return scheme.has_trainable_weights() ? data::untrained_note : "";
  std::vector<std::string> drawn;
  for (const host::WeightInfo& info : scheme.weights())
    if (!info.frozen && !has_some(*given, info)) drawn.push_back(info.name);
  return given->note + (drawn.empty() ? "" : "; untrained: " + base::enumerate(drawn));
}

data::WeightsState state_of_weights(const host::Scheme& scheme, const data::GivenWeights* given) {
  if (given) return data::WeightsState::given;
  return scheme.has_trainable_weights() ? data::WeightsState::untrained : data::WeightsState::none;
}

host::Weights<double> weights_of(const ExperimentInput& input, Index layers) {
  host::Weights<double> weights = input.scheme.draw_weights(input.draws, layers);
  if (!input.weights) return weights;
  if (const std::string reason = why_not_weights(input.scheme, *input.weights, layers); !reason.empty())
    throw data::Refused(reason);
  for (std::size_t w = 0; w < weights.arrays().size(); ++w)
    for (std::size_t layer = 0; layer < weights.arrays()[w].size(); ++layer) {
      const KeptArray* given = array_of(*input.weights, input.scheme.weights()[w], static_cast<Index>(layer), layers);
      base::Array<double>& array = weights.arrays()[w][layer];
      for (Index i = 0; given && i < array.size(); ++i) array.data()[i] = given->value(static_cast<std::size_t>(i));
    }
  return weights;
}

}  // namespace poslab::experiments
