// SPDX-License-Identifier: Apache-2.0
// Slips that are other variants, pairings, sides or precisions.
#include "planted_slips.hpp"

#include <algorithm>
#include <cmath>

#include "poslab/base/error.hpp"

namespace planted {

using namespace poslab;

void Slips::parameters() {
  const bool rotary = is(Shows::planes) || is(Shows::rotated);
  if (const data::Value* base = parameter("base"); base && std::get<double>(*base) != 1e4)
    add_variant("default base", with(subject_.variant, {{"base", 1e4}}));
  if (parameter("scaling"))
    add_variant("scaling dropped",
                without(subject_.variant, {"scaling", "factor", "original_max_position_embeddings"}));
  if (const data::Value* scaling = parameter("scaling"); scaling && *scaling == data::Value(std::string("yarn"))) {
    const double stretch = usual_.waves(subject_.positions).first.front();
    add_variant("factor dropped", with(subject_.variant, {{"attention_factor", 1.0}}), {Slip::Kind::magnitude}).amount =
        0;
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
    add_variant("exponent's width", with(subject_.variant, {{"base", std::pow(1e4, part)}}), {Slip::Kind::wrong_width})
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

void Slips::sides() {
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

Numbers Slips::mixed(Side side, const Array<double>& x) const {
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

Shown Slips::by_plane(const std::function<double(double p, double w)>& angle) const {
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

void Slips::precision() {
  const auto half = [](double x) { return dumps::half(x); };
  if (info_.id != "rope" || !(is(Shows::planes) || is(Shows::rotated))) return;
  const auto single = [](double x) { return dumps::single(x); };
  add("half: frequencies", by_plane([&](double p, double w) { return single(p * half(w)); }), {}).stage = "frequencies";
  add("half: angles", by_plane([&](double p, double w) { return half(single(p * single(w))); }), {}).stage = "angles";
  if (subject_.positions(subject_.positions.extent(0) - 1, 0) > 256)
    add("half: positions", by_plane([&](double p, double w) { return single(half(p) * single(w)); }), {}).stage =
        "positions";
  if (is(Shows::rotated) && !parameter("rotary_width"))
    add("half: products", {of_half_tables(Side::query, usual_.query), of_half_tables(Side::key, usual_.key)}, {})
        .stage = "tables";
}

Numbers Slips::of_half_tables(Side side, const Array<double>& x) const {
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

}  // namespace planted
