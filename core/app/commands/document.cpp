// SPDX-License-Identifier: Apache-2.0
#include "commands/document.hpp"

#include <cstdio>
#include <utility>

#include "terminal/terminal.hpp"

namespace poslab::app {

base::Json json_of(const Fact& fact) {
  if (fact.id.empty()) return fact.values;
  base::Json json{{"id", fact.id}};
  json.update(fact.values);
  json["sentence"] = fact.sentence;
  return json;
}

Document::Document(const std::string& title) {
  if (!title.empty()) indent_ = "  ", text_ = title + "\n";
}

void Document::add(const std::string& key, const base::Json& value, const Lines& lines) {
  at(key) = value;
  say(lines);
}

void Document::add(const std::string& key, const std::vector<Fact>& facts) {
  at(key) = base::Json::array();
  for (const Fact& fact : facts) append(key, json_of(fact), {fact.sentence});
}

void Document::append(const std::string& key, const base::Json& value, const Lines& lines) {
  at(key).push_back(value);
  say(lines);
}

void Document::say(const Lines& lines) {
  for (const std::string& line : lines) {
    if (!heading_.empty()) text_ += (text_.empty() ? "" : "\n") + std::exchange(heading_, "");
    text_ += indent_ + line + "\n";
  }
}

std::string Document::new_text() { return text_.substr(std::exchange(printed_, text_.size())); }

void print(const Document& document, bool as_json, std::size_t width) {
  as_json ? print_json(document.json()) : print(stdout, StyledText(document.text()).fitted(width));
}

void print_json(const base::Json& json) { print_as_it_is(stdout, base::json_text(json, 1) + "\n"); }

}  // namespace poslab::app
