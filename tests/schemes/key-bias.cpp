// SPDX-License-Identifier: Apache-2.0
// ALiBi as models release it, and other biases that differ from it, or from nothing, by what is the same for all keys
// of a query: softmax cancels that.
#include <poslab/scheme.hpp>

using namespace poslab;

struct KeyBias {
  static constexpr Card card{
      .id = "key-bias",
      .title = "A bias of the key's position",
      .version = "1.0",
      .summary = "ALiBi's logits, plus a number for each query.",
      .formula = "logit += m_h times what `form` says, m_h = 2^(-8(h + 1)/H)",
      .used_in = "BLOOM, MPT",
      .real_positions = true,
  };
  // BLOOM: j. MPT: j - (N - 1). ALiBi itself: j - i. What softmax does not see at all: i.
  enum Form { key, key_from_the_end, offset, query } form;
  static constexpr const char* forms[] = {"key", "key-from-the-end", "offset", "query"};
  static constexpr std::tuple params{choice(&KeyBias::form, "form", forms, "what is multiplied by the slope")};
  Traits traits() const { return Traits().mask(Mask::causal_only); }
  std::vector<double> slopes;
  void prepare(const Model& m) {
    for (int head = 0; head < m.H; ++head) slopes.push_back(std::exp2(-8.0 * (head + 1) / m.H));
  }
  double bias(int head, Point i, Point j, Context context) const {
    const double last = static_cast<double>(context.length - 1);
    const double x = form == key ? j : form == key_from_the_end ? j - last : form == offset ? j - i : double(i);
    return slopes[static_cast<std::size_t>(head)] * x;
  }
};
POSLAB_SCHEME(KeyBias)
