// SPDX-License-Identifier: Apache-2.0
// What a command says: one document of facts, which two printers lay out, as text and as JSON. Neither decides
// anything.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "poslab/base/json.hpp"

namespace poslab::app {

/// A fact of a list: what it is, its numbers and words, and the sentence that says them.
struct Fact {
  std::string id;  ///< "off-by-one"; empty where the list has facts of one sort: their JSON has the values alone
  base::Json values = base::Json::object();
  std::string sentence;
};
/// {"id": ..., values ..., "sentence": ...}
base::Json json_of(const Fact& fact);

/// In the order of its text.
class Document {
 public:
  using Lines = std::vector<std::string>;
  explicit Document(std::string title = "") : title_(std::move(title)) {}

  /// A value under its key, and the lines that say it: none where those of another fact do.
  void add(std::string key, base::Json value, Lines lines = {});
  /// A list, a line for each of its facts.
  void add(std::string key, const std::vector<Fact>& facts);
  /// A line below those of the facts before it.
  void heading(std::string text);

  /// Title, then lines under their headings; a heading without lines is left out.
  std::string text() const;
  base::Json json() const;

 private:
  struct Part {
    std::string key;
    base::Json value;
    Lines lines;
    std::string heading;
  };
  std::string title_;
  std::vector<Part> parts_;
};

/// Prints the whole on stdout.
void print(const Document& document, bool as_json);

}  // namespace poslab::app
