// SPDX-License-Identifier: Apache-2.0
// Schemes without a mistake whose helpers have names or forms that a mistake could have: they compile.
#include <poslab/scheme.hpp>
using namespace poslab;

struct Helpers {
  static constexpr Card card{.id = "helpers", .title = "Helpers", .version = "1"};
  double base;
  static constexpr std::tuple params{real(&Helpers::base, "base", 2, above(1), "a base")};
  Traits traits() const { return Traits().inverse_frequency(inverse_frequency()).max_position(max_position()); }
  std::vector<double> inverse_frequency() const { return {1 / base}; }
  static double max_position() { return 1e6; }
  double rotation(double p) const { return p / base; }
  void rotate(Point p, Row<double> cosines, Row<double> sines) const {
    for (std::size_t m = 0; m < cosines.size(); ++m) cosines[m] = cos(rotation(p)), sines[m] = sin(rotation(p));
  }
};
constexpr poslab_plugin helpers = sdk::table<Helpers>();

struct Names {
  static constexpr int least_axes = 2, axes = 2, scores = 3;
  static constexpr Claims claims = relative;
  enum Kind { rotations, encodes };
  enum class Transform { none };
  static constexpr Card card{
      .id = "names", .title = "Names", .version = "1", .least_axes = least_axes, .most_axes = axes};
  static constexpr Traits traits = Traits().claims(claims);
  static double max(double a, double b) { return a < b ? b : a; }
  static double inverse_frequency(int m) { return scores * m; }
  double bias(int, Point query, Point key) const { return max(query[0] - key[0], inverse_frequency(1)); }
};
constexpr poslab_plugin names = sdk::table<Names>();

struct HeadOfEach {
  static constexpr Card card{.id = "head-of-each", .title = "Angles of each head", .version = "1"};
  static constexpr Traits traits{};
  void rotate(Context, Side, int head, double p, Row<double> cosines, Row<double> sines) const {
    for (std::size_t m = 0; m < cosines.size(); ++m) cosines[m] = cos(head * p), sines[m] = sin(head * p);
  }
};
constexpr poslab_plugin head_of_each = sdk::table<HeadOfEach>();

struct LearnedOfEach {
  static constexpr Card card{.id = "learned-of-each", .title = "Learned angles of each head", .version = "1"};
  static constexpr Traits traits{};
  std::vector<Weight> weights(const Model& m) const { return {constant("speed", {m.H}, 1)}; }
  template <class S>
  void rotate(int head, Point p, Row<S> cosines, Row<S> sines, Weights<const S> w) const {
    for (std::size_t m = 0; m < cosines.size(); ++m)
      cosines[m] = cos(w[0](head) * S(p)), sines[m] = sin(w[0](head) * S(p));
  }
};
constexpr poslab_plugin learned_of_each = sdk::table<LearnedOfEach>();

class HandWritten {
 public:
  static constexpr Card card{.id = "by-hand", .title = "By hand", .version = "1"};
  static constexpr Traits traits{};
  template <std::floating_point S>
  void transform(Point p, Row<S> row) const {
    row[0] *= S(scaling * p);
  }
  template <std::floating_point S>
  void transform_gradient(Point p, Row<S> gradient) const {
    gradient[0] *= S(scaling * p);
  }

 private:
  double scaling = 2;
};
constexpr poslab_plugin hand_written = sdk::table<HandWritten>();

struct OneForm {
  static constexpr Card card{.id = "one-form", .title = "One form", .version = "1"};
  static constexpr Traits traits{};
  double bias(int, double offset, double shift = 0) const { return offset + shift; }
};
POSLAB_SCHEME(OneForm)
