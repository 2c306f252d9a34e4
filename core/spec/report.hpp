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

/// A message may repeat what the study says, however long that is: at most 500 bytes of it, whole characters.
std::string shortened(std::string_view text);

/// `text` in quotes for a message: control characters escaped (a terminal would obey them), long text cut.
std::string shown(std::string_view text);

}  // namespace poslab::spec
