// SPDX-License-Identifier: Apache-2.0
// A factor on queries that grows with the logarithm of their position, so that attention over many keys stays sharp.
// Dimension letters: H heads.
#include <poslab/scheme.hpp>

using namespace poslab;

struct QueryTemperature {
  static constexpr Card card{
      .id = "query-temperature",
      .title = "Temperature of queries by position",
      .version = "1.0",
      .paper = "Nakanishi 2025 (Scalable-Softmax), arXiv:2501.19399; Llama 4 and Ministral 3 (code)",
      .summary = "Multiplies a query by a number that grows with the logarithm of its position.",
      .formula =
          "llama4: q *= 1 + scale log(1 + floor((p + 1) / length)); ministral3: floor(p / length); "
          "ssmax: q *= s_h log(p + 1)",
      .used_in = "Llama 4 (layers without RoPE), Ministral 3",
      .real_positions = true,
      .family = Family::bias};
  enum class Form { llama4, ministral3, ssmax };
  static constexpr const char* forms[] = {"llama4", "ministral3", "ssmax"};
  Form form;
  double scale, first_scale;
  std::optional<double> length;
  static constexpr std::tuple params{
      choice(&QueryTemperature::form, "form", forms, "how the factor grows"),
      real(&QueryTemperature::scale, "scale", 0.1, at_least(0), "llama4, ministral3: what a logarithm counts"),
      real(&QueryTemperature::length, "length", unset, above(0),
           "llama4, ministral3: positions that share a factor; unset: llama4 8192, ministral3 the train length")
          .usual({8192, 4096, 16384, 2048, 32768, 65536, 1024, 512})
          .in("position"),
      real(&QueryTemperature::first_scale, "first_scale", 0.43, any_number, "ssmax: s of each head at the start")};

  double step = 1;  // positions that share a factor

  void prepare(const Model& m) {
    step = length.value_or(form == Form::llama4 ? 8192.0 : static_cast<double>(m.train_length));
  }
  Traits traits() const {
    const bool told = form != Form::ministral3 || length;  // else it asks for the train length
    return Traits().claims(content_free | (told ? length_free : no_claims)).min_position(0);
  }
  bool offers(Operation operation) const { return operation == Operation::transform; }
  std::vector<Weight> weights(const Model& m) const {
    if (form != Form::ssmax) return {};
    return {constant("s", {m.H}, first_scale, "what a head multiplies the logarithm by").each_layer()};
  }

  template <class S>
  void transform(Side side, int head, Point p, Row<S> row, Weights<const S> w) const {
    if (side == Side::key) return;
    const S factor = form == Form::ssmax ? S(w[0](head) * S(std::log(p + 1.0))) : S(by_floor(p));
    for (S& x : row) x = x * factor;
  }

 private:
  double by_floor(double p) const {
    const double counted = form == Form::llama4 ? p + 1 : p;
    return 1 + scale * std::log(1 + std::floor(counted / step));
  }
};
POSLAB_SCHEME(QueryTemperature)
