// SPDX-License-Identifier: Apache-2.0
#include "declared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "poslab/base/printable.hpp"
#include "poslab/host/scheme_errors.hpp"

namespace poslab::host {
namespace {

// The extent of the struct in version 1.0: no plugin can be shorter, however much the struct grows.
constexpr std::size_t min_plugin_size = offsetof(poslab_plugin, operation_count) + sizeof(std::int64_t);

[[noreturn]] void malformed(const std::string& rule) { throw Malformed(Malformed::What::table, rule); }

bool made_of(const std::string& word, char joint) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto allowed = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == joint; };
  return !word.empty() && letter(word.front()) && word.back() != joint &&
         std::all_of(word.begin(), word.end(), allowed);
}

std::string text(const char* given, const char* member, std::size_t longest, bool may_be_empty) {
  DeclaredText read = declared_text(given, longest);
  if (!read.problem.empty()) malformed(fmt::format("`{}` {}", member, read.problem));
  if (!may_be_empty && read.text.empty()) malformed(fmt::format("`{}` is empty", member));
  return std::move(read.text);
}

void check_operations(const poslab_plugin& table) {
  if (table.operation_count < 0) malformed(fmt::format("operation_count is {}", table.operation_count));
  if (table.operation_count > 0 && !table.operations) malformed("`operations` is null");
  for (std::int64_t i = 0; i < std::min<std::int64_t>(table.operation_count, POSLAB_OPERATION_COUNT); ++i)
    if (!table.operations[i].forward && table.operations[i].gradient)
      malformed(fmt::format("operation {} has a gradient, but is not offered itself", i));
}

}  // namespace

std::optional<base::Refusal> why_not_version(const poslab_plugin& constant) {
  const std::string theirs = fmt::format("{}.{}", constant.major, constant.minor);
  const std::string ours = fmt::format("{}.{}", POSLAB_MAJOR, POSLAB_MINOR);
  if (constant.major != POSLAB_MAJOR)
    return fmt::format("built for version {} of the boundary, but this poslab speaks {}: build the plugin again",
                       theirs, ours);
  if (constant.minor > POSLAB_MINOR)
    return fmt::format("built for version {} of the boundary, but this poslab speaks {}: update poslab", theirs, ours);
  if (constant.size < min_plugin_size)
    return fmt::format("its table has {} bytes, but version {} has at least {}", constant.size, theirs,
                       min_plugin_size);
  return std::nullopt;
}

bool is_lower_case_name(const std::string& name) { return made_of(name, '_'); }

data::SchemeInfo describe(const poslab_plugin& table) {
  data::SchemeInfo info;
  info.id = text(table.id, "id", max_name_bytes, false);
  if (!made_of(info.id, '-')) malformed(fmt::format("id \"{}\" is not lower-case-with-hyphens", info.id));
  info.title = text(table.title, "title", max_sentence_bytes, false);
  info.version = text(table.version, "version", max_name_bytes, false);
  info.paper = text(table.paper, "paper", max_sentence_bytes, true);
  info.summary = text(table.summary, "summary", max_sentence_bytes, true);
  info.formula = text(table.formula, "formula", max_sentence_bytes, true);
  info.used_in = text(table.used_in, "used_in", max_sentence_bytes, true);
  if (table.family < POSLAB_FAMILY_NONE || table.family >= POSLAB_FAMILY_COUNT)
    malformed(fmt::format("family {} is unknown", table.family));
  info.family = static_cast<data::Family>(table.family);
  if (table.least_axes < 1 || table.most_axes < table.least_axes || table.most_axes > POSLAB_MOST_AXES)
    malformed(fmt::format("positions of {} to {} axes, but they have 1 to {}", table.least_axes, table.most_axes,
                          POSLAB_MOST_AXES));
  info.least_axes = table.least_axes;
  info.most_axes = table.most_axes;
  info.real_positions = table.real_positions != 0;
  info.parameters = declared_parameters(table);
  if (!table.create || !table.destroy) malformed("`create` or `destroy` is null");
  check_operations(table);
  return info;
}

DeclaredText declared_text(const char* given, std::size_t longest) {
  if (!given) return {"", "is null"};
  const std::size_t size = strnlen(given, longest + 1);
  if (size > longest) return {"", fmt::format("has more than {} bytes", longest)};
  const std::string text(given, size), shown = base::printable(text);
  if (shown != text) return {"", fmt::format("holds what cannot be printed: \"{}\"", base::shortened(shown, 80))};
  return {text, ""};
}

std::optional<base::Refusal> why_not_so_many(std::int64_t count, std::int64_t most, const char* of_what) {
  if (count <= most) return std::nullopt;
  return fmt::format("{} {}, but at most {} are taken", count, of_what, most);
}

}  // namespace poslab::host
