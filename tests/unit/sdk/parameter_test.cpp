// SPDX-License-Identifier: Apache-2.0
// Parameters: what the table says of them, and that their values arrive in the members.
#include "attached.hpp"
#include "catch.hpp"

namespace {

using namespace poslab;

/// Shows its members as inverse frequencies.
struct Echo {
  static constexpr Card card{.id = "echo", .title = "Echo", .version = "1", .family = Family::none};
  enum class Colour { red, green, blue };
  static constexpr const char* colours[] = {"red", "green", "blue"};
  static constexpr double factors[] = {1, 2.5};
  double real_number;
  std::optional<double> maybe_real;
  int whole;
  std::int64_t large;
  std::optional<int> maybe_whole;
  Colour colour;
  std::optional<Colour> maybe_colour;
  bool yes;
  std::vector<double> numbers;
  std::optional<std::vector<double>> maybe_numbers;
  static constexpr double sixes[] = {6, 36};
  static constexpr std::tuple params{
      real(&Echo::real_number, "real_number", 0.5, above(0).at_most(1), "a number").in("position"),
      real(&Echo::maybe_real, "maybe_real", unset, between(-1, 2), "a number or none"),
      integer(&Echo::whole, "whole", 7, at_least(2), "a whole number")
          .usual({8, 16})
          .usual(sixes)
          .as(Role::rotary_width),
      integer(&Echo::large, "large", 5000000000, below(1e15), "a large one"),
      integer(&Echo::maybe_whole, "maybe_whole", unset, at_most(9), "a whole number or none"),
      choice(&Echo::colour, "colour", colours, Colour::green, "a name"),
      choice(&Echo::maybe_colour, "maybe_colour", colours, unset, "a name or none"),
      flag(&Echo::yes, "yes", true, "yes or no"),
      list(&Echo::numbers, "numbers", factors, at_least(1), "some numbers"),
      list(&Echo::maybe_numbers, "maybe_numbers", unset, any_number, "some numbers or none")
          .usual({{1, 2, 3}, {4, 5, 6}})};

  Traits traits(const Model& m) const {
    std::vector<double> told{real_number,
                             maybe_real.value_or(-99),
                             double(whole),
                             double(large),
                             double(maybe_whole.value_or(-99)),
                             double(colour),
                             maybe_colour ? double(*maybe_colour) : -99.0,
                             double(yes),
                             double(m.train_length)};
    told.insert(told.end(), numbers.begin(), numbers.end());
    if (maybe_numbers) told.insert(told.end(), maybe_numbers->begin(), maybe_numbers->end());
    return Traits().inverse_frequency(told);
  }
};

std::vector<double> told(const check::Attached& scheme) {
  return {scheme.instance.inverse_frequency,
          scheme.instance.inverse_frequency + scheme.instance.inverse_frequency_count};
}

const poslab_parameter& row(const std::string& name) {
  const poslab_plugin& table = check::table_of<Echo>;
  for (std::int64_t i = 0; i < table.parameter_count; ++i)
    if (table.parameters[i]->name == name) return *table.parameters[i];
  throw std::runtime_error("no parameter " + name);
}

}  // namespace

TEST_CASE("parameters that are not given take their defaults") {
  const check::Attached scheme(check::table_of<Echo>, 4, 2);
  CHECK(told(scheme) == std::vector<double>{0.5, -99, 7, 5e9, -99, 1, -99, 1, 64, 1, 2.5});
}

TEST_CASE("parameters that are given arrive in their members") {
  const check::Attached scheme(check::table_of<Echo>, 4, 2,
                               {{"real_number", 0.25},
                                {"maybe_real", 1.5},
                                {"whole", -3},
                                {"large", 7e9},
                                {"maybe_whole", 8},
                                {"colour", 2},
                                {"maybe_colour", 0},
                                {"yes", 0}},
                               {{"numbers", {4}}, {"maybe_numbers", {5, 6}}});
  CHECK(told(scheme) == std::vector<double>{0.25, 1.5, -3, 7e9, 8, 2, 0, 0, 64, 4, 5, 6});
}

TEST_CASE("the table holds usual numbers, lists among them, and roles") {
  const auto usual = [](const std::string& name) {
    const poslab_parameter& parameter = row(name);
    return std::vector<double>(parameter.usual, parameter.usual + parameter.usual_count);
  };
  CHECK(usual("whole") == std::vector<double>{8, 16, 6, 36});
  CHECK(row("whole").role == POSLAB_ROLE_ROTARY_WIDTH);
  CHECK(row("large").usual == nullptr);
  CHECK(row("large").usual_count == 0);
  CHECK(row("large").role == POSLAB_ROLE_NONE);
  const std::vector<double> lists = usual("maybe_numbers");
  REQUIRE(lists.size() == 8);
  CHECK(std::vector<double>(lists.begin(), lists.begin() + 3) == std::vector<double>{1, 2, 3});
  CHECK(std::isnan(lists[3]));
  CHECK(lists[6] == 6);
  CHECK(std::isnan(lists[7]));
}

TEST_CASE("the table holds kinds, ranges, units, sentences and defaults") {
  CHECK(row("real_number").kind == POSLAB_REAL);
  CHECK(row("real_number").lowest == 0);
  CHECK(row("real_number").above_lowest == 1);
  CHECK(row("real_number").highest == 1);
  CHECK(row("real_number").below_highest == 0);
  CHECK(std::string(row("real_number").unit) == "position");
  CHECK(std::string(row("real_number").sentence) == "a number");
  CHECK(row("real_number").may_be_unset == 0);
  CHECK(row("maybe_real").may_be_unset == 1);
  CHECK(std::isnan(row("maybe_real").default_number));
  CHECK(row("whole").kind == POSLAB_INTEGER);
  CHECK(row("whole").lowest == 2);
  CHECK(row("whole").highest == 2147483647.0);  // what an int can hold
  CHECK(std::string(row("whole").unit) == "1");
  CHECK(row("large").highest == 1e15);
  CHECK(row("large").below_highest == 1);
  CHECK(row("large").default_number == 5e9);
  CHECK(row("colour").kind == POSLAB_CHOICE);
  CHECK(row("colour").choice_count == 3);
  CHECK(std::string(row("colour").choices[2]) == "blue");
  CHECK(row("colour").default_choice == 1);
  CHECK(row("maybe_colour").default_choice == -1);
  CHECK(row("yes").kind == POSLAB_FLAG);
  CHECK(row("yes").default_choice == 1);
  CHECK(row("numbers").kind == POSLAB_LIST);
  CHECK(row("numbers").default_list_count == 2);
  CHECK(row("maybe_numbers").default_list == nullptr);
  CHECK(row("maybe_numbers").may_be_unset == 1);
}
