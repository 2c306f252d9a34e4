// SPDX-License-Identifier: Apache-2.0
// Should a code be added to the embedding, or stand beside it? Definitions: add-or-concatenate.md.
// Dimension letters: S sequences, N tokens of one, V vocabulary, D model width.
#include <cmath>

#include "parts.hpp"
#include "poslab/attention/codes.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"

namespace poslab::experiments {
namespace add_or_concatenate {
namespace {

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  if (std::string reason = attention::why_no_codes(scheme); !reason.empty()) return reason;
  return scheme.why_not_positions(placement.lowest(), placement.highest(axes.integer("length")));
}

template <class Number>
Array<Number> drawn(const ExperimentInput& input, std::string_view purpose, Index rows, double deviation) {
  Array<double> numbers = input.draws.normal(purpose, {rows, input.scheme.model().model_width});
  for (double& number : numbers.flat()) number *= deviation;
  return as<Number>(numbers);
}

template <class Number>
Setting<Number> setting_of(const ExperimentInput& input) {
  const Index N = input.axes.integer("length"), V = input.axes.integer("vocabulary"),
              S = input.axes.integer("sequences"), D = input.scheme.model().model_width;
  const host::Weights<Number> weights = draw_weights<Number>(input);
  const host::Context context = input.scheme.context(N);
  const std::vector<View<const Number>> views = weights.of_layer(0);
  const double unit = 1 / std::sqrt(static_cast<double>(D));
  Setting<Number> setting;  // named, since clang's analyzer sees a leak in a braced list
  setting.heads = input.scheme.model().heads;
  const base::Stream tokens = input.draws.contents("tokens", {S, N, V});
  for (Index i = 0; i < S * N; ++i)
    setting.tokens.push_back(
        static_cast<Index>(tokens.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(V))));
  setting.embedding = drawn<Number>(input, "embedding", V, input.axes.real("embedding_std"));
  setting.codes = attention::codes<Number>(input.scheme, context, input.positions(N), views);
  setting.projection = drawn<Number>(input, "projection", 2 * D, unit / std::sqrt(2.0));
  setting.query = drawn<Number>(input, "query", 2 * D, unit);
  setting.key = drawn<Number>(input, "key", 2 * D, unit);
  return setting;
}

void record_recovery(const std::string& way, const Recovery& found, data::Record& record) {
  record.scalar("position_error_" + way, found.position_error);
  record.scalar("token_error_" + way, found.token_error);
}

void record_shares(const std::string& way, const Shares& found, data::Record& record) {
  record.scalar("share_content_" + way, found.content);
  record.scalar("share_content_position_" + way, found.content_position);
  record.scalar("share_position_content_" + way, found.position_content);
  record.scalar("share_position_" + way, found.position);
}

// The cost of making one vector of D numbers of a token and its position, beyond that of the scheme's code itself.
void record_cost(const ExperimentInput& input, double bytes_of_one, data::Record& record) {
  double learned = 0, all = 0;
  for (const host::WeightInfo& info : input.scheme.weights()) {
    double size = 1;
    for (int axis = 0; axis < info.rank; ++axis)
      size *= static_cast<double>(info.shape[static_cast<std::size_t>(axis)]);
    all += size;
    if (!info.frozen) learned += size;
  }
  const auto D = static_cast<double>(input.scheme.model().model_width);
  record.scalar("parameters_sum", learned);
  record.scalar("parameters_projected", learned + 2 * D * D);
  record.scalar("bytes_sum", bytes_of_one * all);
  record.scalar("bytes_projected", bytes_of_one * (all + 2 * D * D));
  record.scalar("operations_sum", D);
  record.scalar("operations_projected", 4 * D * D - D);
}

template <class Number>
data::Record measure(const ExperimentInput& input) {
  const Setting<Number> setting = setting_of<Number>(input);
  data::Record record;
  record.scalar("identity_error", identity_error(setting));
  record_recovery("sum", recovery(setting, Way::sum), record);
  record_recovery("concatenated", recovery(setting, Way::concatenated), record);
  record_recovery("projected", recovery(setting, Way::projected), record);
  record_recovery("chance", chance(setting.tokens, setting.length(), setting.embedding.extent(0)), record);
  record_shares("sum", shares(setting, Blocks::tied), record);
  record_shares("projected", shares(setting, Blocks::own), record);
  record_cost(input, sizeof(Number), record);
  return record;
}

data::Record run(const ExperimentInput& input) {
  return with_dtype(input.axes, [&](auto scalar) { return measure<decltype(scalar)>(input); });
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const double N = axes.real("length"), V = axes.real("vocabulary"), S = axes.real("sequences");
  const auto D = static_cast<double>(scheme.model().model_width);
  const double small = std::min(S * N, 2 * D);
  return {8 * (10 * S * N * D + S * N * V + 12 * D * D + 2 * N * N + V * D),
          S * N * D * (12 * D + 8 * small + 8 * V + 16 * N) + 60 * small * small * small};
}

}  // namespace

data::ExperimentInfo describe();  // declaration.cpp

}  // namespace add_or_concatenate

Experiment make_add_or_concatenate() {
  using namespace add_or_concatenate;
  return {describe(), why_skip, estimate, run, axis_length};
}

}  // namespace poslab::experiments
