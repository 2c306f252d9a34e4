// SPDX-License-Identifier: Apache-2.0
#include "planted_slips.hpp"

#include <algorithm>
#include <cmath>

#include "poslab/base/error.hpp"

namespace planted {

using namespace poslab;

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

std::vector<Planted> Slips::all() {
  positions();
  arrays();
  parameters();
  sides();
  precision();
  return std::move(found_);
}

Planted& Slips::add(const std::string& slip, const Shown& shown, std::vector<Slip::Kind> kinds,
                    std::optional<double> amount) {
  found_.push_back(dump_of(subject_, usual_, slip, shown));
  found_.back().kinds = std::move(kinds);
  found_.back().amount = amount;
  return found_.back();
}

Planted& Slips::add_variant(const std::string& slip, const Named& variant, std::vector<Slip::Kind> kinds) {
  const Making making(subject_, variant);
  found_.push_back(dump_of(subject_, making, slip, shown_of(subject_, making, subject_.positions)));
  found_.back().kinds = std::move(kinds);
  found_.back().other = variant;
  return found_.back();
}

void Slips::positions() {
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

Shown Slips::times(double factor) const {
  Shown other = shown_;
  for (Numbers* numbers : {&other.first, &other.second})
    for (double& x : *numbers)
      if (std::isfinite(x)) x *= factor;
  return other;
}

void Slips::arrays() {
  const auto D = static_cast<double>(subject_.model.model_width), K = static_cast<double>(subject_.model.head_width());
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

Numbers Slips::turned() const {
  const Index N = subject_.positions.extent(0);
  Numbers other = shown_.first;
  for (Index h = 0; h < subject_.model.heads; ++h)
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j)
        other[static_cast<std::size_t>((h * N + i) * N + j)] =
            shown_.first[static_cast<std::size_t>((h * N + j) * N + i)];
  return other;
}

Numbers Slips::moved_edge() const {
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

Planted right(const Subject& subject) {
  const Making making(subject, subject.variant);
  Planted planted = dump_of(subject, making, "none", shown_of(subject, making, subject.positions));
  planted.other = subject.variant;
  return planted;
}

std::vector<Planted> slips_of(const Subject& subject) { return Slips(subject).all(); }

}  // namespace planted
