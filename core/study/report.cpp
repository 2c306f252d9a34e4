// SPDX-License-Identifier: Apache-2.0
// Diagnostics: how they read, and in which order.
#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/printable.hpp"

namespace poslab::study {
namespace {

std::vector<Diagnostic> in_order_of_location(std::vector<Diagnostic> diagnostics) {
  std::ranges::stable_sort(diagnostics, {}, &Diagnostic::location);
  return diagnostics;
}

constexpr std::size_t max_lines = 50;  // nobody mends more than that before trying again

std::string one_line_each(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (std::size_t i = 0; i < std::min(diagnostics.size(), max_lines); ++i)
    text += (text.empty() ? "" : "\n") + diagnostics[i].text();
  if (diagnostics.size() > max_lines) text += fmt::format("\nand {} mistakes more", diagnostics.size() - max_lines);
  return text;
}

// Messages repeat words of the study: one line each, and not endless.
std::string told(std::string_view message) { return base::printable(base::shortened(message, 500)); }

}  // namespace

std::string Diagnostic::text() const {
  if (location.line == 0) return fmt::format("{}: {}", base::printable(file), message);
  return fmt::format("{}:{}:{}: {}", base::printable(file), location.line, location.column, message);
}

StudyErrors::StudyErrors(std::vector<Diagnostic> found)
    : Error(Kind::request, one_line_each(in_order_of_location(found))),
      diagnostics(in_order_of_location(std::move(found))) {}

void Report::add(SourceLocation location, const std::string& message) {
  diagnostics_.push_back({file_, location, told(message)});
}

void Report::add_command_line(const std::string& message) {
  diagnostics_.push_back({"command line", {}, told(message)});
}

void Report::throw_if_any() const {
  if (!diagnostics_.empty()) throw StudyErrors(diagnostics_);
}

std::string shown(std::string_view text) { return "\"" + base::printable(base::shortened(text, 80)) + "\""; }

}  // namespace poslab::study
