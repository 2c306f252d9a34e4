// SPDX-License-Identifier: Apache-2.0
// Which signatures a scheme has, and those of its positions.
#include <algorithm>

#include "poslab/attention/signatures.hpp"

namespace poslab::attention {

using host::Operation;

namespace {

bool codes_positions(const host::Scheme& scheme) {
  return scheme.has(Operation::encode) || scheme.has(Operation::transform);
}

bool codes_offsets(const host::Scheme& scheme) {
  return scheme.has(Operation::bias) || scheme.has(Operation::score) || scheme.has(Operation::mix);
}

}  // namespace

// `bias` and `mix` see positions only. `score` sees the content too: either the scheme says that it does not use it, or
// its family is that of fixed vectors per offset, which meet the content in a product.
bool looks_at_content(const host::Scheme& scheme) {
  if (scheme.info().family == data::Family::contextual) return true;
  return scheme.has(Operation::score) && !scheme.claims(POSLAB_CONTENT_FREE) &&
         scheme.info().family != data::Family::relative_vectors;
}

host::Side coded_side(const host::Scheme& scheme) {
  return scheme.transforms(host::Side::value) && !scheme.transforms(host::Side::key) ? host::Side::value
                                                                                     : host::Side::key;
}

std::optional<base::Refusal> why_no_signature(const host::Scheme& scheme, SignatureKind kind) {
  if (looks_at_content(scheme))
    return "it depends on the content: neither positions nor offsets have a code of their own";
  if (kind == SignatureKind::position && !codes_positions(scheme) && codes_offsets(scheme))
    return "it gives positions no code of their own: it changes scores by offset (kind = \"offset\")";
  if (kind == SignatureKind::offset && !codes_offsets(scheme) && codes_positions(scheme))
    return "it gives offsets no code of their own: it codes positions (kind = \"position\")";
  return std::nullopt;
}

SignatureKind natural_kind(const host::Scheme& scheme) {
  return codes_positions(scheme) || !codes_offsets(scheme) ? SignatureKind::position : SignatureKind::offset;
}

template <class S>
Array<S> position_signatures(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
                             std::span<const View<const S>> weights) {
  const Index N = positions.shape[0], H = scheme.model().heads, K = scheme.model().head_width();
  if (!codes_positions(scheme)) return Array<S>{N, 1};
  Array<S> signatures{N, H * K};
  if (scheme.has(Operation::encode)) {
    scheme.encode<S>(context, positions, weights, signatures);
    return signatures;
  }
  // Some positions at a time: the heads' arrays need not be as large as the table.
  constexpr Index at_once = 1024;
  for (Index first = 0; first < N; first += at_once) {
    const Index count = std::min(at_once, N - first);
    Array<S> ones{H, count, K};
    ones.fill(1);
    scheme.transform<S>(context, coded_side(scheme), positions.rows(first, count), weights, ones);
    for (Index h = 0; h < H; ++h)
      for (Index n = 0; n < count; ++n) std::copy_n(&ones(h, n, 0), K, &signatures(first + n, h * K));
  }
  return signatures;
}

template Array<float> position_signatures<float>(const host::Scheme&, const host::Context&, host::Positions,
                                                 std::span<const View<const float>>);
template Array<double> position_signatures<double>(const host::Scheme&, const host::Context&, host::Positions,
                                                   std::span<const View<const double>>);

}  // namespace poslab::attention
