// SPDX-License-Identifier: Apache-2.0
// Which weights an attack may take from further away than they are drawn.
#include "claims/attack.hpp"

namespace poslab::check {

std::vector<Tensor> normal_but_frequencies(const Instance& instance, const std::string& key) {
  const std::vector<Tensor> drawn = weights_of(instance.scheme(), WeightScale::drawn, key),
                            normal = weights_of(instance.scheme(), WeightScale::normal, key);
  if (!instance.has(Operation::transform)) return normal;
  Inputs inputs = usual_inputs(instance);
  const auto turned = [&](const std::vector<Tensor>& weights) {
    std::vector<double> numbers;
    inputs.weights = weights;
    for (const int side : instance.sides()) {
      Call call = forward_call(instance, inputs, Operation::transform, POSLAB_F64, side);
      instance.invoke(call);
      numbers.insert(numbers.end(), call.output.numbers.begin(), call.output.numbers.end());
    }
    return numbers;
  };
  const std::vector<double> by_drawn = turned(drawn), by_normal = turned(normal);
  std::vector<Tensor> mixed = drawn;
  bool is_other = false;
  for (std::size_t w = 0; w < drawn.size(); ++w) {
    std::vector<Tensor> one = drawn, all_but_one = normal;
    one[w] = normal[w];
    all_but_one[w] = drawn[w];
    if (turned(one) != by_drawn || turned(all_but_one) != by_normal) continue;
    mixed[w] = normal[w];
    is_other = true;
  }
  return is_other ? mixed : std::vector<Tensor>();
}

}  // namespace poslab::check
