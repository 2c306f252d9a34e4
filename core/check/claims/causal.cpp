// SPDX-License-Identifier: Apache-2.0
// Under a causal mask, nothing that is seen depends on what the mask hides.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "claims/attack.hpp"
#include "poslab/base/count.hpp"

namespace poslab::check {
namespace {

// Logits and mixed values of a sequence under a causal mask, the first `keep` queries only; nothing if the plugin
// refuses or fails, which is for others to judge.
std::optional<std::vector<Call>> causal_calls(const Instance& instance, const Inputs& inputs, Index keep) {
  std::vector<Call> calls;
  Inputs tile = inputs;
  tile.queries = keep;
  for (const Operation operation : {Operation::bias, Operation::score, Operation::mix}) {
    if (!instance.has(operation)) continue;
    Call call = forward_call(instance, tile, operation);
    if (operation == Operation::mix) {  // hidden keys get nothing, visible ones the same in every sequence
      for (Index h = 0; h < instance.H(); ++h)
        for (Index i = 0; i < keep; ++i)
          for (Index j = 0; j < call.attention.shape[2]; ++j)
            call.attention.at(h, i, j) = j <= i ? 1.0 / static_cast<double>(i + 1) : 0;
      std::fill(call.output.numbers.begin(), call.output.numbers.end(), 0.0);
    }
    if (!instance.invoke(call).ok()) return std::nullopt;
    calls.push_back(std::move(call));
  }
  return calls;
}

Inputs shortened(const Inputs& inputs, Index keep) {
  Inputs shorter = inputs;
  shorter.positions = inputs.positions.rows(0, 0, keep);
  shorter.contents = {inputs.contents.query.rows(1, 0, keep), inputs.contents.key.rows(1, 0, keep),
                      inputs.contents.layer_input.rows(0, 0, keep), inputs.contents.value.rows(1, 0, keep),
                      inputs.contents.mixed.rows(1, 0, keep)};
  shorter.queries = keep;
  return shorter;
}

Inputs with_other_future(const Instance& instance, const Inputs& inputs, Index keep) {
  Inputs other = inputs;
  const Index N = inputs.positions.shape[0];
  const Contents strange = normal_contents(instance, N, "future", 3);
  for (Index n = keep; n < N; ++n) {
    for (Index h = 0; h < instance.H(); ++h)
      for (Index k = 0; k < instance.K(); ++k) {
        other.contents.key.at(h, n, k) = strange.key.at(h, n, k);
        other.contents.query.at(h, n, k) = strange.query.at(h, n, k);
        other.contents.value.at(h, n, k) = strange.value.at(h, n, k);
        other.contents.mixed.at(h, n, k) = strange.mixed.at(h, n, k);
      }
    for (Index d = 0; d < instance.D(); ++d) other.contents.layer_input.at(n, d) = strange.layer_input.at(n, d);
  }
  return other;
}

// How many entries of the output's row i are seen.
Index seen_of(const Call& call, Index i) { return call.operation == Operation::mix ? call.output.shape[2] : i + 1; }

bool sees_nan(const std::vector<Call>& calls) {
  for (const Call& call : calls)
    for (Index h = 0; h < call.output.shape[0]; ++h)
      for (Index i = 0; i < call.output.shape[1]; ++i)
        for (Index j = 0; j < seen_of(call, i); ++j)
          if (std::isnan(call.output.at(h, i, j))) return true;
  return false;
}

// A sequence goes forwards: where two of its positions are the same, which of them comes first is not a question of
// positions.
bool rises(const Tensor& positions) {
  for (Index n = 1; n < positions.shape[0]; ++n)
    if (!(positions.at(n - 1, 0) < positions.at(n, 0))) return positions.shape[1] > 1;
  return true;
}

AttackResult refute_causal(const Instance& instance, const Attack& attack, const std::vector<Tensor>& weights) {
  if (!rises(attack.positions)) return not_possible();
  const Index N = attack.positions.shape[0];
  Inputs inputs = inputs_of(instance, attack.positions, "causal");
  inputs.weights = weights;
  inputs.causal = true;
  inputs.layer = attack.layer;
  for (Index keep = 1; keep < N; ++keep) {
    const auto whole = causal_calls(instance, inputs, keep);
    if (!whole || sees_nan(*whole)) return not_possible();  // nan beside other contents is seen, and refutes
    for (const bool cut : {false, true}) {
      const auto other =
          causal_calls(instance, cut ? shortened(inputs, keep) : with_other_future(instance, inputs, keep), keep);
      if (!other) return not_possible();
      for (std::size_t c = 0; c < whole->size(); ++c) {
        const double most = logit_tolerance((*whole)[c].output, (*other)[c].output);
        const bool mixes = (*whole)[c].operation == Operation::mix;
        for (Index h = 0; h < instance.H(); ++h)
          for (Index i = 0; i < keep; ++i)
            for (Index j = 0; j < seen_of((*whole)[c], i); ++j)
              if (differ((*whole)[c].output.at(h, i, j), (*other)[c].output.at(h, i, j), most))
                return refuted(
                    fmt::format("{} for query {} and {} {}, head {}, is {} when the keys from {} on, which the mask "
                                "hides, {}{}{}",
                                name_of((*whole)[c]), point_text(attack.positions, i), mixes ? "channel" : "key",
                                mixes ? std::to_string(j) : point_text(attack.positions, j), h,
                                one_but_other((*whole)[c].output.at(h, i, j), (*other)[c].output.at(h, i, j)),
                                point_text(attack.positions, keep), cut ? "are not there" : "have other contents",
                                circumstances({{}, {}, false, attack.layer}),
                                gap_text((*whole)[c].output.at(h, i, j), (*other)[c].output.at(h, i, j), most)));
      }
    }
  }
  return stood();
}

}  // namespace

std::string check_causal(Trial& trial) {
  int attacks = 0;
  trial.for_each_instance([&](const Instance& instance) {
    if (!instance.serves_causal()) return;
    if (!instance.has(Operation::bias) && !instance.has(Operation::score) && !instance.has(Operation::mix)) return;
    Attacker attacker(instance, true);
    for (const WeightScale scale : {WeightScale::drawn, WeightScale::normal}) {
      const std::vector<Tensor> weights = weights_of(instance.scheme(), scale, "causal");
      if (scale == WeightScale::normal && weights.empty()) continue;
      const std::vector<Attack> sequences = every(2, attacks_on(instance, 6, false, "causal"));
      attacker.attack_all(
          sequences, [&](const Attack& attack) { return refute_causal(instance, attack, weights); }, 2);
    }
    attacks += attacker.made();
  });
  if (attacks == 0) throw NotPerformed("nothing that it offers can look at other keys");
  return fmt::format("stood {} in {}", base::counted(attacks, "attack"), trial.scope());
}

}  // namespace poslab::check
