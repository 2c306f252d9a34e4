// SPDX-License-Identifier: Apache-2.0
// Collects the mistakes of one study, so that all of them are told at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "poslab/spec/study.hpp"

namespace poslab::spec {

class Report {
 public:
  explicit Report(std::string file) : file_(std::move(file)) {}

  void add(Place place, const std::string& message);
  void add_command_line(const std::string& message);
  std::size_t count() const { return diagnostics_.size(); }
  /// Throws StudyErrors with everything that was added.
  void throw_if_any() const;

 private:
  std::string file_;
  std::vector<Diagnostic> diagnostics_;
};

/// `text` as a message may repeat it: control characters escaped (a terminal would obey them, a line end would break
/// the line), cut after `longest` bytes at a whole character.
std::string printable(std::string_view text, std::size_t longest);

/// The same of a word from the study, short and in quotes.
std::string shown(std::string_view text);

}  // namespace poslab::spec
