// SPDX-License-Identifier: Apache-2.0
#include "facts.hpp"

#include <cctype>
#include <cstdlib>
#include <string_view>

namespace poslab::golden {
namespace {

// A recursive-descent reader of: sum = product {(+|-) product}; product = factor {(*|/) factor};
// factor = number | attribute | -factor | (sum) | shape(dataset, axis[, otherwise]) | mean(dataset) |
// default(attribute, sum).
class Expression {
 public:
  Expression(std::string_view text, const Facts& facts) : text_(text), facts_(facts) {}

  double value() {
    const double x = sum();
    blanks();
    if (at_ != text_.size()) fail();
    return x;
  }

 private:
  [[noreturn]] void fail() const {
    throw Unknown("the table's expression `" + std::string(text_) + "` cannot be read");
  }
  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail();
  }
  double sum() {
    double x = product();
    for (;;) {
      if (take('+'))
        x += product();
      else if (take('-'))
        x -= product();
      else
        return x;
    }
  }
  double product() {
    double x = factor();
    for (;;) {
      if (take('*'))
        x *= factor();
      else if (take('/'))
        x /= factor();
      else
        return x;
    }
  }
  std::string word() {
    blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    if (begin == at_) fail();
    return std::string(text_.substr(begin, at_ - begin));
  }
  double factor() {
    if (take('-')) return -factor();
    if (take('(')) {
      const double x = sum();
      expect(')');
      return x;
    }
    blanks();
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) return literal();
    const std::string name = word();
    if (name == "shape" && take('(')) return extent();
    if (name == "default" && take('(')) return attribute_or();
    if (name == "mean" && take('(')) return mean();
    const Json* attribute = facts_.attribute(name);
    if (!attribute) throw Unknown("the table asks for the attribute \"" + name + "\", which the case does not have");
    return as_number(*attribute, name);
  }
  double literal() {
    const std::string rest(text_.substr(at_));
    char* end = nullptr;
    const double x = std::strtod(rest.c_str(), &end);
    at_ += static_cast<std::size_t>(end - rest.c_str());
    return x;
  }
  double extent() {
    const std::string name = word();
    expect(',');
    const auto axis = static_cast<std::size_t>(sum());
    const bool may_be_missing = take(',');
    const double otherwise = may_be_missing ? sum() : 0;
    expect(')');
    if (may_be_missing && !facts_.has_dataset(name)) return otherwise;
    const Dataset& dataset = facts_.dataset(name);
    if (axis >= dataset.shape.size()) throw Unknown("`" + std::string(text_) + "` asks for an axis that is not there");
    return static_cast<double>(dataset.shape[axis]);
  }
  double mean() {
    const std::vector<double>& numbers = facts_.dataset(word()).numbers;
    expect(')');
    double total = 0;
    for (const double x : numbers) total += x;
    return total / static_cast<double>(numbers.size());
  }
  double attribute_or() {
    const std::string name = word();
    expect(',');
    const double fallback = sum();
    expect(')');
    const Json* attribute = facts_.attribute(name);
    return attribute ? as_number(*attribute, name) : fallback;
  }
  static double as_number(const Json& value, const std::string& name) {
    if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
    if (!value.is_number()) throw Unknown("the attribute \"" + name + "\" is no number, but " + value.dump());
    return value.get<double>();
  }

  std::string_view text_;
  const Facts& facts_;
  std::size_t at_ = 0;
};

}  // namespace

const Json* Facts::attribute(const std::string& name) const {
  use(name);
  const auto found = case_.parameters.find(name);
  return found == case_.parameters.end() ? nullptr : &*found;
}

const Dataset& Facts::dataset(const std::string& name) const {
  use(name);
  const Dataset* dataset = case_.find(name);
  if (!dataset) throw Unknown("the table asks for the dataset \"" + name + "\", which the case does not have");
  return *dataset;
}

double Facts::number(const std::string& expression) const { return Expression(expression, *this).value(); }

void Facts::require_all_used() const {
  std::string left;
  for (const auto& [name, value] : case_.parameters.items())
    if (!used_.count(name)) left += (left.empty() ? "" : ", ") + ("attribute \"" + name + "\" = " + value.dump());
  for (const auto& [name, dataset] : case_.inputs)
    if (!used_.count(name)) left += (left.empty() ? "" : ", ") + ("input \"" + name + "\"");
  if (!left.empty()) throw Unknown("the table does not say what these mean: " + left);
}

}  // namespace poslab::golden
