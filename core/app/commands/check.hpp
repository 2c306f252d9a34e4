// SPDX-License-Identifier: Apache-2.0
// `poslab check`: its options, those of the children that it starts, which perform checks, and what it says.
#pragma once

#include <string>
#include <vector>

#include "commands/document.hpp"
#include "options/shared_options.hpp"
#include "poslab/check/check.hpp"

namespace poslab::app {

struct CheckOptions final : Options {
  CheckOptions();

  /// What --only and --time-limit ask for. Throws UsageError.
  check::Selection selection() const;
  /// The plugins to check: a word with a slash or the ending of a library is a file, any other the id of a scheme.
  /// Throws UsageError, base::Error.
  std::vector<std::string> files() const;
  /// The words that start a child, but for the names of its checks, which come last. Throws UsageError if --heads do
  /// not divide --d-model.
  std::vector<std::string> child_arguments(const std::string& file) const;
  /// In the child: the checks that it performs.
  std::vector<std::string> performed() const;
  /// In the child: what `child_arguments` passed on.
  check::Request request(const std::string& file) const;
  /// All checks, of the variants and models that are usual.
  bool is_whole() const { return !only.is_given() && !variant.set.is_given() && !variant.names_model(); }

  Texts only;
  Flag list;
  Option<double> time_limit;
  Flag json;
  VariantOptions variant{this, 32, 4};
  PluginsOption plugins{this};
  Heading for_children{this, ""};
  Text perform{this, option("perform", "CHECK,...", "these checks, in this process")};
  Text label{this, option(check::variant_option, "LABEL", "of one variant")};
};

/// A plugin's check that has ended: a line, and one for each warning; none for what a gate left out.
void add_finding(Document& document, const check::Finding& finding);
/// "29 more checks  rest on table, which failed", if so, then "33 passed, 0 failed, 1 not performed, in 2 s".
void add_totals(Document& document, const std::vector<check::Finding>& findings);
Document checks_document(const std::vector<check::CheckInfo>& checks);

}  // namespace poslab::app
