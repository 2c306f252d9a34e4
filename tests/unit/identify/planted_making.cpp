// SPDX-License-Identifier: Apache-2.0
#include "planted_making.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "poslab/attention/attention.hpp"
#include "poslab/data/draws.hpp"

namespace planted {

using namespace poslab;
using dumps::DumpArray;

namespace {

std::shared_ptr<const host::Plugin> plugin_of(const std::string& scheme) {
  for (const auto& plugin : dumps::shipped())
    if (plugin->info().id == scheme) return plugin;
  throw std::runtime_error("no such scheme: " + scheme);
}

DumpArray array(const std::string& name, std::vector<Index> shape, const Numbers& numbers) {
  DumpArray out{name, std::move(shape), {}};
  for (const double x : numbers) out.numbers.push_back(dumps::single(x));
  return out;
}
Array<double> content(const std::string& name, const std::vector<Index>& shape, unsigned seed) {
  const DumpArray drawn = dumps::drawn(name, shape, seed);
  Array<double> x{shape[0], shape[1], shape[2]};
  std::copy(drawn.numbers.begin(), drawn.numbers.end(), x.data());
  return x;
}

}  // namespace

Numbers numbers_of(const Array<double>& x) { return {x.flat().begin(), x.flat().end()}; }

Instance::Instance(const Named& variant, const host::Model& model)
    : scheme(plugin_of(variant.scheme), variant.parameters, model),
      drawn(scheme.draw_weights(data::Draws(3, "planted", variant.scheme, 0))),
      views(std::as_const(drawn).layer(0)) {}

Making::Making(const Subject& subject, const Named& variant) : subject_(subject), made_(variant, subject.model) {
  const auto [N, H, K] = std::tuple(subject.positions.extent(0), subject.model.heads, subject.model.head_width());
  query = content("query", {H, N, K}, 1), key = content("key", {H, N, K}, 2), value = content("value", {H, N, K}, 3);
  input = dumps::drawn("layer_input", {N, subject.model.model_width}, 4).numbers;
}

host::Context Making::context(bool causal) const {
  return {subject_.positions.extent(0), subject_.model.train_length, causal};
}

Numbers Making::table(const Array<double>& positions) const {
  Array<double> out{positions.extent(0), subject_.model.model_width};
  made_.scheme.encode<double>(context(false), positions, made_.views, out);
  return numbers_of(out);
}

Numbers Making::rotated(Side side, const Array<double>& positions, const Array<double>& x) const {
  Array<double> out = x.copy();
  made_.scheme.transform<double>(context(false), side, positions, made_.views, out);
  return numbers_of(out);
}

std::vector<std::pair<Index, Index>> Making::planes() const {
  const Index H = subject_.model.heads, K = subject_.model.head_width(), A = subject_.positions.extent(1);
  Array<double> basis{H, 1, K}, one{1, A};
  one.fill(1);
  basis(0, 0, 0) = 1;
  made_.scheme.transform<double>(context(false), Side::key, one, made_.views, basis);
  Index apart = 1;
  for (Index c = 1; c < K; ++c)
    if (basis(0, 0, c) != 0) apart = c;
  std::vector<std::pair<Index, Index>> pairs;
  for (Index m = 0; m < (apart == 1 ? K / 2 : apart); ++m)
    pairs.push_back(apart == 1 ? std::pair(2 * m, 2 * m + 1) : std::pair(m, m + apart));
  return pairs;
}

std::pair<Numbers, Numbers> Making::waves(const Array<double>& positions) const {
  const Index N = positions.extent(0), K = subject_.model.head_width();
  Array<double> x{subject_.model.heads, N, K};
  const auto pairs = planes();
  for (Index n = 0; n < N; ++n)
    for (const auto& pair : pairs) x(0, n, pair.first) = 1;
  made_.scheme.transform<double>(context(false), Side::key, positions, made_.views, x);
  std::pair<Numbers, Numbers> out;
  for (Index n = 0; n < N; ++n)
    for (const auto& [a, b] : pairs) out.first.push_back(x(0, n, a)), out.second.push_back(x(0, n, b));
  return out;
}

Numbers Making::bias(const Array<double>& positions) const {
  const Index N = positions.extent(0);
  Array<double> out{subject_.model.heads, N, N};
  made_.scheme.bias<double>(context(subject_.causal), {positions, positions, 0}, made_.views, out);
  Numbers numbers = numbers_of(out);
  if (subject_.causal)
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (static_cast<Index>(i) % N > static_cast<Index>(i) / N % N)
        numbers[i] = -std::numeric_limits<double>::infinity();
  return numbers;
}

Numbers Making::logits(const Array<double>& positions, std::optional<double> scale) const {
  const Index N = positions.extent(0);
  Array<double> out{subject_.model.heads, N, N};
  const attention::Content<double> all{query, key, layer_input()};
  const auto transformed =
      attention::transform<double>(made_.scheme, context(subject_.causal), positions, all, made_.views);
  attention::logits<double>(made_.scheme, context(subject_.causal), positions, transformed, layer_input(), 0,
                            made_.views, out, scale);
  return numbers_of(out);
}

Numbers Making::outputs(const Array<double>& positions, bool causal) const {
  attention::Layer<double> layer;
  layer.scheme = &made_.scheme;
  layer.context = context(causal);
  layer.positions = positions;
  layer.weights = made_.views;
  Array<double> out = value.copy();
  attention::attend<double>(layer, {query, key, layer_input()}, value, out);
  return numbers_of(out);
}

base::View<const double> Making::layer_input() const {
  return {input.data(), {subject_.positions.extent(0), subject_.model.model_width}};
}

void Making::give_weights(Planted& planted) const {
  for (std::size_t w = 0; w < made_.scheme.weights().size(); ++w) {
    const host::WeightInfo& info = made_.scheme.weights()[w];
    const auto view = made_.views[w];
    planted.dump.arrays.push_back(
        {info.name, {info.shape.begin(), info.shape.begin() + info.rank}, {view.flat().begin(), view.flat().end()}});
    planted.request.as[info.name] = "weight";
  }
}

Shown shown_of(const Subject& subject, const Making& making, const Array<double>& positions) {
  switch (subject.shows) {
    case Shows::table: return {making.table(positions), {}};
    case Shows::planes: {
      auto [cosines, sines] = making.waves(positions);
      return {std::move(cosines), std::move(sines)};
    }
    case Shows::rotated:
      return {making.rotated(Side::query, positions, making.query), making.rotated(Side::key, positions, making.key)};
    case Shows::bias: return {making.bias(positions), {}};
    case Shows::logits: return {making.logits(positions), {}};
    case Shows::outputs: return {making.outputs(positions, subject.causal), {}};
  }
  return {};
}

Planted dump_of(const Subject& subject, const Making& making, const std::string& slip, const Shown& shown) {
  const Index N = subject.positions.extent(0), A = subject.positions.extent(1), H = subject.model.heads,
              K = subject.model.head_width();
  Planted out;
  out.slip = slip;
  auto& arrays = out.dump.arrays;
  const auto contents = [&] {
    arrays.push_back(array("q", {H, N, K}, numbers_of(making.query)));
    arrays.push_back(array("k", {H, N, K}, numbers_of(making.key)));
  };
  switch (subject.shows) {
    case Shows::table: arrays.push_back(array("pe", {N, subject.model.model_width}, shown.first)); break;
    case Shows::planes: {
      const Index P = static_cast<Index>(shown.first.size()) / N;
      arrays.push_back(array("cos", {N, P}, shown.first));
      arrays.push_back(array("sin", {N, P}, shown.second));
      break;
    }
    case Shows::rotated:
      contents();
      arrays.push_back(array("q_rot", {H, N, K}, shown.first));
      arrays.push_back(array("k_rot", {H, N, K}, shown.second));
      break;
    case Shows::bias: arrays.push_back(array("bias", {H, N, N}, shown.first)); break;
    case Shows::logits:
    case Shows::outputs:
      contents();
      if (subject.shows == Shows::outputs) arrays.push_back(array("v", {H, N, K}, numbers_of(making.value)));
      arrays.push_back(subject.shows == Shows::logits ? array("logits", {H, N, N}, shown.first)
                                                      : array("out", {H, N, K}, shown.first));
      if (making.scheme().has(host::Operation::score))
        arrays.push_back({"layer_input", {N, subject.model.model_width}, making.input});
      break;
  }
  arrays.push_back({"position_ids", {N, A}, numbers_of(subject.positions)});
  if (subject.gives_weights) making.give_weights(out);
  return out;
}

}  // namespace planted
