// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/look_answer.hpp"

#include <sstream>

namespace poslab::run {
namespace {

constexpr char separator = '\n';

}  // namespace

using Content = results::OutputContent;

std::string look_answer(const Content& content) {
  switch (content.kind) {
    case Content::Kind::nothing: return "nothing";
    case Content::Kind::table: return "table";
    case Content::Kind::run: {
      std::string answer = (content.complete ? "+" : "-") + content.study_hash;
      for (const std::string& cell : content.measured) answer += separator + cell;
      return answer;
    }
  }
  return "nothing";
}

std::optional<Content> content_of(const std::string& look_answer) {
  if (look_answer == "nothing") return Content{};
  if (look_answer == "table") return Content{Content::Kind::table, "", true};
  if (!look_answer.starts_with('+') && !look_answer.starts_with('-')) return std::nullopt;
  Content content{Content::Kind::run, "", look_answer.front() == '+'};
  std::istringstream words(look_answer.substr(1));
  std::getline(words, content.study_hash, separator);
  for (std::string cell; std::getline(words, cell, separator);) content.measured.push_back(cell);
  return content;
}

}  // namespace poslab::run
