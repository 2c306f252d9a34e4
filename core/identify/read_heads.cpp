// SPDX-License-Identifier: Apache-2.0
// Queries, keys and values, and what comes of them: rotated, logits, outputs.
// Dimension letters: B batches, H heads, N positions, K head width, D model width.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "poslab/base/printable.hpp"
#include "reader.hpp"

namespace poslab::identify {

// [B, H, N, K] or [B, N, H, K], [H, N, K] or [N, H, K], [N, K].
HeadRows Reader::heads_of(const DumpArray& a, const Reading& reading) {
  if (a.rank() < 2 || a.rank() > 4) refuse(a, "vectors of heads are [B, H, N, K], [B, N, H, K], [H, N, K] or [N, K]");
  std::vector<Index> shape = a.shape;
  while (shape.size() < 4) shape.insert(shape.begin(), 1);
  const bool heads_first = reading.heads_first || a.rank() == 2;
  HeadRows out{shape[0], heads_first ? shape[1] : shape[2], heads_first ? shape[2] : shape[1], shape[3], {}};
  if (a.rank() > 2) evidence_.layout = heads_first ? heads_first_layout : "[B, N, H, K]";
  require_length(a, out.N);
  if (heads_first) {
    out.numbers = a.numbers;
    return out;
  }
  out.numbers.resize(a.numbers.size());
  for (Index b = 0; b < out.B; ++b)
    for (Index n = 0; n < out.N; ++n)
      for (Index h = 0; h < out.H; ++h)
        std::copy_n(a.numbers.data() + ((b * out.N + n) * out.H + h) * out.K, out.K,
                    out.numbers.data() + ((b * out.H + h) * out.N + n) * out.K);
  return out;
}

// Grouped queries: several heads of queries in a row share a head of keys and values, which is repeated for each.
HeadRows Reader::for_every_query(HeadRows x, Index H) {
  if (x.H >= H || H % x.H != 0) return x;
  HeadRows out{x.B, H, x.N, x.K, {}};
  const Index one = x.N * x.K;
  for (Index b = 0; b < x.B; ++b)
    for (Index h = 0; h < H; ++h) {
      const auto first = x.numbers.begin() + (b * x.H + h / (H / x.H)) * one;
      out.numbers.insert(out.numbers.end(), first, first + one);
    }
  return out;
}

void Reader::take_heads(const DumpArray& a, const HeadRows& x) {
  require_heads(a, x.H);
  if (head_width_ != 0 && head_width_ != x.K)
    refuse(a, fmt::format("other arrays have heads of width {}", head_width_));
  head_width_ = x.K;
}

void Reader::note_rotary_width(const HeadRows& before, const HeadRows& after) {
  Index changed = evidence_.rotary_width.value_or(0), from_end = evidence_.rotary_width_from_end.value_or(0);
  for (std::size_t i = 0; i < before.numbers.size(); ++i) {
    if (before.numbers[i] == after.numbers[i]) continue;
    const Index channel = static_cast<Index>(i) % before.K;
    changed = std::max(changed, channel + 1);
    from_end = std::max(from_end, before.K - channel);
  }
  evidence_.rotary_width = changed + changed % 2;
  evidence_.rotary_width_from_end = from_end + from_end % 2;
}

void Reader::read_contents(const Reading& reading) {
  head_width_ = 0;
  for (const auto& [before, after, side] : {std::tuple(Role::query, Role::rotated_query, host::Side::query),
                                            std::tuple(Role::key, Role::rotated_key, host::Side::key)}) {
    const DumpArray *x = array(before), *y = array(after);
    if (!y) continue;
    if (!x) refuse(*y, "a rotated array says nothing without the same before it is rotated: dump it, too");
    require_finite(*x), require_finite(*y);
    if (x->shape != y->shape) refuse(*y, fmt::format("before it is rotated it is {}", shape_text(x->shape)));
    const HeadRows rows = for_every_query(heads_of(*x, reading), model_.heads);
    const HeadRows rotated = for_every_query(heads_of(*y, reading), model_.heads);
    take_heads(*x, rows);
    note_rotary_width(rows, rotated);
    const std::string name = base::printable(y->name);
    evidence_.observations.push_back(
        observe_rotated({name, caption_of(*x).text + " and " + name}, side, rows, rotated));
  }
  const DumpArray *logits = array(Role::logits), *outputs = array(Role::outputs), *query = array(Role::query),
                  *key = array(Role::key), *value = array(Role::value), *input = array(Role::layer_input);
  if (!logits && !outputs) return;
  const DumpArray& shown = logits ? *logits : *outputs;
  if (input && input->rank() < 2) refuse(*input, "a layer's input is [N, D]");
  auto contents = std::make_shared<Contents>();
  contents->scale = reading.scale;
  if (query && key) {
    require_finite(*query), require_finite(*key);
    contents->query = heads_of(*query, reading);
    contents->key = for_every_query(heads_of(*key, reading), contents->query.H);
    take_heads(*query, contents->query), take_heads(*key, contents->key);
  } else if (!logits) {
    refuse(shown, "outputs of attention say nothing without query, key and value: dump them, too");
  } else {  // what comes of positions alone, with or without a layer's input
    if (logits->rank() < 2) refuse(*logits, "logits are [H, N, N] or [B, H, N, N]");
    const Index H = logits->rank() == 2 ? 1 : logits->shape[logits->rank() - 3], N = logits->shape.back();
    Index K = 4;
    if (input && input->shape.back() % H == 0) K = input->shape.back() / H;
    if (query) {
      contents->query = heads_of(*query, reading);
      K = contents->query.K;
    } else {
      contents->query = {1, H, N, K, std::vector<double>(static_cast<std::size_t>(H * N * K), 0.0)};
    }
    contents->key = {1, H, N, K, std::vector<double>(static_cast<std::size_t>(H * N * K), 0.0)};
    require_heads(*logits, H);
    head_width_ = K;
  }
  if (input) {
    require_finite(*input);
    if (input->shape[input->rank() - 2] != contents->query.N)
      refuse(*input, fmt::format("a layer's input is [N, D] with {} positions", contents->query.N));
    contents->layer_input = input->numbers;
    model_width_ = input->shape.back();
  }
  if (logits) {
    const HeadRows& q = contents->query;
    const auto count = static_cast<Index>(logits->numbers.size());
    // Those of the first heads will do.
    const bool fits = q.N > 0 && count % (q.B * q.N * q.N) == 0 && count / (q.B * q.N * q.N) <= q.H;
    if (!fits || (q.B > 1 && count != q.B * q.H * q.N * q.N))
      refuse(*logits, fmt::format("the logits of {} heads and {} positions have another", q.B * q.H, q.N));
    require_length(*logits, q.N);
    evidence_.observations.push_back(observe_logits(caption_of(*logits), contents, logits->numbers, reading.causal));
  }
  if (outputs) {
    if (!value) refuse(*outputs, "outputs of attention say nothing without query, key and value: dump them, too");
    require_finite(*value), require_finite(*outputs);
    contents->value = for_every_query(heads_of(*value, reading), contents->query.H);
    const HeadRows out = heads_of(*outputs, reading);
    const HeadRows& v = contents->value;
    const bool fits = out.N == v.N && out.K == v.K && out.B == v.B && (out.B > 1 ? out.H == v.H : out.H <= v.H);
    if (!fits || out.N > 2048)
      refuse(*outputs, out.N > 2048 ? "outputs of up to 2048 positions are looked at" : "the values have another");
    evidence_.observations.push_back(observe_outputs(caption_of(*outputs), contents, out, reading.causal));
  }
}

}  // namespace poslab::identify
