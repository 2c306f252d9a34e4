// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/value.hpp"

#include <charconv>
#include <sstream>

namespace poslab::data {
namespace {

template <class Number>
bool read_whole(const std::string& text, Number& number) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace

Value parse_scalar(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  if (std::int64_t integer = 0; read_whole(text, integer)) return integer;
  if (double real = 0; read_whole(text, real)) return real;
  return text;
}

Value parse_value(const std::string& text) {
  if (text == "unset") return std::monostate{};
  if (text.find(',') == std::string::npos) return parse_scalar(text);
  std::vector<double> list;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');)
    if (double real = 0; read_whole(word, real))
      list.push_back(real);
    else
      return text;
  return list;
}

}  // namespace poslab::data
