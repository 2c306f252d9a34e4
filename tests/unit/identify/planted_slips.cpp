// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "planted.hpp"
#include "poslab/attention/attention.hpp"
#include "poslab/data/draws.hpp"

namespace planted {
namespace {

using namespace poslab;
using dumps::DumpArray;
using dumps::Numbers;
using host::Scheme;
using host::Side;

std::shared_ptr<const host::Plugin> plugin_of(const std::string& scheme) {
  for (const auto& plugin : dumps::shipped())
    if (plugin->info().id == scheme) return plugin;
  throw std::runtime_error("no such scheme: " + scheme);
}

// A variant with weights of its own, the same for the same scheme and shapes.
class Instance {
 public:
  Instance(const Named& variant, const host::Model& model)
      : scheme(plugin_of(variant.scheme), variant.parameters, model),
        drawn(scheme.draw_weights(data::Draws(3, "planted", variant.scheme, 0))),
        views(std::as_const(drawn).of_layer(0)) {}
  Scheme scheme;
  host::Weights<double> drawn;
  std::vector<base::View<const double>> views;
};

DumpArray array(const std::string& name, std::vector<Index> shape, const Numbers& numbers) {
  DumpArray out{name, std::move(shape), {}};
  for (const double x : numbers) out.numbers.push_back(dumps::single(x));
  return out;
}
template <class S>
Numbers numbers_of(const Array<S>& x) {
  return {x.flat().begin(), x.flat().end()};
}
Array<double> content(const std::string& name, const std::vector<Index>& shape, unsigned seed) {
  const DumpArray drawn = dumps::drawn(name, shape, seed);
  Array<double> x{shape[0], shape[1], shape[2]};
  std::copy(drawn.numbers.begin(), drawn.numbers.end(), x.data());
  return x;
}

// What a variant makes of a subject's contents at any positions.
class Making {
 public:
  Making(const Subject& subject, const Named& variant) : subject_(subject), made_(variant, subject.model) {
    const auto [N, H, K] = std::tuple(subject.positions.extent(0), subject.model.heads, subject.model.head_width());
    query = content("query", {H, N, K}, 1), key = content("key", {H, N, K}, 2), value = content("value", {H, N, K}, 3);
    input = dumps::drawn("layer_input", {N, subject.model.model_width}, 4).numbers;
  }
  const Scheme& scheme() const { return made_.scheme; }
  host::Context context(bool causal) const {
    return {subject_.positions.extent(0), subject_.model.train_length, causal};
  }

  Numbers table(const Array<double>& positions) const {
    Array<double> out{positions.extent(0), subject_.model.model_width};
    made_.scheme.encode<double>(context(false), positions, made_.views, out);
    return numbers_of(out);
  }
  Numbers rotated(Side side, const Array<double>& positions, const Array<double>& x) const {
    Array<double> out = x.copy();
    made_.scheme.transform<double>(context(false), side, positions, made_.views, out);
    return numbers_of(out);
  }
  // The channels of each plane: where the first channel of the fastest goes.
  std::vector<std::pair<Index, Index>> planes() const {
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
  // [N, P] each.
  std::pair<Numbers, Numbers> waves(const Array<double>& positions) const {
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
  Numbers bias(const Array<double>& positions) const {
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
  Numbers logits(const Array<double>& positions, std::optional<double> scale = {}) const {
    const Index N = positions.extent(0);
    Array<double> out{subject_.model.heads, N, N};
    const attention::Content<double> all{query, key, layer_input()};
    const auto transformed =
        attention::transform<double>(made_.scheme, context(subject_.causal), positions, all, made_.views);
    attention::logits<double>(made_.scheme, context(subject_.causal), positions, transformed, layer_input(), 0,
                              made_.views, out, scale);
    return numbers_of(out);
  }
  Numbers outputs(const Array<double>& positions, bool causal) const {
    attention::Layer<double> layer;
    layer.scheme = &made_.scheme;
    layer.context = context(causal);
    layer.positions = positions;
    layer.weights = made_.views;
    Array<double> out = value.copy();
    attention::attend<double>(layer, {query, key, layer_input()}, value, out);
    return numbers_of(out);
  }
  base::View<const double> layer_input() const {
    return {input.data(), {subject_.positions.extent(0), subject_.model.model_width}};
  }
  void give_weights(Planted& planted) const {
    for (std::size_t w = 0; w < made_.scheme.weights().size(); ++w) {
      const host::WeightInfo& info = made_.scheme.weights()[w];
      const auto view = made_.views[w];
      planted.dump.arrays.push_back(
          {info.name, {info.shape.begin(), info.shape.begin() + info.rank}, {view.flat().begin(), view.flat().end()}});
      planted.request.as[info.name] = "weight";
    }
  }

  Array<double> query, key, value;
  Numbers input;

 private:
  const Subject& subject_;
  Instance made_;
};

// What is shown, before it becomes a dump.
struct Shown {
  Numbers first, second;  // table; cosines and sines; rotated queries and keys; bias; logits; outputs
};

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

Array<double> mapped(const Array<double>& positions, const std::function<double(double)>& map) {
  Array<double> out = positions.copy();
  for (double& p : out.flat()) p = map(p);
  return out;
}

Named with(const Named& variant, const data::Values& changes) {
  Named other = variant;
  for (const auto& [name, value] : changes) other.parameters.set(name, value);
  return other;
}
Named without(const Named& variant, const std::vector<std::string>& names) {
  Named other{variant.scheme, {}};
  for (const auto& [name, value] : variant.parameters)
    if (std::find(names.begin(), names.end(), name) == names.end()) other.parameters.set(name, value);
  return other;
}

class Slips {
 public:
  explicit Slips(const Subject& subject)
      : subject_(subject),
        usual_(subject, subject.variant),
        shown_(shown_of(subject, usual_, subject.positions)),
        info_(usual_.scheme().info()) {}

  std::vector<Planted> all() {
    positions();
    arrays();
    parameters();
    sides();
    precision();
    return std::move(found_);
  }

 private:
  bool is(Shows shows) const { return subject_.shows == shows; }
  const data::Value* parameter(const std::string& name) const { return subject_.variant.parameters.find(name); }

  Planted& add(const std::string& slip, const Shown& shown, std::vector<Slip::Kind> kinds,
               std::optional<double> amount = {}) {
    found_.push_back(dump_of(subject_, usual_, slip, shown));
    found_.back().kinds = std::move(kinds);
    found_.back().amount = amount;
    return found_.back();
  }
  Planted& add_variant(const std::string& slip, const Named& variant, std::vector<Slip::Kind> kinds = {}) {
    const Making making(subject_, variant);
    found_.push_back(dump_of(subject_, making, slip, shown_of(subject_, making, subject_.positions)));
    found_.back().kinds = std::move(kinds);
    found_.back().other = variant;
    return found_.back();
  }
  Shown at(const Array<double>& positions) const { return shown_of(subject_, usual_, positions); }

  void positions() {
    const Array<double>& p = subject_.positions;
    if (p.extent(1) == 1 && usual_.scheme().info().id != "complex-order") {
      const double step = p(1, 0), n = p(p.extent(0) * 5 / 8, 0), last = n - step;
      add("off by one", at(mapped(p, [&](double x) { return x + 1; })), {Slip::Kind::off_by_one}, 1);
      add("restarts", at(mapped(p, [&](double x) { return std::fmod(x, n); })), {Slip::Kind::restarts}, n);
      add("cut", at(mapped(p, [&](double x) { return std::min(x, last); })), {Slip::Kind::cut}, last);
      add("joined", at(mapped(p, [&](double x) { return x < n ? x : 0; })), {Slip::Kind::joined}, n);
    }
    if (is(Shows::planes) || is(Shows::rotated))
      add("sign", at(mapped(p, [](double x) { return -x; })), {Slip::Kind::sign});
    if (p.extent(1) >= 2) {
      Array<double> exchanged = p.copy();
      const Index last = p.extent(1) - 1;
      for (Index i = 0; i < p.extent(0); ++i) std::swap(exchanged(i, last), exchanged(i, last - 1));
      try {
        Planted& axes = add("axes", at(exchanged), {Slip::Kind::axes_exchanged});
        // Whose other layouts have the axes the other way.
        const auto is_exactly = [&](const Named& other) { axes.kinds.clear(), axes.other = other; };
        if (info_.id == "rope-2d")
          is_exactly(
              {"rope-2d", {{"layout", std::string("qwen")}, {"theta", 100.0}, {"style", std::string("interleaved")}}});
        if (info_.id == "rope-nd") is_exactly({"rope-2d", {{"theta", 1e4}}});
        if (info_.id == "sincos-2d")
          is_exactly(
              {"sincos-2d", {{"layout", std::string("timing-signal")}, {"max_timescale", std::pow(1e4, 7.0 / 8)}}});
      } catch (const base::Error&) {  // a window is no longer than it is
      }
    }
  }

  Shown times(double factor) const {
    Shown other = shown_;
    for (Numbers* numbers : {&other.first, &other.second})
      for (double& x : *numbers)
        if (std::isfinite(x)) x *= factor;
    return other;
  }

  void arrays() {
    const auto D = static_cast<double>(subject_.model.model_width),
               K = static_cast<double>(subject_.model.head_width());
    const bool adds = is(Shows::table) || is(Shows::bias);
    if (adds) {
      add("sign", times(-1), {Slip::Kind::sign});
      add("twice", times(2), {Slip::Kind::twice, Slip::Kind::scale}, 2);
      add("not at all", times(0), {Slip::Kind::not_at_all});
      const double factor = is(Shows::table) ? std::sqrt(D) : 1 / std::sqrt(K);
      add("scale", times(factor), {Slip::Kind::scale}, factor);
    }
    if (is(Shows::planes))
      add("twice", at(mapped(subject_.positions, [](double x) { return 2 * x; })), {Slip::Kind::twice}, 2);
    if (is(Shows::rotated)) {
      Array<double> once = usual_.query.copy(), other = usual_.key.copy();
      std::copy(shown_.first.begin(), shown_.first.end(), once.data());
      std::copy(shown_.second.begin(), shown_.second.end(), other.data());
      add("twice",
          {usual_.rotated(Side::query, subject_.positions, once), usual_.rotated(Side::key, subject_.positions, other)},
          {Slip::Kind::twice}, 2);
      add("not at all", {numbers_of(usual_.query), numbers_of(usual_.key)}, {Slip::Kind::not_at_all});
    }
    if (is(Shows::logits) && !usual_.scheme().score_writes_logits()) {
      const double usual = usual_.scheme().logit_scale();
      if (usual != 1) add("scale", {usual_.logits(subject_.positions, 1.0), {}}, {Slip::Kind::scale}, 1 / usual);
    }
    if (is(Shows::bias) && !subject_.causal)  // of offsets alone, this is their sign
      add("transposed", {turned(), {}}, {Slip::Kind::transposed, Slip::Kind::sign});
    if (is(Shows::logits) && !subject_.causal)
      add("transposed", {turned(), {}}, {Slip::Kind::transposed, Slip::Kind::sides_exchanged});
    if (is(Shows::bias) && info_.id == "t5") add("bucket edge", {moved_edge(), {}}, {Slip::Kind::bucket_edge});
    if (is(Shows::outputs))
      add("mask missing", {usual_.outputs(subject_.positions, false), {}}, {Slip::Kind::mask_missing});
  }

  Numbers turned() const {
    const Index N = subject_.positions.extent(0);
    Numbers other = shown_.first;
    for (Index h = 0; h < subject_.model.heads; ++h)
      for (Index i = 0; i < N; ++i)
        for (Index j = 0; j < N; ++j)
          other[static_cast<std::size_t>((h * N + i) * N + j)] =
              shown_.first[static_cast<std::size_t>((h * N + j) * N + i)];
    return other;
  }
  // The last bucket begins one key later.
  Numbers moved_edge() const {
    const Index N = subject_.positions.extent(0);
    Index edge = 0;
    for (Index j = 1; j < N; ++j)
      if (shown_.first[static_cast<std::size_t>(j)] != shown_.first[static_cast<std::size_t>(j - 1)]) edge = j;
    Numbers other = shown_.first;
    for (Index h = 0; h < subject_.model.heads; ++h)
      for (Index i = 0; i + edge < N; ++i) {
        const auto at = static_cast<std::size_t>((h * N + i) * N + i + edge);
        other[at] = shown_.first[at - 1];
      }
    return other;
  }

  void parameters() {
    const bool rotary = is(Shows::planes) || is(Shows::rotated);
    if (const data::Value* base = parameter("base"); base && std::get<double>(*base) != 1e4)
      add_variant("default base", with(subject_.variant, {{"base", 1e4}}));
    if (parameter("scaling"))
      add_variant("scaling dropped",
                  without(subject_.variant, {"scaling", "factor", "original_max_position_embeddings"}));
    if (const data::Value* scaling = parameter("scaling"); scaling && *scaling == data::Value(std::string("yarn"))) {
      const double stretch = usual_.waves(subject_.positions).first.front();
      add_variant("factor dropped", with(subject_.variant, {{"attention_factor", 1.0}}), {Slip::Kind::magnitude})
          .amount = 0;
      add_variant("factor squared", with(subject_.variant, {{"attention_factor", stretch * stretch}}),
                  {Slip::Kind::magnitude})
          .amount = 2;
      add_variant("factor's root", with(subject_.variant, {{"attention_factor", std::sqrt(stretch)}}),
                  {Slip::Kind::magnitude})
          .amount = 0.5;
    }
    if (const data::Value* width = parameter("rotary_width")) {
      const double part =
          static_cast<double>(std::get<std::int64_t>(*width)) / static_cast<double>(subject_.model.head_width());
      add_variant("exponent's width", with(subject_.variant, {{"base", std::pow(1e4, part)}}),
                  {Slip::Kind::wrong_width})
          .amount = 1 / part;
      add_variant("pairs' width",
                  with(without(subject_.variant, {"rotary_width"}),
                       {{"scaling", std::string("proportional")}, {"p", part}, {"base", std::pow(1e4, 1 / part)}}));
    }
    if (rotary && is(Shows::rotated) && info_.parameter("style")) {
      const data::Value* style = parameter("style");
      const data::Quantity& quantity = *info_.parameter("style");
      const data::Value now = style ? *style : quantity.default_value;
      for (const std::string& other : quantity.choices)
        if (data::Value(other) != now && !std::holds_alternative<std::monostate>(now))
          add_variant("layout", with(subject_.variant, {{"style", other}}));
    }
    if (info_.id == "t5") add_variant("causal for both", with(subject_.variant, {{"bidirectional", false}}));
    if (info_.id == "alibi" && parameter("form"))
      add_variant("causal for both", with(subject_.variant, {{"form", std::string("causal")}}));
    if (const Index H = subject_.model.heads; info_.id == "alibi" && (H & (H - 1)) != 0) {
      Subject more{subject_.name,          subject_.variant, subject_.shows, subject_.model, subject_.positions.copy(),
                   subject_.gives_weights, subject_.causal,  subject_.costly};
      more.model = {.model_width = 16 * subject_.model.head_width(), .heads = 16, .train_length = 512};
      const Making making(more, with(subject_.variant, {{"alibi_bias_max", 8.0 * 16 / static_cast<double>(H)}}));
      Numbers bias = making.bias(subject_.positions);
      bias.resize(shown_.first.size());
      add("plain slopes", {std::move(bias), {}}, {Slip::Kind::plain_slopes});
    }
  }

  void sides() {
    if (is(Shows::rotated))
      add("sides",
          {usual_.rotated(Side::key, subject_.positions, usual_.query),
           usual_.rotated(Side::query, subject_.positions, usual_.key)},
          {Slip::Kind::sides_exchanged});
    if (is(Shows::logits)) {
      Making exchanged(subject_, subject_.variant);
      std::swap(exchanged.query, exchanged.key);
      add("sides", {exchanged.logits(subject_.positions), {}}, {Slip::Kind::sides_exchanged, Slip::Kind::transposed});
    }
    if (is(Shows::rotated) && info_.id == "rope" && !parameter("rotary_width")) {
      add("tables' layout", {mixed(Side::query, usual_.query), mixed(Side::key, usual_.key)},
          {Slip::Kind::layout_exchanged});
    }
  }

  // Cosines laid out for one pairing, channels paired by the other.
  Numbers mixed(Side side, const Array<double>& x) const {
    const Index H = x.extent(0), N = x.extent(1), K = x.extent(2), P = K / 2;
    const bool halves = usual_.planes().front().second != 1;
    Array<double> ones{H, N, K};
    const auto pairs = usual_.planes();
    for (Index n = 0; n < N; ++n)
      for (const auto& pair : pairs) ones(0, n, pair.first) = 1;
    const Numbers turned_ones = usual_.rotated(side, subject_.positions, ones);
    Numbers out;
    for (Index h = 0; h < H; ++h)
      for (Index n = 0; n < N; ++n)
        for (Index c = 0; c < K; ++c) {
          // Those of a scheme that pairs halves lie [w, w], and meet neighbours; the others the other way.
          const auto& [a, b] = pairs[static_cast<std::size_t>(halves ? c % P : c / 2)];
          const double cosine = turned_ones[static_cast<std::size_t>(n * K + a)],
                       sine = turned_ones[static_cast<std::size_t>(n * K + b)];
          const double beside =
              halves ? (c % 2 == 0 ? -x(h, n, c + 1) : x(h, n, c - 1)) : (c < P ? -x(h, n, c + P) : x(h, n, c - P));
          out.push_back(x(h, n, c) * cosine + beside * sine);
        }
    return out;
  }

  // Each plane at the position where its angle is what 16 bits make of it.
  Shown by_plane(const std::function<double(double p, double w)>& angle) const {
    const std::span<const double> w = usual_.scheme().inverse_frequency();
    Shown out = shown_;
    const auto pairs = usual_.planes();
    const auto P = static_cast<Index>(pairs.size()), K = subject_.model.head_width();
    for (std::size_t m = 0; m < w.size() && m < pairs.size(); ++m) {
      if (w[m] == 0) continue;
      const Shown there = at(mapped(subject_.positions, [&](double p) { return angle(p, w[m]) / w[m]; }));
      for (std::size_t i = 0; i < out.first.size(); ++i) {
        const auto c = static_cast<Index>(i) % (is(Shows::planes) ? P : K);
        const bool of_plane =
            is(Shows::planes) ? c == static_cast<Index>(m) : c == pairs[m].first || c == pairs[m].second;
        if (of_plane) out.first[i] = there.first[i], out.second[i] = there.second[i];
      }
    }
    return out;
  }

  void precision() {
    const auto half = [](double x) { return dumps::half(x); };
    if (info_.id != "rope" || !(is(Shows::planes) || is(Shows::rotated))) return;
    const auto single = [](double x) { return dumps::single(x); };
    add("half: frequencies", by_plane([&](double p, double w) { return single(p * half(w)); }), {}).stage =
        "frequencies";
    add("half: angles", by_plane([&](double p, double w) { return half(single(p * single(w))); }), {}).stage = "angles";
    if (subject_.positions(subject_.positions.extent(0) - 1, 0) > 256)
      add("half: positions", by_plane([&](double p, double w) { return single(half(p) * single(w)); }), {}).stage =
          "positions";
    if (is(Shows::rotated) && !parameter("rotary_width"))
      add("half: products", {of_half_tables(Side::query, usual_.query), of_half_tables(Side::key, usual_.key)}, {})
          .stage = "tables";
  }
  Numbers of_half_tables(Side side, const Array<double>& x) const {
    const Index H = x.extent(0), N = x.extent(1), K = x.extent(2);
    const auto pairs = usual_.planes();
    Array<double> ones{H, N, K};
    for (Index n = 0; n < N; ++n)
      for (const auto& pair : pairs) ones(0, n, pair.first) = 1;
    const Numbers waves = usual_.rotated(side, subject_.positions, ones);
    Array<double> out = x.copy();
    for (Index h = 0; h < H; ++h)
      for (Index n = 0; n < N; ++n)
        for (const auto& [a, b] : pairs) {
          const double cosine = dumps::half(waves[static_cast<std::size_t>(n * K + a)]),
                       sine = dumps::half(waves[static_cast<std::size_t>(n * K + b)]);
          out(h, n, a) = x(h, n, a) * cosine - x(h, n, b) * sine;
          out(h, n, b) = x(h, n, b) * cosine + x(h, n, a) * sine;
        }
    return numbers_of(out);
  }

  const Subject& subject_;
  Making usual_;
  Shown shown_;
  const data::SchemeInfo& info_;
  std::vector<Planted> found_;
};

}  // namespace

Planted right(const Subject& subject) {
  const Making making(subject, subject.variant);
  Planted planted = dump_of(subject, making, "none", shown_of(subject, making, subject.positions));
  planted.other = subject.variant;
  return planted;
}

std::vector<Planted> slips_of(const Subject& subject) { return Slips(subject).all(); }

}  // namespace planted
