// SPDX-License-Identifier: Apache-2.0
// Readers of models of images.
#include <fmt/format.h>

#include <algorithm>

#include "families.hpp"

namespace poslab::importing {
namespace {

// A convolution's patches along both sides of an image.
std::vector<std::int64_t> patches(const Keys& keys, std::int64_t usual_patch) {
  const std::optional<std::vector<std::int64_t>> image = keys.pair({"image_size"}, "positions");
  const std::optional<std::vector<std::int64_t>> patch = keys.pair({"patch_size"}, "positions");
  if (!image) throw missing({"image_size"}, "how many patches an image has");
  if (!patch) keys.ledger().assume("patch_size", std::to_string(usual_patch));
  const std::vector<std::int64_t> size = patch.value_or(std::vector<std::int64_t>(2, usual_patch));
  std::vector<std::int64_t> grid;
  for (const std::size_t side : {0, 1}) grid.push_back((*image)[side] / size[side]);
  if (*std::min_element(grid.begin(), grid.end()) < 1 || grid[0] * grid[1] > (1 << 20))
    throw not_served(fmt::format("image_size and patch_size give {} x {} patches", grid[0], grid[1]));
  return grid;
}

}  // namespace

void read_vit(const Reading& reading, Model& model) {
  const std::vector<std::int64_t> grid = patches(reading.keys, 16);
  const bool of_deit = !reading.family.types.empty() && reading.keys.object().value("model_type", "") == "deit";
  add_table(reading, model, grid[0] * grid[1] + (of_deit ? 2 : 1), 0);
  reading.keys.ledger().limit(Limit::Kind::resampled);
}

void read_dinov3(const Reading& reading, Model& model) {
  const Keys& keys = reading.keys;
  LayerKind kind = kind_of("axial-normalised", sizes_of(reading));
  const std::optional<double> base = keys.positive({"rope_theta"}, "base");
  if (!base) keys.ledger().assume("base", "100");
  model.grid = patches(keys, 16);
  kind.set.set("base", base.value_or(100));
  kind.set.set("grid", std::vector<double>(model.grid.begin(), model.grid.end()));
  keys.pass_over({"pos_embed_shift", "pos_embed_jitter", "pos_embed_rescale"});  // of training
  keys.ledger().limit(Limit::Kind::unrotated_tokens);
  model.kinds.push_back(std::move(kind));
}

// Its stages double width and heads, so that a head stays as wide; the first is taken.
void read_swin(const Reading& reading, Model& model) {
  const Keys& keys = reading.keys;
  const std::int64_t width = keys.required_count({"embed_dim"}, "the model's width");
  const std::optional<std::vector<double>> heads = keys.numbers({"num_heads"}, "heads");
  const std::optional<std::vector<std::int64_t>> window = keys.pair({"window_size"}, "window");
  if (!heads) throw missing({"num_heads"}, "heads");
  if (!window) throw missing({"window_size"}, "which patches attend to each other");
  if (std::max(window->front(), window->back()) > 1024)
    throw not_served("window_size: swin has windows of at most 1024 patches a side");
  const double given = heads->front();
  const auto first = static_cast<std::int64_t>(given >= 1 && given <= static_cast<double>(width) ? given : 0);
  if (first == 0 || width % first != 0)
    throw not_served(fmt::format("{} heads do not divide the width {}", first, width));
  LayerKind kind{.scheme = "swin", .heads = first, .head_width = width / first};
  kind.set.set("window", std::vector<double>(window->begin(), window->end()));
  if (keys.object().value("model_type", "") == "swinv2") {
    kind.set.set("version", std::string("v2"));
    const std::optional<std::vector<double>> before = keys.numbers({"pretrained_window_sizes"}, "pretrained_window");
    if (before && before->front() > 0) kind.set.set("pretrained_window", std::vector<double>(2, before->front()));
  }
  if (heads->size() > 1) keys.ledger().limit(Limit::Kind::stages);
  model.grid = *window;
  model.kinds.push_back(std::move(kind));
}

}  // namespace poslab::importing
