// SPDX-License-Identifier: Apache-2.0
// Diagnostics: how they read, and in which order.
#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace poslab::spec {
namespace {

std::vector<Diagnostic> in_order_of_place(std::vector<Diagnostic> diagnostics) {
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.place < b.place; });
  return diagnostics;
}

constexpr std::size_t most_lines = 50;  // nobody mends more than that before trying again

std::string one_line_each(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (std::size_t i = 0; i < std::min(diagnostics.size(), most_lines); ++i)
    text += (text.empty() ? "" : "\n") + diagnostics[i].text();
  if (diagnostics.size() > most_lines) text += fmt::format("\nand {} mistakes more", diagnostics.size() - most_lines);
  return text;
}

}  // namespace

std::string Diagnostic::text() const {
  if (place.line == 0) return fmt::format("{}: {}", file, message);
  return fmt::format("{}:{}:{}: {}", file, place.line, place.column, message);
}

StudyErrors::StudyErrors(std::vector<Diagnostic> found)
    : Error(one_line_each(in_order_of_place(found))), diagnostics(in_order_of_place(std::move(found))) {}

void Report::add(Place place, const std::string& message) {
  diagnostics_.push_back({file_, place, printable(message, 500)});
}

void Report::add_command_line(const std::string& message) {
  diagnostics_.push_back({"command line", {}, printable(message, 500)});
}

void Report::throw_if_any() const {
  if (!diagnostics_.empty()) throw StudyErrors(diagnostics_);
}

std::string printable(std::string_view text, std::size_t longest) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool starts_a_letter = (byte & 0xC0) != 0x80;
    if (i >= longest && starts_a_letter) return out + "...";
    if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\u{:04X}", byte);
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string shown(std::string_view text) { return "\"" + printable(text, 80) + "\""; }

}  // namespace poslab::spec
