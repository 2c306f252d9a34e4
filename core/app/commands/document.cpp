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

void Document::add(std::string key, base::Json value, Lines lines) {
  parts_.push_back({std::move(key), std::move(value), std::move(lines), ""});
}

void Document::add(std::string key, const std::vector<Fact>& facts) {
  base::Json list = base::Json::array();
  Lines lines;
  for (const Fact& fact : facts) list.push_back(json_of(fact)), lines.push_back(fact.sentence);
  add(std::move(key), std::move(list), std::move(lines));
}

void Document::heading(std::string text) { parts_.push_back({"", nullptr, {}, std::move(text)}); }

std::string Document::text() const {
  std::string text = title_ + "\n", heading;
  for (const Part& part : parts_) {
    if (part.key.empty()) heading = "\n" + part.heading + "\n";
    for (const std::string& line : part.lines) text += std::exchange(heading, "") + "  " + line + "\n";
  }
  return text;
}

base::Json Document::json() const {
  base::Json json = base::Json::object();
  for (const Part& part : parts_)
    if (!part.key.empty()) json[part.key] = part.value;
  return json;
}

void print(const Document& document, bool as_json) {
  as_json ? print_as_it_is(stdout, base::json_text(document.json(), 1) + "\n") : print(stdout, document.text());
}

}  // namespace poslab::app
