// SPDX-License-Identifier: Apache-2.0
#include "instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "descriptor.hpp"
#include "poslab/base/error.hpp"
#include "prefix.hpp"

namespace poslab::host {
namespace {

constexpr std::size_t least_weight_size = offsetof(poslab_weight, sentence) + sizeof(const char*);

void require(bool condition, const std::string& rule) {
  if (!condition) throw base::Error("malformed instance: " + rule);
}

bool has_forward(const poslab_plugin& table, int operation) {
  return operation < table.operation_count && table.operations[operation].forward;
}

WeightInfo declared_weight(const poslab_weight& row) {
  WeightInfo info;
  info.name = row.name ? row.name : "";
  const auto rule = [&](const char* text) { return fmt::format("weight \"{}\" {}", info.name, text); };
  require(is_lower_case_name(info.name), rule("must be named in lower_case, a letter first"));
  require(row.rank >= 0 && row.rank <= base::max_rank, rule("has a rank outside 0 to 4"));
  info.rank = row.rank;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(row.rank); ++axis) {
    require(row.shape[axis] >= 1, rule("has an extent below 1"));
    info.shape[axis] = row.shape[axis];
  }
  info.per_layer = row.per_layer != 0;
  info.initialisation = row.initialisation;
  info.first = row.first;
  info.second = row.second;
  info.sentence = row.sentence ? row.sentence : "";
  info.frozen = row.frozen != 0;
  const bool known = row.initialisation >= POSLAB_CONSTANT && row.initialisation <= POSLAB_UNIFORM;
  require(known, rule("has an unknown initialisation"));
  require(std::isfinite(row.first) && std::isfinite(row.second), rule("has an initialisation that is not finite"));
  require(row.initialisation != POSLAB_NORMAL || row.second >= 0, rule("has a negative standard deviation"));
  require(row.initialisation != POSLAB_UNIFORM || row.first <= row.second, rule("has an empty initial range"));
  return info;
}

}  // namespace

poslab_instance blank_instance() {
  poslab_instance instance{};
  instance.size = sizeof instance;
  instance.lowest_position = -std::numeric_limits<double>::infinity();
  instance.highest_position = std::numeric_limits<double>::infinity();
  return instance;
}

void check_instance(const poslab_plugin& table, const poslab_instance& instance) {
  require(instance.operations < 1U << POSLAB_OPERATION_COUNT, "it offers an unknown operation");
  for (const Operation operation : all_operations) {
    const bool offered = (instance.operations >> static_cast<int>(operation) & 1U) != 0;
    require(!offered || has_forward(table, static_cast<int>(operation)),
            fmt::format("it offers {}, for which the table has no function", to_text(operation)));
  }
  require(instance.mask >= POSLAB_ANY_MASK && instance.mask <= POSLAB_BIDIRECTIONAL_ONLY, "its mask is unknown");
  require(std::isfinite(instance.logit_scale) && instance.logit_scale >= 0,
          "its logit_scale is negative or not finite");
  require(instance.lowest_position <= instance.highest_position, "its range of positions is empty");
  require(instance.unique_up_to >= 0, "its unique_up_to is negative or nan");
  const int least = instance.least_axes ? instance.least_axes : table.least_axes,
            most = instance.most_axes ? instance.most_axes : table.most_axes;
  require(table.least_axes <= least && least <= most && most <= table.most_axes,
          fmt::format("it serves positions of {} to {} axes, but the plugin says {} to {}", least, most,
                      table.least_axes, table.most_axes));
  require(instance.weight_count == 0 || (instance.weight_count > 0 && instance.weights), "its `weights` is null");
  const bool frequencies = instance.inverse_frequency_count > 0 && instance.inverse_frequency;
  require(instance.inverse_frequency_count == 0 || frequencies, "its `inverse_frequency` is null");
}

std::vector<WeightInfo> declared_weights(const poslab_instance& instance) {
  std::vector<WeightInfo> infos;
  for (std::int64_t i = 0; i < instance.weight_count; ++i) {
    const poslab_weight* row = instance.weights[i];
    require(row && row->size >= least_weight_size, fmt::format("weight {} is null or too short", i));
    WeightInfo info = declared_weight(copy_within_size(*row));
    const auto same_name = [&](const WeightInfo& other) { return other.name == info.name; };
    require(std::none_of(infos.begin(), infos.end(), same_name),
            fmt::format("weight \"{}\" is declared twice", info.name));
    infos.push_back(std::move(info));
  }
  return infos;
}

}  // namespace poslab::host
