// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/look_answer.hpp"

namespace poslab::run {

using Content = results::OutputContent;

std::string look_answer(const Content& content) {
  switch (content.kind) {
    case Content::Kind::nothing: return "nothing";
    case Content::Kind::table: return "table";
    case Content::Kind::run: return (content.complete ? "+" : "-") + content.study_hash;
  }
  return "nothing";
}

std::optional<Content> content_of(const std::string& look_answer) {
  if (look_answer == "nothing") return Content{};
  if (look_answer == "table") return Content{Content::Kind::table, "", true};
  if (!look_answer.starts_with('+') && !look_answer.starts_with('-')) return std::nullopt;
  return Content{Content::Kind::run, look_answer.substr(1), look_answer.front() == '+'};
}

}  // namespace poslab::run
