// SPDX-License-Identifier: Apache-2.0
// RoPE for image patches: planes rotate by the row, by the column, or by a learned mixture of both.
// Dimension letters: H heads, K head width, P = K/2 planes, m = 0 .. P/2 - 1.
#include <poslab/scheme.hpp>

using namespace poslab;

struct Rope2d {
  static constexpr Card card{
      .id = "rope-2d",
      .title = "Rotary embedding of image patches",
      .version = "1.0",
      .paper = "Heo et al. 2024, arXiv:2403.13298; Qwen2-VL: Wang et al. 2024, arXiv:2409.12191",
      .summary = "Half of the planes rotate by the row and half by the column, or all by learned mixtures of both.",
      .formula =
          "Rot(x f_m) on one half of the planes, Rot(y f_m) on the other, f_m = theta^(-4m/K); mixed: "
          "Rot(x fx_m + y fy_m) with learned fx, fy of every head",
      .used_in = "RoPE-ViT, EVA-02, Qwen2-VL's vision tower",
      .real_positions = real_positions,
      .least_axes = 2,
      .most_axes = 2};
  enum class Layout { axial, qwen, mixed };
  static constexpr const char* layouts[] = {"axial", "qwen", "mixed"};
  static constexpr const char* styles[] = {"interleaved", "half-split"};
  Layout layout;
  std::optional<double> theta;
  std::optional<Pairing> style;
  static constexpr std::tuple params{
      choice(&Rope2d::layout, "layout", layouts, "column first, row first, or learned frequencies for both in a head"),
      real(&Rope2d::theta, "theta", unset, above(0), "base of the frequencies; unset: axial 100, qwen 10000, mixed 10")
          .as(Role::base)
          .usual(usual_bases),
      choice(&Rope2d::style, "style", styles, unset,
             "which two channels are rotated together; unset: half-split for qwen, else interleaved")
          .as(Role::pairing)};
  static constexpr Traits traits = Traits().claims(isometry | relative | content_free | length_free | bounded);

  std::vector<double> frequency;  // f_m [P / 2]
  bool halves;

  void prepare(const Model& m) {
    require(m.K % 4 == 0,
            "rope-2d shares a head's planes between row and column: the head width must be a multiple of 4, "
            "not ",
            m.K);
    const double base = theta.value_or(layout == Layout::axial ? 100 : layout == Layout::qwen ? 1e4 : 10);
    for (int i = 0; i < m.K / 4; ++i) frequency.push_back(std::pow(base, -4.0 * i / m.K));
    halves = style.value_or(layout == Layout::qwen ? Pairing::half_split : Pairing::interleaved) == Pairing::half_split;
  }

  std::vector<Weight> weights(const Model& m) const {
    if (layout != Layout::mixed) return {};
    const auto two_pi = 2 * std::numbers::pi;
    return {
        uniform("head_angle", {m.H}, 0, two_pi, "the direction of a head's initial frequencies").each_layer().frozen(),
        constant("shift", {2, m.H, m.K / 2}, 0, "what training adds to the initial fx and fy").each_layer()};
  }

  template <class S>
  void transform(int head, Point p, Row<S> row, Weights<const S> w) const {
    rotate_planes(head, p, row, w, 1);
  }
  template <class S>
  void transform_gradient(int head, Point p, Row<S> gradient, Weights<const S> w) const {
    rotate_planes(head, p, gradient, w, -1);
  }

 private:
  // A position is (row y, column x).
  template <class S>
  void rotate_planes(int head, Point p, Row<S> row, const Weights<const S>& w, int direction) const {
    if (layout == Layout::mixed) return rotate_mixed(head, p, row, w, direction);
    const bool row_first = layout == Layout::qwen;
    for_sines_and_cosines(p[row_first ? 0 : 1], frequency, [&](std::size_t m, double sine, double cosine) {
      rotate_plane(row, m, S(direction * sine), S(cosine));
    });
    for_sines_and_cosines(p[row_first ? 1 : 0], frequency, [&](std::size_t m, double sine, double cosine) {
      rotate_plane(row, m + frequency.size(), S(direction * sine), S(cosine));
    });
  }

  // In x87's 64 bits, so that learned frequencies, of any size, leave far angles their digits; or on the tape.
  template <class S>
  using Exact = std::conditional_t<std::is_arithmetic_v<S>, long double, S>;

  template <class S>
  void rotate_mixed(int head, Point p, Row<S> row, const Weights<const S>& w, int direction) const {
    const auto [sine, cosine] = sine_cosine(Exact<S>(w[0](head)));
    for (std::size_t m = 0; m < 2 * frequency.size(); ++m) {
      const bool first = m < frequency.size();  // the second half is rotated by another quarter
      const double magnitude = frequency[first ? m : m - frequency.size()];
      const Exact<S> fx = magnitude * (first ? cosine : -sine) + Exact<S>(w[1](0, head, m));
      const Exact<S> fy = magnitude * (first ? sine : cosine) + Exact<S>(w[1](1, head, m));
      const auto [s, c] = sine_cosine(Exact<S>(p[1] * fx + p[0] * fy));
      rotate_plane(row, m, S(direction * s), S(c));
    }
  }

  static std::pair<double, double> sine_cosine(long double angle) {
    const auto head = static_cast<double>(angle), tail = static_cast<double>(angle - head);
    const SineCosine at = sine_and_cosine(head);
    return {at.sine + at.cosine * tail, at.cosine - at.sine * tail};
  }
  template <class S>
  static std::pair<S, S> sine_cosine(const S& angle) {
    return {sin(angle), cos(angle)};
  }

  template <class S>
  void rotate_plane(Row<S> row, std::size_t m, const S& sine, const S& cosine) const {
    S& one = row[halves ? m : 2 * m];
    S& other = row[halves ? m + 2 * frequency.size() : 2 * m + 1];
    const S a = one, b = other;
    one = a * cosine - b * sine;
    other = b * cosine + a * sine;
  }
};
POSLAB_SCHEME(Rope2d)
