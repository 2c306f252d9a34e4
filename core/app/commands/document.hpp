// SPDX-License-Identifier: Apache-2.0
// What a command says: one document of facts, which two printers lay out, as text and as JSON. Neither decides
// anything.
#pragma once

#include <cstddef>
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

/// In the order of its text. An empty key stands for the whole JSON.
class Document {
 public:
  using Lines = std::vector<std::string>;
  /// Lines below a title are indented; without one they stand as they are.
  explicit Document(const std::string& title = "");

  /// A value under its key, and the lines that say it: none where those of another fact do.
  void add(const std::string& key, const base::Json& value, const Lines& lines = {});
  /// A list, a line for each of its facts.
  void add(const std::string& key, const std::vector<Fact>& facts);
  /// One more value of a list.
  void append(const std::string& key, const base::Json& value, const Lines& lines = {});
  /// Lines that say values which are there.
  void say(const Lines& lines);
  /// A line above the next ones, after a blank one; left out where another heading comes first.
  void heading(const std::string& text) { heading_ = text + "\n"; }

  const std::string& text() const { return text_; }
  const base::Json& json() const { return json_; }
  /// The text since the last call: of a document that is printed while it grows.
  std::string new_text();

 private:
  base::Json& at(const std::string& key) { return key.empty() ? json_ : json_[key]; }

  base::Json json_ = base::Json::object();
  std::string indent_, heading_, text_;
  std::size_t printed_ = 0;  // bytes of the text
};

/// Prints the whole on stdout. `width`: characters of a line of its text, where no terminal says so.
void print(const Document& document, bool as_json, std::size_t width = std::string::npos);
void print_json(const base::Json& json);

}  // namespace poslab::app
