// SPDX-License-Identifier: Apache-2.0
#include "filled.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace poslab::scaffold {
namespace {

// File name in templates/ -> its text. They are schemes that compile, of the name that `filled` replaces.
const std::map<std::string, std::string>& templates() {
  static const std::map<std::string, std::string> all{
#include "templates.inc"
  };
  return all;
}

bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

// It ends in Scheme, for Mask, ScoreTile and many more are types of poslab.
std::string as_type(const std::string& name) {
  std::string type;
  bool up = true;
  for (const char c : name) {
    if (c != '-') type += up ? upper(c) : c;
    up = c == '-';
  }
  return type.ends_with("Scheme") ? type : type + "Scheme";
}

std::string as_title(std::string name) {
  std::replace(name.begin(), name.end(), '-', ' ');
  name.front() = upper(name.front());
  return name;
}

}  // namespace

bool is_usable(const std::string& name) {
  return !name.empty() && is_lower(name.front()) && name.back() != '-' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return is_lower(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-';
         });
}

std::string as_module(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string filled(const std::string& file, const std::string& name) {
  std::string text = templates().at(file);
  const std::pair<std::string, std::string> words[] = {{"new-scheme", name},
                                                       {"new_scheme", as_module(name)},
                                                       {"NewScheme", as_type(name)},
                                                       {"New scheme", as_title(name)}};
  for (const auto& [word, meaning] : words)
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + meaning.size()))
      text.replace(at, word.size(), meaning);
  return text;
}

}  // namespace poslab::scaffold
