// SPDX-License-Identifier: Apache-2.0
// Collects the mistakes of one study, so that all of them are told at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "poslab/study/study.hpp"

namespace poslab::study {

class Report {
 public:
  explicit Report(std::string file) : file_(std::move(file)) {}

  void add(SourceLocation location, const std::string& message);
  void add_command_line(const std::string& message);
  std::size_t count() const { return diagnostics_.size(); }
  /// Throws StudyErrors with everything that was added.
  void throw_if_any() const;

 private:
  std::string file_;
  std::vector<Diagnostic> diagnostics_;
};

/// A word from the study as a message repeats it: in quotes, printable, cut after 80 bytes.
std::string shown(std::string_view text);

}  // namespace poslab::study
