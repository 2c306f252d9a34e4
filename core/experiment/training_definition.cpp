// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/training_definition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "poslab/base/count.hpp"
#include "poslab/data/quantity.hpp"
#include "poslab/experiment/given_network.hpp"
#include "poslab/experiment/rate_search.hpp"
#include "poslab/tasks/task.hpp"

namespace poslab::experiments {
namespace {

using Trained = TrainingDefinition;

constexpr data::Range positive{.lowest = 0, .above_lowest = true};
constexpr data::Range from_0_to_1{.lowest = 0, .highest = 1};
constexpr data::Range decay{.lowest = 0, .highest = 1, .below_highest = true};  // 1 would forget nothing, not even 0

std::vector<std::string> task_ids(const std::string& first) {
  std::vector<std::string> ids{first};
  for (const tasks::TaskInfo& info : tasks::all_tasks())
    if (info.id != first) ids.push_back(info.id);
  return ids;
}

Axes<Trained> optimiser_axes() {
  return {
      {&Trained::steps,
       {.name = "steps",
        .default_value = 1000,
        .range = {.lowest = 0, .highest = 1e8},
        .unit = "steps",
        .sentence = "how many updates; 0: the network is measured as it is drawn, or given by --network"}},
      {&Trained::batch,
       {.name = "batch",
        .default_value = 16,
        .range = {.lowest = 1, .highest = 1e6},
        .unit = "sequences",
        .sentence = "sequences of an update"}},
      {&Trained::stop_loss,
       {.name = "stop_loss",
        .default_value = 0.0,
        .range = {.lowest = 0},
        .unit = "nat",
        .sentence = "held-out loss at which training stops before all its steps are made; 0: after them"}},
      {&Trained::learning_rate,
       {.name = "learning_rate", .default_value = 1e-3, .range = positive, .sentence = "highest learning rate"}},
      {&Trained::rate_factors,
       {.name = "rate_factors",
        .default_value = {1},
        .range = positive,
        .sentence =
            "factors on learning_rate; of several, that of the lowest held-out loss in a search on other draws"}},
      {&Trained::search_seeds,
       {.name = "search_seeds",
        .default_value = 1,
        .range = {.lowest = 1, .highest = 100},
        .sentence = "networks trained at each rate of that search"}},
      {&Trained::last_rate,
       {.name = "last_rate",
        .default_value = 0.1,
        .range = from_0_to_1,
        .sentence = "share of the learning rate that half a cosine leaves at the end; 1: it stays"}},
      {&Trained::warm_up,
       {.name = "warm_up",
        .default_value = 100,
        .range = {.lowest = 0, .highest = 1e8},
        .unit = "steps",
        .sentence = "steps in which the learning rate rises in a line"}},
      {&Trained::beta1,
       {.name = "beta1", .default_value = 0.9, .range = decay, .sentence = "decay of AdamW's first moment"}},
      {&Trained::beta2,
       {.name = "beta2", .default_value = 0.99, .range = decay, .sentence = "decay of AdamW's second moment"}},
      {&Trained::epsilon,
       {.name = "epsilon",
        .default_value = 1e-8,
        .range = {.lowest = 1e-37},
        .sentence = "AdamW's, added to the root"}},
      {&Trained::weight_decay,
       {.name = "weight_decay",
        .default_value = 0.1,
        .range = {.lowest = 0},
        .sentence = "of the matrices of the layers: not of embeddings, norms, biases or the scheme's weights"}},
      {&Trained::clip,
       {.name = "clip", .default_value = 1.0, .range = positive, .sentence = "largest norm of the gradient"}},
      {&Trained::dtype,
       {.name = "dtype",
        .choices = {{Dtype::float32, "float32"}, {Dtype::float64, "float64"}},
        .sentence = "the scalar type of the network and of its training"}},
  };
}

Axes<Trained> position_axes() {
  return {
      {&Trained::train_positions,
       {.name = "train_positions",
        .choices = {{TrainPositions::plain, "plain"},
                    {TrainPositions::shifted, "shifted"},
                    {TrainPositions::randomised, "randomised"},
                    {TrainPositions::random_reals, "random-reals"},
                    {TrainPositions::augmented, "augmented"},
                    {TrainPositions::packed, "packed"}},
        .sentence = "where sequences that are trained on stand: 0, 1, ...; k, k + 1, ..., k drawn for each; different "
                    "integers or reals below train_range, drawn for each; as CAPE is trained; in pairs, each from 0"}},
      {&Trained::train_range,
       {.name = "train_range",
        .default_value = 2048,
        .range = {.lowest = 1, .highest = 1e9},
        .unit = "position",
        .sentence = "positions of shifted, randomised and random-reals are from 0 to below it"}},
      {&Trained::max_global_shift,
       {.name = "max_global_shift",
        .default_value = 5.0,
        .range = {.lowest = 0, .highest = 1e9},
        .unit = "position",
        .sentence = "of augmented: all tokens of a sequence are shifted by one number from minus this to this"}},
      {&Trained::max_local_shift,
       {.name = "max_local_shift",
        .default_value = 0.5,
        .range = {.lowest = 0, .highest = 1e9},
        .unit = "position",
        .sentence = "of augmented: each token is shifted by another such number; up to 0.5 their order stays"}},
      {&Trained::max_global_scaling,
       {.name = "max_global_scaling",
        .default_value = 1.03,
        .range = {.lowest = 1, .highest = 1e3},
        .sentence =
            "of augmented: then positions are multiplied by one factor for each sequence, from 1 over this to this, "
            "alike in its logarithm"}},
  };
}

}  // namespace

Axes<NetworkAxes> network_axes() {
  return {
      {&NetworkAxes::mask, mask_axis()},
      {&NetworkAxes::layers,
       {.name = "layers",
        .default_value = 2,
        .range = {.lowest = 1, .highest = 1000},
        .unit = "layers",
        .sentence = "L: how many layers the network has"}},
      {&NetworkAxes::feed_forward,
       {.name = "feed_forward",
        .default_value = 4,
        .range = {.lowest = 1, .highest = 1000},
        .sentence = "width of the feed-forward layer over d_model"}},
      {&NetworkAxes::norm,
       {.name = "norm",
        .choices = {{network::Norm::layer, "layer"}, {network::Norm::rms, "rms"}},
        .sentence = "layer norm or RMS norm, before each sublayer"}},
      {&NetworkAxes::gelu,
       {.name = "gelu",
        .choices = {{network::Activation::gelu_tanh, "tanh"}, {network::Activation::gelu_exact, "exact"}},
        .sentence = "the approximation by tanh, or GELU itself"}},
      {&NetworkAxes::tied,
       {.name = "tied", .default_value = false, .sentence = "whether the head is the token embedding"}},
      {&NetworkAxes::biases,
       {.name = "biases", .default_value = true, .sentence = "whether linear layers and layer norms have biases"}},
      {&NetworkAxes::embedding_scale,
       {.name = "embedding_scale",
        .choices = {{network::EmbeddingScale::scheme, "scheme"},
                    {network::EmbeddingScale::one, "one"},
                    {network::EmbeddingScale::sqrt_width, "sqrt-width"}},
        .sentence = "factor on embeddings: what the scheme declares, none, or sqrt(D) with embeddings drawn over it"}},
      {&NetworkAxes::init_std,
       {.name = "init_std",
        .default_value = 0.02,
        .range = {.lowest = 0},
        .sentence = "standard deviation of initial matrices; of those that end in the residual stream, over "
                    "sqrt(2 L)"}},
  };
}

Axes<Trained> training_axes(const std::string& default_task) {
  Axes<Trained> axes{
      {&Trained::task,
       {.name = "task", .choices = task_ids(default_task), .sentence = "what the network is trained on"}}};
  for (const BoundAxis<NetworkAxes>& axis : network_axes()) axes.push_back(axis.of<Trained>());
  for (const BoundAxis<Trained>& axis : optimiser_axes()) axes.push_back(axis);
  axes.emplace_back(&Trained::keep_weights, keep_weights_axis());
  axes.emplace_back(&Trained::moments,
                    AxisOf<MomentsOf>{.name = "moments",
                                      .choices = {{MomentsOf::none, "anew"}, {MomentsOf::network, "kept"}},
                                      .sentence = "whether AdamW's moments and steps begin anew with --network, or are "
                                                  "kept with the network and go on"});
  for (const BoundAxis<Trained>& axis : position_axes()) axes.push_back(axis);
  return axes;
}

Feed feed_of(const tasks::Task* task) {
  if (!task) return {};
  return {task->vocabulary(), task->vector_width()};
}

network::Configuration NetworkAxes::network(const host::Model& model, const Feed& feed,
                                            base::Index train_length) const {
  network::Configuration c;
  c.vocabulary = feed.vocabulary;
  c.vector_width = feed.vector_width;
  c.model_width = model.model_width;
  c.heads = model.heads;
  c.layers = layers;
  c.feed_forward = feed_forward * c.model_width;
  c.train_length = train_length;
  c.causal = is_decoder();
  c.norm = norm;
  c.activation = gelu;
  c.tied = tied;
  c.biases = biases;
  c.embedding_scale = embedding_scale;
  c.init_std = init_std;
  return c;
}

training::Schedule Trained::schedule() const {
  return {static_cast<std::uint64_t>(steps), static_cast<std::uint64_t>(warm_up), learning_rate, last_rate};
}

std::string Trained::head_start(const data::Record& record) const { return searched(record); }
std::string Trained::head_start_of(std::string_view checkpoint) const { return searched(checkpoint); }

std::string Trained::steps_text() const { return (stop_loss > 0 ? "up to " : "") + base::counted(steps, "step"); }

std::string Trained::title(const std::string& trained_on) const {
  return trained_on + ", " + std::to_string(layers) + (layers == 1 ? " layer" : " layers");
}

std::optional<base::Refusal> Trained::why_not_trained(const Setting& of, base::Index size, base::Index tokens) const {
  if (rate_factors.empty()) return "the list of rate_factors is empty: there is no learning rate";
  if (std::adjacent_find(rate_factors.begin(), rate_factors.end(), std::greater_equal()) != rate_factors.end())
    return fmt::format("rate_factors rise, but are {}", fmt::join(rate_factors, ", "));
  const tasks::TaskInfo& info = task_info();
  if (is_decoder() && !info.causal) return "the task " + info.id + " is for encoders: mask = \"none\"";
  if (!is_decoder() && !info.bidirectional) return "the task " + info.id + " is for decoders: mask = \"causal\"";
  if (auto refusal = why_not_placed(of, size, tokens)) return refusal;
  return of.layers().first_refusal([&](const host::Scheme& scheme) { return scheme.why_not_mask(is_decoder()); });
}

std::unique_ptr<tasks::Task> Trained::make_task(const Files& files, const data::GivenNetwork* given) const {
  const tasks::TaskInfo& info = task_info();
  if (!info.needs_file()) return info.make("");
  const auto file = files.find(info.file);
  if (file == files.end()) return nullptr;
  return given && info.make_over ? info.make_over(file->second, symbols_of(*given)) : info.make(file->second);
}

std::optional<base::Refusal> Trained::why_not_network(const Setting& of, const data::Values& axes) const try {
  const data::GivenNetwork& given = *of.network;
  if (auto refusal = why_another_network(given, axes)) return refusal;
  const std::unique_ptr<tasks::Task> made = make_task(of.files, &given);
  if (!made) return "the file of its task is missing";
  if (made->symbols() != symbols_of(given)) return "it was trained on other characters, or words";
  const network::Configuration wanted = network(of.scheme.model(), feed_of(made.get()), of.scheme.model().train_length);
  return why_not_arrays(network::Layout(wanted, of.layers()), given);
} catch (const tasks::BadFile& bad) {
  return "the file " + bad.problem;
}

std::vector<data::FileInfo> Trained::files() {
  return {{"text", "any text; its bytes are the vocabulary, its last tenth is held out"},
          {"instances", "one instance a line: tokens, a tab, their targets, - where there is none; or a .npy of both"}};
}

std::vector<std::string> Trained::needs() const {
  if (task_info().needs_file()) return {task_info().file};
  return {};
}

std::optional<base::Refusal> Trained::why_not_file(const Files& files, base::Index size) const {
  try {
    const std::unique_ptr<tasks::Task> made = make_task(files);
    if (auto refusal = made->why_not(size)) return refusal;
    if (made->instances(tasks::Part::training, size) > 0) return std::nullopt;
    return fmt::format("has nothing of size {} to train on, as all of it is held out", size);
  } catch (const tasks::BadFile& bad) {
    return bad.problem;
  }
}

}  // namespace poslab::experiments
