// SPDX-License-Identifier: Apache-2.0
// Each WRONG_... is one mistake that an author may make in a scheme that is right otherwise; tests read the first
// error.
#include <poslab/scheme.hpp>
using namespace poslab;

struct Wrong {
#if defined(WRONG_card)
  static constexpr Card crad{.id = "wrong", .title = "Wrong", .version = "1"};
#else
  static constexpr Card card{.id = "wrong", .title = "Wrong", .version = "1"};
#endif

// Properties.
#if defined(WRONG_claim)
  static constexpr Traits traits = Traits().claim(relative);
#elif defined(WRONG_max_positon)
  Traits traits() const { return Traits().claims(relative).max_positon(7); }
#elif defined(WRONG_score_writes_logit)
  static constexpr Traits traits = Traits().score_writes_logit().claims(relative);
#elif defined(WRONG_inverse_frequencies)
  Traits traits(const Model&) const { return Traits().inverse_frequencies({1, 2}); }
#elif defined(WRONG_trait)
  static constexpr Traits trait = Traits().claims(relative);
#elif defined(WRONG_no_traits)
  static constexpr auto claims = relative;
#elif defined(WRONG_traits)
  Claims traits() const { return relative; }
#elif defined(WRONG_property)
  static constexpr Traits traits{};
  static constexpr auto mask = Mask::causal_only;
#else
  static constexpr Traits traits = Traits().claims(relative);
#endif
#if defined(WRONG_axes)
  int axes() const { return 2; }
#elif defined(WRONG_pairing)
  Pairing pairing() const { return Pairing::half_split; }
#elif defined(WRONG_rotary_width)
  int rotary_width() const { return 2; }
#elif defined(WRONG_inverse_frequency)
  std::vector<double> inverse_frequency() const { return {1}; }
#elif defined(WRONG_claims_outside)
  static constexpr Claims claim() { return relative; }
#elif defined(WRONG_max_positon_outside)
  int max_positon() const { return 7; }
#elif defined(WRONG_least_axes)
  int least_axes() const { return 1; }
#endif

  // Helpers and parameters with names near those of members are no mistake.
  double weights_of_rows(int) const { return 1; }
  double param, scored;

// Names.
#if defined(WRONG_encodes)
  void encodes(Point, Row<double> row) const { row[0] = 0; }
#elif defined(WRONG_roate)
  template <class S>
  void roate(Point, Row<S> cosines, Row<S> sines, Weights<const S>) const {
    cosines[0] = sines[0];
  }
#elif defined(WRONG_biass)
  double biass(int, double offset) const { return offset; }
#elif defined(WRONG_prepair)
  void prepair(const Model&) {}
#elif defined(WRONG_weight)
  std::vector<Weight> weight(const Model&) const { return {constant("slope", {1}, 1)}; }
#elif defined(WRONG_parmas)
  double base;
  static constexpr std::tuple parmas{real(&Wrong::base, "base", 2, above(1), "a base")};
#elif defined(WRONG_offer)
  bool offer(Operation) const { return true; }
#elif defined(WRONG_encode_grad)
  template <class S>
  void encode_grad(Point, Row<const S>, Weights<const S>, Weights<S>) const {}
#elif defined(WRONG_bias_gradiant)
  template <class S>
  void bias_gradiant(int, double, S, Weights<const S>, Weights<S>) const {}
#elif defined(WRONG_biases_gradient)
  template <class S>
  void biases_gradient(int, double, S, Weights<const S>, Weights<S>) const {}
#elif defined(WRONG_weigth)
  std::vector<Weight> weigth(const Model&) const { return {constant("slope", {1}, 1)}; }
#elif defined(WRONG_parametres)
  double base;
  static constexpr std::tuple parametres{real(&Wrong::base, "base", 2, above(1), "a base")};
#endif

// Signatures.
#if defined(WRONG_encode)
  void encode(Point, std::vector<double>& row) const { row[0] = 0; }
#elif defined(WRONG_encode_order)
  template <class S>
  void encode(Row<S> row, Point) const {
    row[0] = S(0);
  }
#elif defined(WRONG_encode_whole)
  void encode(int position, Row<double> row) const { row[0] = position; }
#elif defined(WRONG_encode_to_read)
  void encode(Point, Row<const double>) const {}
#elif defined(WRONG_encode_to_change)
  void encode(Point, Row<double> row) { row[0] = 0; }
#elif defined(WRONG_encode_scalar)
  std::vector<Weight> weights(const Model&) const { return {constant("slope", {1}, 1)}; }
  void encode(Point, Row<double> row, Weights<const double> w) const { row[0] = w[0](0); }
#elif defined(WRONG_encode_result)
  double encode(Point p, Row<double> row) const { return row[0] = p; }
#elif defined(WRONG_rotate)
  void rotate(Point, Row<float> cosines, Row<float> sines) const { cosines[0] = sines[0]; }
#elif defined(WRONG_rotate_order)
  void rotate(Side, Context, Point, Row<double> cosines, Row<double> sines) const { cosines[0] = sines[0]; }
#elif defined(WRONG_rotate_whole)
  void rotate(int, Row<double> cosines, Row<double> sines) const { cosines[0] = sines[0]; }
#elif defined(WRONG_rotate_to_change)
  void rotate(Point, Row<double> cosines, Row<double> sines) { cosines[0] = sines[0]; }
#elif defined(WRONG_rotate_scalar)
  std::vector<Weight> weights(const Model&) const { return {constant("slope", {1}, 1)}; }
  void rotate(Point, Row<double> cosines, Row<double>, Weights<const double> w) const { cosines[0] = w[0](0); }
#elif defined(WRONG_rotate_result)
  double rotate(Point, Row<double> cosines, Row<double> sines) const { return cosines[0] = sines[0]; }
#elif defined(WRONG_rotate_side)
  void rotate(bool, Point, Row<double> cosines, Row<double> sines) const { cosines[0] = sines[0]; }
#elif defined(WRONG_rotate_head)
  void rotate(int, Point, Row<float> cosines, Row<float> sines) const { cosines[0] = sines[0]; }
#elif defined(WRONG_rotate_head_real)
  void rotate(double, Point, Row<double> cosines, Row<double> sines) const { cosines[0] = sines[0]; }
#elif defined(WRONG_rotate_head_order)
  void rotate(Point, int, Row<double> cosines, Row<double> sines) const { cosines[0] = sines[0]; }
#elif defined(WRONG_rotate_head_before_side)
  void rotate(int, Side, Point, Row<double> cosines, Row<double> sines) const { cosines[0] = sines[0]; }
#elif defined(WRONG_rotate_head_whole)
  void rotate(int, int, Row<double> cosines, Row<double> sines) const { cosines[0] = sines[0]; }
#elif defined(WRONG_rotate_head_to_change)
  void rotate(int, Point, Row<double> cosines, Row<double> sines) { cosines[0] = sines[0]; }
#elif defined(WRONG_rotate_head_scalar)
  std::vector<Weight> weights(const Model&) const { return {constant("slope", {1}, 1)}; }
  void rotate(int, Point, Row<double> cosines, Row<double>, Weights<const double> w) const { cosines[0] = w[0](0); }
#elif defined(WRONG_rotate_head_result)
  double rotate(int, Point, Row<double> cosines, Row<double> sines) const { return cosines[0] = sines[0]; }
#elif defined(WRONG_transform)
  void transform(Point, Row<double> row) const { row[0] = 0; }
#elif defined(WRONG_transform_order)
  template <class S>
  void transform(double, int head, Row<S> row) const {
    row[0] = S(head);
  }
#elif defined(WRONG_transform_whole)
  template <class S>
  void transform(int p, Row<S> row) const {
    row[0] = S(p);
  }
#elif defined(WRONG_transform_to_change)
  template <class S>
  void transform(Point, Row<S> row) {
    row[0] = S(0);
  }
#elif defined(WRONG_transform_result)
  template <class S>
  S transform(Point, Row<S> row) const {
    return row[0];
  }
#elif defined(WRONG_bias)
  double bias(double offset) const { return offset; }
#elif defined(WRONG_bias_order)
  double bias(double offset, int head) const { return offset * head; }
#elif defined(WRONG_bias_order_with_weights)
  std::vector<Weight> weights(const Model&) const { return {constant("slope", {1}, 1)}; }
  template <class S>
  S bias(double offset, int, Weights<const S> w) const {
    return w[0](0) * S(offset);
  }
#elif defined(WRONG_bias_whole)
  double bias(int, int offset) const { return offset; }
#elif defined(WRONG_bias_float)
  float bias(int, double offset) const { return static_cast<float>(offset); }
#elif defined(WRONG_bias_int)
  int bias(int head, double) const { return head; }
#elif defined(WRONG_bias_pair_whole)
  double bias(int, int query, int key) const { return key - query; }
#elif defined(WRONG_bias_to_change)
  double bias(int, double offset) { return offset; }
#elif defined(WRONG_bias_row_to_change)
  template <class S>
  void bias(double offset, Row<S> heads) {
    heads[0] = S(offset);
  }
#elif defined(WRONG_bias_scalar)
  std::vector<Weight> weights(const Model&) const { return {constant("slope", {1}, 1)}; }
  double bias(int, double offset, Weights<const double> w) const { return w[0](0) * offset; }
#elif defined(WRONG_bias_pair_order)
  double bias(Point query, Point key, int) const { return key - query; }
#elif defined(WRONG_bias_twice)
  double bias(int, double offset) const { return offset; }
  double bias(int, double query, double key) const { return key - query; }
#elif defined(WRONG_score)
  template <class S>
  void score(Tensor<S> logits) const {
    logits(0, 0, 0) = 0;
  }
#elif defined(WRONG_score_order)
  template <class S>
  void score(Weights<const S>, const ScoreTile<S>&) const {}
#elif defined(WRONG_score_to_change)
  template <class S>
  void score(const ScoreTile<S>&, Weights<const S>) {}
#elif defined(WRONG_score_scalar)
  void score(const ScoreTile<double>& tile) const { tile.logits(0, 0, 0) = 0; }
#elif defined(WRONG_score_result)
  template <class S>
  S score(const ScoreTile<S>&) const {
    return S(0);
  }
#elif defined(WRONG_mix_order)
  template <class S>
  void mix(Weights<const S>, const MixTile<S>&) const {}
#elif defined(WRONG_mix_to_change)
  template <class S>
  void mix(const MixTile<S>&) {}
#elif defined(WRONG_mix_whole)
  void mix(int) const {}
#elif defined(WRONG_mix)
  void mix(const MixTile<double>& tile) const { tile.output(0, 0, 0) = 0; }
#elif defined(WRONG_bias_gradient) || defined(WRONG_bias_gradient_order)
  std::vector<Weight> weights(const Model&) const { return {constant("slope", {1}, 1)}; }
  template <class S>
  S bias(int, double offset, Weights<const S> w) const {
    return w[0](0) * S(offset);
  }
#if defined(WRONG_bias_gradient)
  template <class S>
  void bias_gradient(double offset, Weights<S> dw) const {
    dw[0](0) += S(offset);
  }
#else
  template <class S>
  void bias_gradient(double offset, int, S gradient, Weights<const S>, Weights<S> dw) const {
    dw[0](0) += gradient * S(offset);
  }
#endif
#elif defined(WRONG_rotate_gradient)
  void rotate(Point, Row<double>, Row<double>) const {}
  void rotate_gradient(Point, Row<double>) const {}
#elif defined(WRONG_lone_gradient)
  double bias(int, double) const { return 0; }
  template <class S>
  void encode_gradient(Point, Row<const S>, Weights<const S>, Weights<S>) const {}
#elif defined(WRONG_both)
  void rotate(Point, Row<double>, Row<double>) const {}
  template <class S>
  void transform(Point, Row<S>) const {}
#elif !defined(WRONG_no_operation) && !defined(WRONG_encodes) && !defined(WRONG_roate) && !defined(WRONG_biass) && \
    !defined(WRONG_encode_grad)
  double bias(int, double) const { return 0; }
#endif

#if defined(WRONG_prepare)
  void prepare(int) {}
#elif defined(WRONG_weights)
  Weight weights(const Model&) const { return constant("slope", {1}, 1); }
#elif defined(WRONG_offers)
  bool offers(int) const { return true; }
#elif defined(WRONG_real)
  int base;
  static constexpr std::tuple params{real(&Wrong::base, "base", 2, above(1), "a base")};
#elif defined(WRONG_real_float)
  float base;
  static constexpr std::tuple params{real(&Wrong::base, "base", 2, above(1), "a base")};
#elif defined(WRONG_integer_unsigned)
  unsigned base;
  static constexpr std::tuple params{integer(&Wrong::base, "base", 2, above(1), "a base")};
#elif defined(WRONG_real_order)
  double base;
  static constexpr std::tuple params{real(&Wrong::base, 2, "base", above(1), "a base")};
#elif defined(WRONG_real_without_range)
  double base;
  static constexpr std::tuple params{real(&Wrong::base, "base", 2, "a base")};
#elif defined(WRONG_usual_outside)
  double base;
  static constexpr std::tuple params{real(&Wrong::base, "base", 2, above(1), "a base").usual({2, 1})};
#elif defined(WRONG_integer_fraction)
  int base;
  static constexpr std::tuple params{integer(&Wrong::base, "base", 4.5, above(1), "a base")};
#elif defined(WRONG_normal_order)
  std::vector<Weight> weights(const Model& m) const { return {normal({m.H}, "slope", 1, "a slope")}; }
#elif defined(WRONG_params)
  double base;
  static constexpr auto params = real(&Wrong::base, "base", 2, above(1), "a base");
#endif
};
POSLAB_SCHEME(Wrong)
