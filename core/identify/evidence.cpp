// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N positions, A axes of a position, H heads, K head width.
#include "poslab/identify/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/base/printable.hpp"
#include "reader.hpp"

namespace poslab::identify {

std::string shape_text(const std::vector<Index>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }
Caption caption_of(const DumpArray& array) {
  const std::string name = base::printable(array.name);
  return {name, name + " " + shape_text(array.shape)};
}

void refuse(const DumpArray& array, const std::string& what) {
  throw BadDump(fmt::format("{} has the shape {}, and {}", base::excerpt(array.name), shape_text(array.shape), what));
}

void require_same_batches(const DumpArray& array, std::size_t numbers_of_one) {
  const auto first = array.numbers.begin();
  for (std::size_t at = numbers_of_one; at < array.numbers.size(); at += numbers_of_one)
    if (!std::equal(first, first + static_cast<std::ptrdiff_t>(numbers_of_one),
                    first + static_cast<std::ptrdiff_t>(at)))
      refuse(array, fmt::format("batch {} differs from batch 0: dump one of them", at / numbers_of_one));
}

std::vector<Evidence> Reader::all() {
  for (const ArrayRole& r : roles_)
    if (r.role != Role::weight && r.array->numbers.empty()) refuse(*r.array, "it has no numbers");
  find_length();
  std::vector<Evidence> found;
  std::string problem;
  for (const Reading& reading : possible_readings()) try {
      found.push_back(read(reading));
    } catch (const BadDump& bad) {
      if (problem.empty()) problem = bad.what();
    }
  if (found.empty()) throw BadDump(problem);
  for (Evidence& one : found)
    one.layout_is_open =
        std::any_of(found.begin(), found.end(), [&](const Evidence& e) { return e.layout != one.layout; });
  return found;
}

const DumpArray* Reader::array(Role role) const {
  for (const ArrayRole& r : roles_)
    if (r.role == role) return r.array;
  return nullptr;
}

// How many positions there are, where an array says it whatever the order of its axes.
void Reader::find_length() {
  if (request_.positions) N_ = request_.positions->extent(0);
  if (const DumpArray* given = array(Role::positions); given && !N_) {
    const std::vector<Index> shape = without_ones(given->shape);
    N_ = shape.empty() ? 1 : shape.size() == 1 ? shape[0] : std::max(shape[0], shape[1]);
    if (has_row_for_each_batch(*given)) N_ = given->shape[1];
  }
  for (const Role role : {Role::cosines, Role::sines})
    if (const DumpArray* a = array(role); a && !N_ && a->rank() >= 2) N_ = rows_of(*a);
  for (const Role role : {Role::logits, Role::bias})
    if (const DumpArray* a = array(role); a && !N_ && a->rank() >= 1) N_ = a->shape.back();
}

Index Reader::rows_of(const DumpArray& a) {
  const std::vector<Index> shape = without_ones(a.shape);
  return shape.size() < 2 ? 1 : shape[shape.size() - 2];
}

std::vector<Reading> Reader::possible_readings() const {
  std::vector<bool> orders{true}, masks{false};
  for (const Role role : {Role::query, Role::key})
    if (const DumpArray* a = array(role); a && a->rank() >= 3) {
      const Index X = a->shape[a->rank() - 3], Y = a->shape[a->rank() - 2];
      if (N_ && Y == *N_ && X != *N_)
        orders = {true};
      else if (N_ && X == *N_ && Y != *N_)
        orders = {false};
      else if (X != 1 && Y != 1)
        orders = {true, false};
      break;
    }
  for (const Role role : {Role::bias, Role::logits})
    if (const DumpArray* a = array(role); a && a->rank() >= 2 && a->shape.back() == a->shape[a->rank() - 2])
      masks = {false, true};
  if (array(Role::outputs)) masks = {true, false};
  std::vector<std::optional<double>> scales{std::nullopt};
  if (array(Role::logits) || array(Role::outputs)) scales.emplace_back(1.0);
  std::vector<Reading> readings;
  for (const bool order : orders)
    for (const bool causal : masks)
      for (const auto& scale : scales) readings.push_back({order, causal, scale});
  return readings;
}

Evidence Reader::read(const Reading& reading) {
  evidence_ = Evidence();
  evidence_.causal = reading.causal;
  evidence_.scale = reading.scale;
  model_ = {.model_width = 0, .heads = 0, .train_length = 512};
  N_here_ = N_.value_or(0);
  read_contents(reading);
  read_table();
  read_planes();
  read_bias(reading);
  read_lists();
  for (const ArrayRole& r : roles_)
    if (r.role == Role::weight) evidence_.weights.push_back(std::make_shared<const DumpArray>(*r.array));
  if (evidence_.observations.empty())
    throw BadDump(
        "what the arrays of this dump are cannot be told by their names and shapes; say it with --as NAME=KIND: a "
        "table, "
        "cosines and sines, frequencies, query and rotated_query (before and after), bias, slopes, logits (with "
        "query "
        "and key), outputs (with query, key and value)");
  finish_model();
  set_positions();
  return std::move(evidence_);
}

void Reader::require_length(const DumpArray& a, Index N) {
  if (N_here_ == 0) N_here_ = N;
  if (N == N_here_) return;
  if (request_.positions) refuse(a, fmt::format("{} positions were asked for", N_here_));
  refuse(a, fmt::format("other arrays are of {} positions", N_here_));
}

void Reader::require_heads(const DumpArray& a, Index H) {
  if (model_.heads == 0) model_.heads = H;
  if (model_.heads != H) refuse(a, fmt::format("other arrays are of {} heads", model_.heads));
}

void Reader::require_finite(const DumpArray& a) {
  for (const double x : a.numbers)
    if (!std::isfinite(x)) throw BadDump(fmt::format("{} holds an infinite number", base::excerpt(a.name)));
}

void Reader::finish_model() {
  if (model_width_ != 0)
    model_.model_width = model_width_;
  else if (head_width_ != 0)
    model_.model_width = model_.heads * head_width_;
  else if (planes_ != 0)
    model_.model_width = model_.heads * 2 * planes_;
  else
    model_.model_width = model_.heads * 4;
  if (model_.model_width % model_.heads != 0)
    throw BadDump(fmt::format("a width of {} is no multiple of {} heads", model_.model_width, model_.heads));
  if (N_here_ == 0) N_here_ = 2;  // lists alone: positions 0 and 1
  evidence_.model = model_;
  if (planes_ != 0 && 2 * planes_ < model_.head_width()) evidence_.rotary_width = 2 * planes_;
  for (std::optional<Index>* width : {&evidence_.rotary_width, &evidence_.rotary_width_from_end})
    if (*width && **width >= model_.head_width()) width->reset();
  evidence_.length = request_.length.value_or(N_here_);
}

Evidence Evidence::copy() const {
  return {.positions = positions.copy(),
          .extents = extents,
          .length = length,
          .model = model,
          .rotary_width = rotary_width,
          .rotary_width_from_end = rotary_width_from_end,
          .causal = causal,
          .scale = scale,
          .observations = observations,
          .weights = weights,
          .max_rows = max_rows,
          .layout = layout,
          .layout_is_open = layout_is_open,
          .masked = masked};
}

std::vector<Evidence> readings(const Dump& dump, const Request& request) {
  require_usable(dump);
  return Reader(dump, request).all();
}

}  // namespace poslab::identify
