// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/training_axes.hpp"

#include "poslab/experiment/declare.hpp"
#include "poslab/network/network.hpp"
#include "poslab/tasks/errors.hpp"

namespace poslab::experiments {
namespace {

constexpr data::Range positive{.lowest = 0, .above_lowest = true};
constexpr data::Range share{.lowest = 0, .highest = 1};
constexpr data::Range decay{.lowest = 0, .highest = 1, .below_highest = true};  // 1 would forget nothing, not even 0

std::vector<data::AxisInfo> network_axes() {
  return {
      Axis{.name = "mask",
           .choices = {"causal", "none"},
           .sentence = "causal: a decoder, whose tokens see those before them; none: an encoder"},
      Axis{.name = "layers",
           .default_value = std::int64_t{2},
           .range = {.lowest = 1, .highest = 1000},
           .unit = "layers",
           .sentence = "L: how many layers the network has"},
      Axis{.name = "feed_forward",
           .default_value = std::int64_t{4},
           .range = {.lowest = 1, .highest = 1000},
           .sentence = "width of the feed-forward layer over d_model"},
      Axis{.name = "norm", .choices = {"layer", "rms"}, .sentence = "layer norm or RMS norm, before each sublayer"},
      Axis{.name = "gelu", .choices = {"tanh", "exact"}, .sentence = "the approximation by tanh, or GELU itself"},
      Axis{.name = "tied", .default_value = false, .sentence = "whether the head is the token embedding"},
      Axis{.name = "biases", .default_value = true, .sentence = "whether linear layers and layer norms have biases"},
      Axis{.name = "init_std",
           .default_value = 0.02,
           .range = {.lowest = 0},
           .sentence =
               "standard deviation of initial matrices; of those that end in the residual stream, over sqrt(2 L)"},
  };
}

std::vector<data::AxisInfo> optimiser_axes() {
  return {
      Axis{.name = "steps",
           .default_value = std::int64_t{1000},
           .range = {.lowest = 1, .highest = 1e8},
           .unit = "steps",
           .sentence = "how many updates"},
      Axis{.name = "batch",
           .default_value = std::int64_t{16},
           .range = {.lowest = 1, .highest = 1e6},
           .unit = "sequences",
           .sentence = "sequences of an update"},
      Axis{.name = "learning_rate", .default_value = 1e-3, .range = positive, .sentence = "highest learning rate"},
      Axis{.name = "last_rate",
           .default_value = 0.1,
           .range = share,
           .sentence = "share of the learning rate that half a cosine leaves at the end; 1: it stays"},
      Axis{.name = "warm_up",
           .default_value = std::int64_t{100},
           .range = {.lowest = 0, .highest = 1e8},
           .unit = "steps",
           .sentence = "steps in which the learning rate rises in a line"},
      Axis{.name = "beta1", .default_value = 0.9, .range = decay, .sentence = "decay of AdamW's first moment"},
      Axis{.name = "beta2", .default_value = 0.99, .range = decay, .sentence = "decay of AdamW's second moment"},
      Axis{.name = "epsilon", .default_value = 1e-8, .range = positive, .sentence = "AdamW's, added to the root"},
      Axis{.name = "weight_decay",
           .default_value = 0.1,
           .range = {.lowest = 0},
           .sentence = "of the matrices of the layers: not of embeddings, norms, biases or the scheme's weights"},
      Axis{.name = "clip", .default_value = 1.0, .range = positive, .sentence = "largest norm of the gradient"},
      Axis{.name = "dtype",
           .choices = {"float32", "float64"},
           .sentence = "the scalar type of the network and of its training"},
  };
}

data::MeasureInfo by_step(const std::string& name, const std::string& dimension, const std::string& unit,
                          const std::string& sentence, const std::string& definition) {
  return trained_measure(name, {dimension}, unit, sentence, definition, "none");
}

}  // namespace

data::MeasureInfo trained_measure(const std::string& name, std::vector<std::string> dimensions, const std::string& unit,
                                  const std::string& sentence, const std::string& definition,
                                  const std::string& null_value, double absolute_in_float32) {
  return {.name = name,
          .dimensions = std::move(dimensions),
          .unit = unit,
          .sentence = sentence,
          .definition = definition,
          .null_value = null_value,
          .tolerance = {.absolute = 1e-12, .statistical = true},
          .float32 = data::Tolerance{.absolute = absolute_in_float32, .relative = 1e-2, .statistical = true}};
}

std::vector<std::string> task_ids(const std::string& first) {
  std::vector<std::string> ids{first};
  for (const tasks::TaskInfo& info : tasks::all_tasks())
    if (info.id != first) ids.push_back(info.id);
  return ids;
}

std::vector<data::AxisInfo> training_axes(const std::vector<std::string>& tasks) {
  std::vector<data::AxisInfo> axes{
      Axis{.name = "task", .choices = tasks, .sentence = "what the network is trained on"}};
  for (auto& axis : network_axes()) axes.push_back(std::move(axis));
  for (auto& axis : optimiser_axes()) axes.push_back(std::move(axis));
  axes.push_back(keep_weights_axis());
  return axes;
}

std::vector<data::DimensionInfo> training_dimensions() {
  return {
      {.name = "step", .unit = "steps", .sentence = "updates made so far", .within = {"steps"}, .reached = true},
      {.name = "layer", .unit = "1", .sentence = "the layer's number, from 0", .within = {"layers"}},
      {.name = "token", .unit = "token", .sentence = "the token's place in a sequence of the trained length, from 0"}};
}

std::vector<data::MeasureInfo> training_measures() {
  std::vector<data::MeasureInfo> measures{
      by_step("training_loss", "step", "nat", "loss of the batches since the point before",
              "mean over those steps of the mean cross entropy of the tokens that count, before the update"),
      by_step("held_out_loss", "step", "nat", "loss on held-out sequences of the trained length or size",
              "mean cross entropy of the tokens that count, after this many updates"),
      by_step("gradient_norm", "step", "1", "norm of the gradient before clipping",
              "mean over the steps since the point before"),
      by_step("rate", "step", "1", "learning rate of the last update", "the schedule's"),
      by_step("sink_share", "layer", "1", "mean attention on position 0 of the trained network",
              "(1/H) sum over heads of (1/N) sum_i A^(l,h)_i0 at the trained length, over held-out sequences")};
  measures.back().null_value = "H_N/N of uniform causal attention; 1/N without a mask";
  measures.push_back(
      by_step("gradient_share", "token", "1", "how much the last token's loss hangs on the embedding of this one",
              "g_i = |d l_n / d x_i| / sum_j |d l_n / d x_j|, l_n the loss of the last token that "
              "counts, x_i the embedded token; mean over at most 8 held-out sequences; NaN where it hangs on none"));
  measures.back().null_value = "1/N";
  measures.push_back(
      by_step("first_gradient_share", "token", "1", "gradient share of the first token over the mean one", "N g_0"));
  measures.back().dimensions = {};
  measures.back().null_value = "1; of none, beside it on the same seeds: what the mask makes";
  measures.push_back({.name = "sink_share_mask",
                      .sentence = "sink_share of the mask alone: all logits equal",
                      .definition = "H_N/N = (1/N) sum_(i=1..N) 1/i under a causal mask, 1/N without one",
                      .null_value = "the same",
                      .tolerance = relative(1e-12)});
  measures.push_back({.name = "chance_accuracy",
                      .sentence = "accuracy of the best constant answer at the trained length or size",
                      .definition = "the task's page; NaN where it is not known",
                      .null_value = "the same",
                      .tolerance = relative(1e-9)});
  measures.push_back({.name = "best_loss",
                      .unit = "nat",
                      .sentence = "loss of the best possible guess at the trained length or size",
                      .definition = "the task's page; NaN where it is not known",
                      .null_value = "the same",
                      .tolerance = relative(1e-9)});
  measures.push_back({.name = "learned_numbers",
                      .sentence = "numbers that training changes, the scheme's included",
                      .definition = "entries of all arrays that are not frozen",
                      .null_value = "none",
                      .tolerance = exact()});
  measures.push_back({.name = "scheme_numbers",
                      .sentence = "numbers of the scheme that training changes",
                      .definition = "entries of its weights that are not frozen, of all layers",
                      .null_value = "0",
                      .tolerance = exact()});
  measures.push_back({.name = "scheme_untouched",
                      .sentence = "of these, how many training never changed: rows of positions that it never met",
                      .definition = "entries whose bits after training are those before it",
                      .null_value = "0",
                      .tolerance = exact()});
  return measures;
}

Feed feed_of(const tasks::TaskInfo& info) {
  if (info.needs_text) return {};
  const std::unique_ptr<tasks::Task> task = info.make("");
  return {task->alphabet(), task->vector_width()};
}

network::Configuration network_of(const data::Values& axes, const host::Model& model, const Feed& feed,
                                  base::Index train_length) {
  network::Configuration c;
  c.alphabet = feed.alphabet;
  c.vector_width = feed.vector_width;
  c.model_width = model.model_width;
  c.heads = model.heads;
  c.layers = axes.integer("layers");
  c.feed_forward = axes.integer("feed_forward") * c.model_width;
  c.train_length = train_length;
  c.causal = is_decoder(axes);
  c.norm = axes.text("norm") == "rms" ? network::Norm::rms : network::Norm::layer;
  c.gelu = axes.text("gelu") == "exact" ? network::Gelu::exact : network::Gelu::tanh;
  c.tied = axes.flag("tied");
  c.biases = axes.flag("biases");
  c.init_std = axes.real("init_std");
  return c;
}

training::AdamWOptions optimiser_of(const data::Values& axes) {
  return {axes.real("beta1"), axes.real("beta2"), axes.real("epsilon"), axes.real("weight_decay"), axes.real("clip")};
}

training::Schedule schedule_of(const data::Values& axes) {
  return {static_cast<std::uint64_t>(axes.integer("steps")), static_cast<std::uint64_t>(axes.integer("warm_up")),
          axes.real("learning_rate"), axes.real("last_rate")};
}

std::string layers_text(const data::Values& axes) {
  const std::int64_t layers = axes.integer("layers");
  return std::to_string(layers) + (layers == 1 ? " layer" : " layers");
}

bool is_decoder(const data::Values& axes) { return axes.text("mask") == "causal"; }

std::string why_not_trained(const host::Scheme& scheme, const data::Values& axes, const tasks::TaskInfo& task,
                            const data::Placement& placement) {
  if (!placement.is_plain()) return "training takes the positions 0, 1, 2, ... and no other placement";
  const bool decoder = is_decoder(axes);
  if (decoder && !task.causal) return "the task " + task.id + " is for encoders: mask = \"none\"";
  if (!decoder && !task.bidirectional) return "the task " + task.id + " is for decoders: mask = \"causal\"";
  return scheme.why_not_mask(decoder);
}

std::unique_ptr<tasks::Task> make_task(const data::Values& axes, const std::map<std::string, std::string_view>& files) {
  const auto text = files.find("text");
  return tasks::find_task(axes.text("task")).make(text == files.end() ? "" : text->second);
}

std::vector<data::FileInfo> training_files() {
  return {{"text", "any text; its bytes are the alphabet, its last tenth is held out"}};
}

std::vector<std::string> files_of_task(const data::Values& axes) {
  if (tasks::find_task(axes.text("task")).needs_text) return {"text"};
  return {};
}

std::string why_not_files_of_task(const data::Values& axes, const std::map<std::string, std::string_view>& files) {
  const tasks::TaskInfo& info = tasks::find_task(axes.text("task"));
  if (!info.needs_text) return "";
  try {
    info.make(files.at("text"));
  } catch (const tasks::BadText& bad) {
    return bad.problem;
  }
  return "";
}

}  // namespace poslab::experiments
