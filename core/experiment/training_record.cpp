// SPDX-License-Identifier: Apache-2.0
// What is recorded of a trained network beside the curves of its experiment.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "poslab/attention/attention.hpp"
#include "poslab/experiment/given_network.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/training_measures.hpp"
#include "poslab/experiment/training_run.hpp"

namespace poslab::experiments {
namespace {

// `use` is called with all sequences, or, where they have positions of their own, with one after the other; and with
// the number of the first.
template <class Use>
void in_parts(const network::Batch& batch, const Use& use) {
  if (!batch.has_own_positions()) return use(batch, base::Index{0});
  for (base::Index b = 0; b < batch.tokens.shape[0]; ++b) use(batch.sequence(b), b);
}

// The sink share of each layer, on at most eight held-out sequences.
template <class S>
std::vector<double> sink_shares(const ExperimentInput& input, const TrainingPlan& plan,
                                const TrainedNetwork<S>& trained, base::Index& length) {
  training::TaskBatch all;
  plan.fill_held_out(all);
  const network::Batch whole = all.view();
  const base::Index B = std::min(max_inspected_sequences, whole.tokens.shape[0]), T = whole.tokens.shape[1],
                    L = plan.configuration.layers, H = plan.configuration.heads;
  length = T;
  const network::Batch few = whole.rows(0, B);
  network::Network<S> network(plan.configuration, input.layers(), *trained.layout, {B, T, false});
  const base::Index tile = attention::queries_per_tile, tiles = (T + tile - 1) / tile;  // they come in any order
  std::vector<double> sums(static_cast<std::size_t>(L * B * tiles));
  in_parts(few, [&](const network::Batch& part, base::Index first) {
    network.evaluate(*trained.parameters, part,
                     [&](base::Index layer, base::Index sequence, base::Index query, base::View<const S> attention) {
                       double& sum = sums[base::at((layer * B + first + sequence) * tiles + query / tile)];
                       for (base::Index h = 0; h < H; ++h)
                         for (base::Index i = 0; i < attention.shape[1]; ++i)
                           sum += static_cast<double>(attention(h, i, 0));
                     });
  });
  std::vector<double> shares(static_cast<std::size_t>(L));
  for (base::Index l = 0; l < L; ++l)
    for (base::Index b = 0; b < B; ++b) {
      const double* const of_tiles = &sums[base::at((l * B + b) * tiles)];
      shares[base::at(l)] += std::accumulate(of_tiles, of_tiles + tiles, 0.0) / static_cast<double>(B * H * T);
    }
  return shares;
}

// The gradient share of each token, on at most eight held-out sequences: how much the loss of the last token that
// counts depends on the embedding of each.
template <class S>
std::vector<double> gradient_shares(const ExperimentInput& input, const TrainingPlan& plan,
                                    const TrainedNetwork<S>& trained) {
  training::TaskBatch all;
  plan.fill_held_out(all);
  const network::Batch whole = all.view();
  const base::Index B = std::min(max_inspected_sequences, whole.tokens.shape[0]), T = whole.tokens.shape[1],
                    D = plan.configuration.model_width;
  network::Batch few = whole.rows(0, B);
  std::vector<std::uint8_t> last(static_cast<std::size_t>(B * T));
  for (base::Index b = 0; b < B; ++b)
    for (base::Index t = T; t-- > 0;)
      if (few.loss_mask(b, t)) {
        last[base::at(b * T + t)] = 1;
        break;
      }
  few.loss_mask = {last.data(), {B, T}};
  network::Network<S> network(plan.configuration, input.layers(), *trained.layout, {B, T, true});
  network::Parameters<S> gradient(*trained.layout);
  std::vector<double> shares(static_cast<std::size_t>(T));
  in_parts(few, [&](const network::Batch& part, base::Index) {
    network.differentiate(*trained.parameters, part, gradient);
    const base::View<const S> dx = network.input_gradient();
    for (base::Index b = 0; b < part.tokens.shape[0]; ++b) {
      std::vector<double> norms;
      double sum = 0;
      for (base::Index t = 0; t < T; ++t) {
        double squares = 0;
        for (base::Index a = 0; a < D; ++a)
          squares += static_cast<double>(dx[b](t, a)) * static_cast<double>(dx[b](t, a));
        norms.push_back(std::sqrt(squares));
        sum += norms.back();
      }
      for (std::size_t t = 0; t < norms.size(); ++t) shares[t] += norms[t] / sum / static_cast<double>(B);
    }
  });
  return shares;
}

double even_share(base::Index N, bool causal) {
  double sum = 0;
  for (base::Index i = 1; i <= N; ++i) sum += 1 / static_cast<double>(causal ? i : N);
  return sum / static_cast<double>(N);
}

template <class S>
void keep_array(const std::string& name, const network::ParameterInfo& info, base::View<const S> numbers,
                data::Record& record) {
  record.keep(name, std::vector<std::int64_t>(info.shape.begin(), info.shape.begin() + info.rank),
              std::vector<S>(numbers.begin(), numbers.end()));
}

template <class S>
void keep_weights(const TrainedNetwork<S>& trained, data::Record& record) {
  const auto arrays = static_cast<network::ParameterIndex>(trained.layout->parameters().size());
  for (network::ParameterIndex index = 0; index < arrays; ++index)
    keep_array(kept_name(trained.layout->at(index)), trained.layout->at(index),
               std::as_const(*trained.parameters)[index], record);
  record.keep(kept::embedding_scale, {}, std::vector<double>{trained.layout->embedding_scale});
  record.keep(kept::batches_seen, {}, std::vector<double>{static_cast<double>(trained.batches_seen)});
  if (trained.optimiser_steps == 0) return;
  for (network::ParameterIndex index = 0; index < arrays; ++index) {
    const network::ParameterInfo& info = trained.layout->at(index);
    if (info.frozen) continue;
    keep_array(kept::first_moment + kept_name(info), info, std::as_const(*trained.first_moment)[index], record);
    keep_array(kept::second_moment + kept_name(info), info, std::as_const(*trained.second_moment)[index], record);
  }
  record.keep(kept::optimiser_steps, {}, std::vector<double>{static_cast<double>(trained.optimiser_steps)});
}

// What shows that another program has the same network: a sequence, and what this one says of it.
template <class S>
void keep_example(const ExperimentInput& input, const TrainingPlan& plan, const TrainedNetwork<S>& trained,
                  data::Record& record) {
  training::TaskBatch all;
  plan.fill_held_out(all);
  const network::Batch one = all.view().sequence(0);
  const base::Index T = one.tokens.shape[1], V = plan.configuration.vocabulary, W = plan.configuration.vector_width;
  if (W > 0)
    record.keep(kept::example_vectors, {T, W}, std::vector<double>(one.vectors.begin(), one.vectors.end()));
  else
    record.keep(kept::example_tokens, {T}, std::vector<double>(one.tokens.begin(), one.tokens.end()));
  if (one.positions.data)
    record.keep(kept::example_positions, {T, one.positions.shape[1]},
                std::vector<double>(one.positions.begin(), one.positions.end()));
  network::Network<S> network(plan.configuration, input.layers(), *trained.layout, {1, T, false});
  const base::View<const S> logits = network.logits(*trained.parameters, one);
  record.keep(kept::example_logits, {T, V}, std::vector<S>(logits.begin(), logits.end()));
}

}  // namespace

void record_bounds(const tasks::Bounds& bounds, Output& out) {
  out.set(of_training::chance_accuracy, bounds.chance_accuracy);
  out.set(of_training::chance_loss, bounds.chance_loss);
  out.set(of_training::best_loss, bounds.best_loss);
  out.set(of_training::best_accuracy, bounds.best_accuracy);
}

template <class S>
void record_training(const ExperimentInput& input, const TrainingPlan& plan, const TrainedNetwork<S>& trained,
                     Output& out) {
  const TrainingHistory& history = trained.history;
  out.coordinate<Step>(history.step);
  out.set(of_training::training_loss, history.training_loss);
  out.coordinate<HeldOutStep>(history.held_out_step);
  out.set(of_training::held_out_loss, history.held_out_loss);
  out.set(of_training::gradient_norm, history.gradient_norm);
  out.set(of_training::rate, history.learning_rate);
  out.coordinate<Layer>(numbers_below(plan.configuration.layers));
  base::Index length = 1;
  out.set(of_training::sink_share, sink_shares(input, plan, trained, length));
  out.set(of_training::sink_share_mask, even_share(length, plan.configuration.causal));
  const std::vector<double> shares = gradient_shares(input, plan, trained);
  out.coordinate<Token>(numbers_below(std::ssize(shares)));
  out.set(of_training::gradient_share, shares);
  out.set(of_training::first_gradient_share, static_cast<double>(shares.size()) * shares.front());
  base::Index of_scheme = 0;
  for (const network::ParameterInfo& info : trained.layout->parameters())
    if (info.of_scheme && !info.frozen) of_scheme += info.size();
  out.set(of_training::learned_numbers, static_cast<double>(trained.layout->learned()));
  out.set(of_training::scheme_numbers, static_cast<double>(of_scheme));
  out.set(of_training::scheme_untouched, static_cast<double>(trained.scheme_untouched));
  const host::LayerSchemes schemes = input.layers();
  const bool is_control = std::none_of(schemes.list().begin(), schemes.list().end(), [](const host::Scheme* scheme) {
    return scheme && scheme->looks_at_positions();
  });
  out.set(of_training::is_control, is_control ? 1 : 0);
  out.set(of_training::steps_made, static_cast<double>(trained.steps));
  out.record().trained({plan.title, static_cast<std::int64_t>(trained.steps)});
  if (!plan.keep_weights) return;
  keep_weights(trained, out.record());
  if (!plan.symbols.empty()) {
    const auto* characters = reinterpret_cast<const unsigned char*>(plan.symbols.data());
    out.record().keep(kept::text_symbols, {std::ssize(plan.symbols)},
                      std::vector<double>(characters, characters + plan.symbols.size()));
  }
  keep_example(input, plan, trained, out.record());
}

template void record_training<float>(const ExperimentInput&, const TrainingPlan&, const TrainedNetwork<float>&,
                                     Output&);
template void record_training<double>(const ExperimentInput&, const TrainingPlan&, const TrainedNetwork<double>&,
                                      Output&);

}  // namespace poslab::experiments
