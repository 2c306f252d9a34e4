// SPDX-License-Identifier: Apache-2.0
// The gradient of a batch's attention, of more queries than a tile has, against central differences.
#include "catch.hpp"
#include "poslab/attention/batch.hpp"
#include "schemes.hpp"

using namespace poslab;
using attention::Layer;
using base::Array;
using test::Index;

namespace {

constexpr Index B = 2, H = 2, N = 300, K = 8, D = H * K;

double product(const Array<double>& a, const Array<double>& b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) sum += a.data()[i] * b.data()[i];
  return sum;
}

/// What an attention is made from, or the gradient by it.
struct Inputs {
  Array<double> query, key, value, input;
  std::vector<Array<double>> weights;
  std::vector<Array<double>*> arrays() {
    std::vector<Array<double>*> out{&query, &key, &value, &input};
    for (Array<double>& weight : weights) out.push_back(&weight);
    return out;
  }
};

Inputs drawn(const host::Scheme& scheme, const char* name) {
  const auto named = [&](const char* which) { return std::string(which) + name; };
  Inputs in{test::normal<double>(named("query").c_str(), {B, H, N, K}),
            test::normal<double>(named("key").c_str(), {B, H, N, K}),
            test::normal<double>(named("value").c_str(), {B, H, N, K}),
            test::normal<double>(named("input").c_str(), {B, N, D}),
            {}};
  for (const host::WeightInfo& weight : scheme.weights()) {
    Array<double>& made = in.weights.emplace_back(weight.rank, weight.shape);
    const Array<double> numbers = test::normal<double>(named(weight.name.c_str()).c_str(), {made.size()});
    std::copy(numbers.flat().begin(), numbers.flat().end(), made.data());
  }
  return in;
}

/// The attention of one layer, whose gradient by its output is `weighing`.
class Subject {
 public:
  explicit Subject(const std::string& id)
      : subject_(id, {D, H, N}),
        batch_(&subject_.scheme, {B, H, N, K}, attention::Gradient::all),
        weighing_(test::normal<double>("weighing", {B, N, D})) {}

  const host::Scheme& scheme() const { return subject_.scheme; }

  double sum(const Inputs& in) {
    Array<double> out{B, N, D};
    with(in, [&](const Layer<double>& layer, const attention::BatchContents<double>& contents) {
      batch_.forward(layer, contents, out);
    });
    return product(out, weighing_);
  }

  Inputs gradient(const Inputs& in) {
    Inputs out{
        Array<double>{B, H, N, K}, Array<double>{B, H, N, K}, Array<double>{B, H, N, K}, Array<double>{B, N, D}, {}};
    for (const host::WeightInfo& weight : scheme().weights()) out.weights.emplace_back(weight.rank, weight.shape);
    const std::vector<base::View<double>> weights(out.weights.begin(), out.weights.end());
    with(in, [&](const Layer<double>& layer, const attention::BatchContents<double>& contents) {
      batch_.backward(layer, contents, weighing_, {out.query, out.key, out.value, out.input}, weights);
    });
    return out;
  }

 private:
  template <class Use>
  void with(const Inputs& in, const Use& use) {
    const std::vector<base::View<const double>> weights(in.weights.begin(), in.weights.end());
    const Layer<double> layer{&subject_.scheme, {N, N, true}, positions_, weights, 0};
    Array<double> query = in.query.copy(), key = in.key.copy(), value = in.value.copy();
    batch_.transform(layer, query, key, value);
    use(layer, {query, key, value, in.input, in.query, in.key, in.value});
  }

  test::Subject<double> subject_;
  attention::BatchAttention<double> batch_;
  Array<double> weighing_, positions_ = test::positions(N);
};

}  // namespace

TEST_CASE("the gradient of an attention of several tiles is that of central differences") {
  for (const char* id : {"none", "rope", "value-rope", "t5", "shaw", "transformer-xl", "cope", "fox"}) {
    Subject subject(id);
    Inputs in = drawn(subject.scheme(), ""), direction = drawn(subject.scheme(), " direction");
    Inputs gradient = subject.gradient(in);
    for (std::size_t which = 0; which < in.arrays().size(); ++which) {
      CAPTURE(id, which);
      Array<double>& moved = *in.arrays()[which];
      const Array<double> before = moved.copy(), &along = *direction.arrays()[which];
      constexpr double step = 1e-6;
      const auto at = [&](double times) {
        for (Index i = 0; i < moved.size(); ++i) moved.data()[i] = before.data()[i] + times * along.data()[i];
        return subject.sum(in);
      };
      const double differences = (at(step) - at(-step)) / (2 * step);
      at(0);
      CHECK_THAT(product(*gradient.arrays()[which], along), check::WithinAbs(differences, 1e-6));
    }
  }
}
