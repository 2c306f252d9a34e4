// SPDX-License-Identifier: Apache-2.0
// The weights that a cell works with: drawn, or given to it.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

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

// An array's name in its parts: `<weight>/<layer>`, or `<weight>`, of no layer.
struct Named {
  explicit Named(const std::string& name) : weight(name.substr(0, name.find('/'))) {
    if (weight.size() == name.size()) return;
    const char *first = name.data() + weight.size() + 1, *last = name.data() + name.size();
    const auto [end, error] = std::from_chars(first, last, layer.emplace());
    is_well_formed = error == std::errc() && end == last && *layer >= 0;
  }
  std::string weight;
  std::optional<Index> layer;
  bool is_well_formed = true;
};

// Where the weights of a scheme are looked for.
class Given {
 public:
  Given(const data::GivenWeights& given, const host::LayerSchemes& schemes) : given_(given), schemes_(schemes) {}

  // One that every layer has for itself is called `<weight>/<layer>`, or `<weight>` if there is one layer only. Of
  // layers with different schemes, one that is shared has the number of the first that has it.
  const KeptArray* array(const host::WeightInfo& info, Index layer, Index first, Index layers) const {
    if (info.per_layer || is_mixed())
      if (const KeptArray* own = find(fmt::format("{}/{}", info.name, info.per_layer ? layer : first))) return own;
    return is_mixed() || (info.per_layer && layers > 1) ? nullptr : find(info.name);
  }

  bool has_some(const host::Scheme& scheme, const host::WeightInfo& info) const {
    return std::any_of(given_.arrays.begin(), given_.arrays.end(), [&](const KeptArray& array) {
      const Named named(array.name);
      if (named.weight != info.name) return false;
      if (is_mixed()) return named.layer && schemes_.layer(*named.layer) == &scheme;
      return info.per_layer || !named.layer;
    });
  }

  std::optional<base::Refusal> why_unknown() const {
    for (const KeptArray& array : given_.arrays) {
      const Named named(array.name);
      if (!named.is_well_formed)
        return fmt::format("\"{}\": behind the / stands the number of a layer, as in {}/0", base::printable(array.name),
                           base::printable(named.weight));
      if (is_mixed() && !named.layer)
        return fmt::format("\"{}\" is of no layer: layers with different schemes take {}/0 or another layer's",
                           base::printable(array.name), base::printable(named.weight));
      const host::Scheme& scheme = *schemes_.layer(named.layer.value_or(0));
      std::vector<std::string> names;
      for (const host::WeightInfo& info : scheme.weights()) names.push_back(info.name);
      if (const auto known = std::find(names.begin(), names.end(), named.weight); known != names.end()) {
        const host::WeightInfo& info = scheme.weights()[static_cast<std::size_t>(known - names.begin())];
        if (is_mixed() || info.per_layer || !named.layer) continue;
        return fmt::format("all layers of scheme \"{}\" have one weight {}: it is given as {}, without a layer",
                           scheme.info().id, info.name, info.name);
      }
      return fmt::format("scheme \"{}\" has no weight \"{}\"{}{}", scheme.info().id, base::printable(named.weight),
                         base::did_you_mean(named.weight, names),
                         names.empty() ? ": it has none at all" : "; it has " + base::enumerate(names));
    }
    return std::nullopt;
  }

 private:
  bool is_mixed() const { return schemes_.list().size() > 1; }
  const KeptArray* find(const std::string& name) const { return data::find_array(given_.arrays, name); }
  const data::GivenWeights& given_;
  const host::LayerSchemes& schemes_;
};

std::optional<base::Refusal> why_not_array(const std::string& scheme, const KeptArray& array,
                                           const host::WeightInfo& info) {
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
  return std::nullopt;
}

bool trains_something(const host::LayerSchemes& schemes) {
  return schemes.any([](const host::Scheme& scheme) { return scheme.has_trainable_weights(); });
}

// f(scheme, info) of each weight of each scheme.
template <class F>
void for_each_weight(const host::LayerSchemes& schemes, const F& f) {
  for (const host::Scheme* scheme : schemes.different())
    for (const host::WeightInfo& info : scheme->weights()) f(*scheme, info);
}

// Those that were given take the place of the drawn ones of one scheme.
void replace(const Given& given, const host::LayerSchemes::Part& part, Index layers, host::Weights<double>& weights) {
  for (std::size_t w = 0; w < weights.arrays().size(); ++w) {
    const host::WeightInfo& info = part.scheme->weights()[w];
    for (const Index layer : part.layers) {
      const KeptArray* layer_array = given.array(info, layer, part.layers.front(), layers);
      base::Array<double>& array = weights.arrays()[w][info.per_layer ? base::at(layer) : 0];
      for (Index i = 0; layer_array && i < array.size(); ++i)
        array.data()[i] = layer_array->value(static_cast<std::size_t>(i));
    }
  }
}

void require_fit(const ExperimentInput& input, const host::LayerSchemes& schemes, Index layers) {
  if (const auto refusal = why_not_weights(schemes, *input.weights, layers)) throw data::Refused(refusal->reason);
}

}  // namespace

std::optional<base::Refusal> why_not_weights(const host::LayerSchemes& schemes, const data::GivenWeights& weights,
                                             Index layers) {
  const Given given(weights, schemes);
  if (auto refusal = given.why_unknown()) return refusal;
  for (const auto& [scheme, its_layers] : schemes.parts(layers))
    for (const host::WeightInfo& info : scheme->weights()) {
      if (!given.has_some(*scheme, info)) continue;
      for (const Index layer : its_layers) {
        const KeptArray* array = given.array(info, layer, its_layers.front(), layers);
        if (!array)
          return fmt::format("scheme \"{}\" wants its weight {} for each of {} layers, and layer {} was not given",
                             scheme->info().id, info.name, its_layers.size(), layer);
        if (auto refusal = why_not_array(scheme->info().id, *array, info)) return refusal;
        if (!info.per_layer) break;
      }
    }
  return std::nullopt;
}

bool draws_weights(const host::LayerSchemes& schemes, const data::GivenWeights* given) {
  bool draws = false;
  for_each_weight(schemes, [&](const host::Scheme& scheme, const host::WeightInfo& info) {
    draws |= info.initialisation != POSLAB_CONSTANT && !(given && Given(*given, schemes).has_some(scheme, info));
  });
  return draws;
}

std::string weights_note(const host::LayerSchemes& schemes, const data::GivenWeights* given) {
  if (!given) return trains_something(schemes) ? data::untrained_note : "";
  std::vector<std::string> drawn;
  for_each_weight(schemes, [&](const host::Scheme& scheme, const host::WeightInfo& info) {
    if (!info.frozen && !Given(*given, schemes).has_some(scheme, info)) drawn.push_back(info.name);
  });
  return given->note + (drawn.empty() ? "" : "; untrained: " + base::enumerate(drawn));
}

data::WeightsState state_of_weights(const host::LayerSchemes& schemes, const data::GivenWeights* given) {
  if (given) return data::WeightsState::given;
  return trains_something(schemes) ? data::WeightsState::untrained : data::WeightsState::none;
}

host::Weights<double> weights_of(const ExperimentInput& input, Index layers) {
  host::Weights<double> weights = input.scheme.draw_weights(input.draws, layers);
  if (!input.weights) return weights;
  const host::LayerSchemes schemes(input.scheme);
  require_fit(input, schemes, layers);
  for (const host::LayerSchemes::Part& part : schemes.parts(layers))
    replace(Given(*input.weights, schemes), part, layers, weights);
  return weights;
}

host::LayerWeights<double> layer_weights_of(const ExperimentInput& input, Index layers) {
  const host::LayerSchemes schemes = input.layers();
  host::LayerWeights<double> weights = host::draw_weights(schemes, input.draws, layers);
  if (!input.weights) return weights;
  require_fit(input, schemes, layers);
  for (auto& [part, of_scheme] : weights.parts()) replace(Given(*input.weights, schemes), part, layers, of_scheme);
  return weights;
}

}  // namespace poslab::experiments
