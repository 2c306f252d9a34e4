// SPDX-License-Identifier: Apache-2.0
// A table `rope_scaling` or `rope_parameters` as the parameters of rope's scalings. What a reader takes where the table
// is silent: modeling_rope_utils.py of Hugging Face transformers 4.57.1 and 5.24.0.
// Dimension letters: s factor, L original length, Lmax longest length.
#include <fmt/format.h>

#include <cmath>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "rotary.hpp"

namespace poslab::importing {
namespace {

base::Error no_such_scaling(const std::string& name) {
  const std::vector<std::string> known{"default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional"};
  return {base::Error::Kind::request, fmt::format("the scaling {} is not known; there are {}{}", base::excerpt(name),
                                                  base::enumerate(known), base::did_you_mean(name, known))};
}

double at_least_1(const char* name, double value) {
  if (value >= 1) return value;
  throw not_served(fmt::format("{} is {}, but rope's scalings take only what is at least 1", name, value));
}

class Scaling {
 public:
  Scaling(const Reading& reading, const Rotation& rotation, data::Values& set)
      : reading_(reading), rotation_(rotation), keys_(*rotation.table), set_(set) {}

  void linear() { named("linear"), set_.set("factor", factor()); }
  void dynamic() {
    named("dynamic-ntk"), set_.set("factor", factor());
    set_.set("max_position_embeddings", max_length());
  }
  void llama3() {
    named("llama3"), set_.set("factor", factor());
    const double low = needed("low_freq_factor"), high = needed("high_freq_factor");
    require_order("high_freq_factor", high, "low_freq_factor", low);
    set_.set("low_freq_factor", low);
    set_.set("high_freq_factor", high);
    set_.set("original_max_position_embeddings", original_length());
  }
  void yarn();
  void longrope();

 private:
  void named(const char* name) { set_.set("scaling", std::string(name)); }
  double needed(const char* name) const {
    const std::optional<double> value = keys_.positive({name}, name);
    if (!value) throw missing({name}, "its scaling, which needs that,");
    return *value;
  }
  double factor() const { return at_least_1("factor", needed("factor")); }
  static void require_order(const char* name, double larger, const char* other, double smaller) {
    if (larger > smaller) return;
    throw not_served(fmt::format("{} is {}, but must exceed {}, {}", name, larger, other, smaller));
  }
  std::int64_t max_length() const {
    const std::int64_t length = max_positions(reading_);
    if (length == 0) throw missing({"max_position_embeddings"}, "where its scaling ends");
    return length;
  }
  std::int64_t original_length() const;
  std::optional<std::int64_t> original_length_outside() const;
  void mscales(double s);

  const Reading& reading_;
  const Rotation& rotation_;
  const Keys& keys_;
  data::Values& set_;
};

constexpr const char* original = "original_max_position_embeddings";

// Beside the table; some families have it always.
std::optional<std::int64_t> Scaling::original_length_outside() const {
  if (const std::optional<std::int64_t> length = reading_.keys.count({original}, original)) return length;
  if (reading_.family.original_length == 0) return {};
  reading_.keys.ledger().assume(original, std::to_string(reading_.family.original_length));
  return reading_.family.original_length;
}

// Transformers 5 believes the one outside more than the table, but for tables of single layers; 4 looks at it for
// longrope alone.
std::int64_t Scaling::original_length() const {
  if (reading_.form == Form::transformers_5 && !rotation_.in_a_layers_table)
    if (const std::optional<std::int64_t> length = original_length_outside())
      return keys_.pass_over({original}), *length;
  if (const std::optional<std::int64_t> length = keys_.count({original}, original)) return *length;
  return max_length();
}

// 0.1 m ln s + 1
double magnitude(double s, double mscale) { return s > 1 ? 0.1 * mscale * std::log(s) + 1 : 1; }

void Scaling::mscales(double s) {
  const double mscale = keys_.number({"mscale"}, "mscale").value_or(0);
  const double all = keys_.number({"mscale_all_dim"}, "mscale_all_dim").value_or(0);
  const std::optional<double> given = keys_.positive({"attention_factor"}, "attention_factor");
  const bool stretches = mscale > 0 && all > 0 && !given;
  const bool scales_logits = reading_.family.scales_logits &&
                             (reading_.form == Form::transformers_5 || !reading_.family.scales_logits_by_5_only);
  if (scales_logits && all > 0) {
    // How rope says both: q and k by the quotient, logits by the square of the second.
    if (given) throw not_served("attention_factor and mscale_all_dim: rope takes one of them");
    set_.set("mscale",
             stretches ? mscale : 1 + 10 * (magnitude(s, all) * magnitude(s, 1) - magnitude(s, 1)) / std::log(s));
    set_.set("mscale_all_dim", all);
  } else if (given) {
    set_.set("attention_factor", *given);
  } else if (stretches) {
    set_.set("attention_factor", magnitude(s, mscale) / magnitude(s, all));
  }
}

void Scaling::yarn() {
  std::optional<double> s = keys_.positive({"factor"}, "factor");
  const std::int64_t L = original_length();
  if (!s && reading_.form == Form::transformers_5) s = static_cast<double>(max_length()) / static_cast<double>(L);
  const double stretch = at_least_1("factor", s ? *s : needed("factor"));
  if (stretch == 1) return;  // frequencies and lengths stay
  named("yarn");
  set_.set("factor", stretch);
  set_.set(original, L);
  const double fast = keys_.number({"beta_fast"}, "beta_fast").value_or(0);
  const double slow = keys_.number({"beta_slow"}, "beta_slow").value_or(0);
  if (fast > 0) set_.set("beta_fast", fast);  // 0 is their default, too
  if (slow > 0) set_.set("beta_slow", slow);
  require_order("beta_fast", fast > 0 ? fast : 32, "beta_slow", slow > 0 ? slow : 1);
  require_order("the base of yarn", rotation_.base, "1", 1);
  if (!keys_.flag({"truncate"}, "truncate").value_or(true)) set_.set("truncate", false);
  mscales(stretch);
}

void Scaling::longrope() {
  named("longrope");
  const bool four = reading_.form == Form::transformers_4;
  const std::optional<std::int64_t> outside = four ? original_length_outside() : std::nullopt;
  const std::int64_t Lmax = max_length(), L = four ? outside.value_or(Lmax) : original_length();
  const std::optional<double> written = keys_.positive({"factor"}, "factor");
  const double ratio = static_cast<double>(Lmax) / static_cast<double>(L);
  const double s = written && !(four && outside) ? *written : ratio;
  for (const char* name : {"short_factor", "long_factor"}) {
    const std::optional<std::vector<double>> list = keys_.numbers({name}, name);
    if (!list) throw missing({name}, "its scaling, longrope, which needs that,");
    if (static_cast<std::int64_t>(list->size()) != rotation_.width / 2)
      throw not_served(fmt::format("{} has {} numbers for {} planes", name, list->size(), rotation_.width / 2));
    for (const double number : *list) at_least_1(name, number);
    set_.set(name, *list);
  }
  set_.set("max_position_embeddings", Lmax);
  set_.set(original, L);
  const std::optional<double> given = keys_.positive({"attention_factor"}, "attention_factor");
  if (given) {
    set_.set("attention_factor", *given);
  } else if (s != ratio) {
    set_.set("attention_factor", s > 1 ? std::sqrt(1 + std::log(s) / std::log(static_cast<double>(L))) : 1.0);
  }
}

}  // namespace

data::Values rope_parameters(const Reading& reading, const Rotation& rotation, std::int64_t head_width) {
  data::Values set;
  set.set("base", rotation.base);
  set.set("style", std::string(reading.family.interleaved ? "interleaved" : "half-split"));
  const std::string& name = rotation.scaling;
  if (name == "proportional") {
    if (reading.form == Form::transformers_4) throw no_such_scaling(name);
    set.set("scaling", name);
    set.set("p", rotation.part);
    const double factor = rotation.table ? rotation.table->positive({"factor"}, "factor").value_or(1) : 1;
    if (factor != 1) set.set("factor", at_least_1("factor", factor));
    return set;
  }
  if (rotation.width != head_width) set.set("rotary_width", rotation.width);
  if (name == "default" || name == "mrope" || !rotation.table) return set;
  if (name == "su" && reading.form == Form::transformers_5 && !rotation.table->has(original))
    throw missing({original}, "the scaling \"su\", which transformers 5 checks before it calls it longrope,");
  Scaling scaling(reading, rotation, set);
  const bool of_phi = reading.family.original_length > 0;  // which called it yarn, too
  if (name == "linear")
    scaling.linear();
  else if (name == "dynamic")
    scaling.dynamic();
  else if (name == "llama3")
    scaling.llama3();
  else if (name == "longrope" || name == "su" || (of_phi && name == "yarn"))
    scaling.longrope();
  else if (name == "yarn")
    scaling.yarn();
  else
    throw no_such_scaling(name);
  return set;
}

}  // namespace poslab::importing
