// SPDX-License-Identifier: Apache-2.0
#include "declared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "poslab/base/array.hpp"
#include "poslab/host/scheme_errors.hpp"

namespace poslab::host {
namespace {

constexpr std::size_t min_weight_size = offsetof(poslab_weight, sentence) + sizeof(const char*);

void require(bool condition, const std::string& rule) {
  if (!condition) throw Malformed(Malformed::What::instance, rule);
}

bool has_forward(const poslab_plugin& table, int operation) {
  return operation < table.operation_count && table.operations[operation].forward;
}

// The extents as the plugin gives them, for people.
std::string shape_text(const poslab_weight& row) {
  return fmt::format("{}", fmt::join(row.shape, row.shape + row.rank, " x "));
}

std::string text_of(const char* given, std::size_t longest, const std::string& what) {
  DeclaredText read = declared_text(given, longest);
  require(read.problem.empty(), fmt::format("{} {}", what, read.problem));
  return std::move(read.text);
}

WeightInfo declared_weight(const poslab_weight& row, std::int64_t which) {
  WeightInfo info;
  info.name = row.name ? text_of(row.name, max_name_bytes, fmt::format("the name of weight {}", which)) : "";
  const auto rule = [&](const std::string& text) { return fmt::format("weight \"{}\" {}", info.name, text); };
  require(is_lower_case_name(info.name), rule("must be named in lower_case, a letter first"));
  require(row.rank >= 0 && row.rank <= base::max_rank, rule("has a rank outside 0 to 4"));
  info.rank = row.rank;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(row.rank); ++axis) {
    require(row.shape[axis] >= 1,
            rule(fmt::format("declares the shape {}: every extent must be 1 or more", shape_text(row))));
    info.shape[axis] = row.shape[axis];
  }
  require(base::checked_product(info.shape, POSLAB_MOST_NUMBERS).has_value(),
          rule(fmt::format("declares the shape {}: more than {} numbers", shape_text(row), POSLAB_MOST_NUMBERS)));
  info.per_layer = row.per_layer != 0;
  info.initialisation = row.initialisation;
  info.first = row.first;
  info.second = row.second;
  if (row.sentence) info.sentence = text_of(row.sentence, max_sentence_bytes, rule("has a sentence that"));
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
  require(instance.sides < 1U << (POSLAB_OUTPUT + 1), "it transforms an unknown side");
  require(instance.mask >= POSLAB_ANY_MASK && instance.mask <= POSLAB_BIDIRECTIONAL_ONLY, "its mask is unknown");
  require(std::isfinite(instance.logit_scale) && instance.logit_scale >= 0,
          "its logit_scale is negative or not finite");
  for (const auto& [name, factor] : {std::pair{"embedding_scale", instance.embedding_scale},
                                     std::pair{"initial_query_scale", instance.initial_query_scale}})
    require(std::isfinite(factor) && factor >= 0, fmt::format("its {} is negative or not finite", name));
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
  for (const auto& refusal :
       {why_not_so_many(instance.weight_count, POSLAB_MOST_WEIGHTS, "weights"),
        why_not_so_many(instance.inverse_frequency_count, POSLAB_MOST_FREQUENCIES, "inverse frequencies")})
    if (refusal) require(false, "it declares " + refusal->reason);
}

std::vector<WeightInfo> declared_weights(const poslab_instance& instance) {
  std::vector<WeightInfo> infos;
  for (std::int64_t i = 0; i < instance.weight_count; ++i) {
    const poslab_weight* row = instance.weights[i];
    require(row && row->size >= min_weight_size, fmt::format("weight {} is null or too short", i));
    WeightInfo info = declared_weight(copy_within_size(*row), i);
    const auto same_name = [&](const WeightInfo& other) { return other.name == info.name; };
    require(std::none_of(infos.begin(), infos.end(), same_name),
            fmt::format("weight \"{}\" is declared twice", info.name));
    infos.push_back(std::move(info));
  }
  return infos;
}

}  // namespace poslab::host
