// SPDX-License-Identifier: Apache-2.0
// What a plugin declares has limits (plugin.h): beyond one it is refused by name, and its host reads no further.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "catch.hpp"
#include "declared.hpp"
#include "faults.hpp"
#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/scheme.hpp"

using namespace poslab;
using poslab::test::fault;

namespace {

// Characters up to the end of the memory that can be read: none of them is a 0.
class EndlessText {
 public:
  explicit EndlessText(std::size_t size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    whole_ = (size / page + 2) * page;
    memory_ = static_cast<char*>(mmap(nullptr, whole_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(memory_ != MAP_FAILED);
    std::fill_n(memory_, whole_ - page, 'x');
    REQUIRE(mprotect(memory_ + (whole_ - page), page, PROT_NONE) == 0);
    text_ = memory_ + (whole_ - page - size);
  }
  EndlessText(const EndlessText&) = delete;
  EndlessText& operator=(const EndlessText&) = delete;
  ~EndlessText() { munmap(memory_, whole_); }
  const char* text() const { return text_; }

 private:
  char *memory_, *text_;
  std::size_t whole_;
};

std::string reason_of_table(const poslab_plugin& table) {
  try {
    host::describe(table);
  } catch (const base::Error& refused) {
    return refused.what();
  }
  return "";
}

std::string reason_of_file(const char* name) {
  try {
    host::Plugin::open(fault(name));
  } catch (const host::PluginRefused& refused) {
    return refused.reason;
  }
  return "";
}

std::string reason_of_instance(const char* mode) {
  try {
    host::Scheme(host::Plugin::open(fault("boasts")), {{"mode", data::Value(mode)}}, {8, 2, 16});
  } catch (const base::Error& refused) {
    return refused.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a text is read as far as it may be long, and no byte further") {
  const EndlessText endless(host::max_sentence_bytes + 1);
  CHECK(host::declared_text(endless.text(), host::max_sentence_bytes).problem == "has more than 4096 bytes");
  const std::string longest(host::max_name_bytes, 'x');
  CHECK(host::declared_text(longest.c_str(), host::max_name_bytes).text == longest);
  CHECK(host::declared_text((longest + "x").c_str(), host::max_name_bytes).problem == "has more than 200 bytes");
  CHECK(host::declared_text(nullptr, host::max_name_bytes).problem == "is null");
  CHECK(host::declared_text("a\u202eb", host::max_name_bytes).problem == "holds what cannot be printed: \"a\\u202Eb\"");
}

TEST_CASE("every text of a table has a longest length") {
  const auto plugin = host::Plugin::open(fault("toy"));
  const EndlessText name(host::max_name_bytes + 1), sentence(host::max_sentence_bytes + 1);
  const char* evil = "a\x1b[2J";
  const auto check = [&](const std::string& member, const char*& text, const poslab_plugin& table, bool is_name) {
    const char* const good = text;
    CAPTURE(member);
    text = is_name ? name.text() : sentence.text();
    CHECK_THAT(reason_of_table(table), check::starts_with("malformed table: ") && check::contains(member) &&
                                           check::contains(is_name ? "more than 200 bytes" : "more than 4096 bytes"));
    text = evil;
    CHECK_THAT(reason_of_table(table), check::contains(member) && check::contains("a\\u001B[2J"));
    text = good;
  };
  poslab_plugin table = plugin->table();
  CHECK(reason_of_table(table).empty());
  check("`id`", table.id, table, true);
  check("`version`", table.version, table, true);
  check("`title`", table.title, table, false);
  check("`paper`", table.paper, table, false);
  check("`summary`", table.summary, table, false);
  check("`formula`", table.formula, table, false);
  check("`used_in`", table.used_in, table, false);
  poslab_parameter mode = *table.parameters[1];
  std::vector<const poslab_parameter*> parameters(table.parameters, table.parameters + table.parameter_count);
  std::vector<const char*> choices(mode.choices, mode.choices + mode.choice_count);
  parameters[1] = &mode, mode.choices = choices.data(), table.parameters = parameters.data();
  check("parameter 1", mode.name, table, true);
  check("parameter \"mode\" has a unit", mode.unit, table, true);
  check("parameter \"mode\" has a sentence", mode.sentence, table, false);
  check("parameter \"mode\" has the name of choice 2", choices[2], table, true);
}

TEST_CASE("a table declares so many things and no more") {
  const auto plugin = host::Plugin::open(fault("toy"));
  poslab_plugin table = plugin->table();
  SECTION("parameters") {
    table.parameter_count = std::int64_t{1} << 60;
    CHECK(reason_of_table(table) ==
          "malformed table: it declares 1152921504606846976 parameters, but at most 200 are taken");
  }
  SECTION("choices, and numbers of a default list") {
    poslab_parameter mode = *table.parameters[1], list = *table.parameters[4];
    std::vector<const poslab_parameter*> parameters(table.parameters, table.parameters + table.parameter_count);
    parameters[1] = &mode, parameters[4] = &list, table.parameters = parameters.data();
    list.default_list_count = std::int64_t{1} << 61;
    CHECK_THAT(reason_of_table(table), check::contains("\"list\" has a default list of 2305843009213693952 numbers"));
    list.default_list_count = 0, list.usual_count = std::int64_t{1} << 61, list.usual = &list.lowest;
    CHECK_THAT(reason_of_table(table), check::contains("\"list\" has usual numbers that are 2305843009213693952"));
    list.usual_count = 0;
    mode.choice_count = 201;
    CHECK_THAT(reason_of_table(table), check::contains("\"mode\" has 201 choices, but at most 200 are taken"));
  }
  SECTION("usual numbers, of its kind, and a role for it") {
    const double nan = std::numeric_limits<double>::quiet_NaN(), numbers[] = {2, 4, nan, nan, 8.5, nan};
    poslab_parameter row = *table.parameters[4];
    const poslab_parameter* const parameter = &row;
    table.parameters = &parameter, table.parameter_count = 1;
    const auto usual = [&](std::int32_t kind, std::int64_t count) {
      row.kind = kind, row.usual = numbers, row.usual_count = count, row.default_number = 2;
      return host::describe(table).parameters.front().usual;
    };
    using List = std::vector<double>;
    CHECK(usual(POSLAB_LIST, 6) == std::vector<data::Value>{List{2, 4}, List{}, List{8.5}});
    CHECK(usual(POSLAB_REAL, 2) == std::vector<data::Value>{2.0, 4.0});
    CHECK(usual(POSLAB_INTEGER, 2) == std::vector<data::Value>{std::int64_t{2}, std::int64_t{4}});
    CHECK(usual(POSLAB_REAL, 0).empty());
    CHECK_THAT(reason_of_table((usual(POSLAB_LIST, 6), row.usual_count = 5, table)),
               check::contains("no nan after it"));
    row.usual = nullptr;
    CHECK_THAT(reason_of_table(table), check::contains("null usual numbers"));
    row.kind = POSLAB_INTEGER, row.usual = numbers + 4, row.usual_count = 1;
    CHECK_THAT(reason_of_table(table), check::contains("usual number 8.5, which is no integer"));
    row.kind = POSLAB_FLAG, row.default_choice = 1;
    CHECK_THAT(reason_of_table(table), check::contains("has usual numbers, but is no number"));
    row.usual_count = 0, row.role = POSLAB_ROLE_BASE;
    CHECK_THAT(reason_of_table(table), check::contains("the role base, which is for no parameter of kind flag"));
    row.role = POSLAB_ROLE_PAIRING + 1;
    CHECK_THAT(reason_of_table(table), check::contains("the unknown role 7"));
    row.size = offsetof(poslab_parameter, usual);  // as in minors 0 to 2, which say nothing of it
    CHECK(reason_of_table(table).empty());
  }
  SECTION("axes") {
    table.most_axes = 1 << 30;
    CHECK_THAT(reason_of_table(table), check::contains("positions of 1 to 1073741824 axes, but they have 1 to 64"));
  }
}

TEST_CASE("a plugin with a title that cannot be taken is refused") {
  CHECK(reason_of_file("long_title") == "malformed table: `title` has more than 4096 bytes");
  CHECK(reason_of_file("evil_title") ==
        "malformed table: `title` holds what cannot be printed: \"a title \\u202E\\u001B[2J turned round\"");
}

TEST_CASE("what an instance declares and nobody can take is named") {
  const auto [mode, words] = GENERATE(table<const char*, const char*>({
      {"square", "weight \"w\" declares the shape 4294967296 x 4294967296: more than 1099511627776 numbers"},
      {"long_line", "weight \"w\" declares the shape 4611686018427387904: more than 1099511627776 numbers"},
      {"overflow_to_one", "weight \"w\" declares the shape 3 x 3074457345618258603: more than 1099511627776 numbers"},
      {"four_axes", "weight \"w\" declares the shape 65536 x 65536 x 65536 x 65536: more than"},
      {"negative", "weight \"w\" declares the shape -1 x -8: every extent must be 1 or more"},
      {"empty", "weight \"w\" declares the shape 0 x 4611686018427387904: every extent must be 1 or more"},
      {"rank", "weight \"w\" has a rank outside 0 to 4"},
      {"many_weights", "it declares 1001 weights, but at most 1000 are taken"},
      {"many_frequencies", "it declares 2305843009213693952 inverse frequencies, but at most 1048576 are taken"},
      {"long_name", "the name of weight 0 has more than 200 bytes"},
      {"long_sentence", "weight \"w\" has a sentence that has more than 4096 bytes"},
      {"evil_name", "the name of weight 0 holds what cannot be printed: \"\\u001B[31mred\\u000Aposlab: all"},
      {"evil_sentence", "a sentence that holds what cannot be printed: \"\\u001B[31mred\\u000Aposlab: all"},
  }));
  CAPTURE(mode);
  CHECK_THAT(reason_of_instance(mode),
             check::starts_with("scheme \"boasts\": malformed instance: ") && check::contains(words));
}

TEST_CASE("a plugin's refusal is one line that turns nothing round") {
  CHECK(reason_of_instance("plain").empty());
  CHECK(reason_of_instance("evil_refusal") ==
        "scheme \"boasts\": \\u001B[31mred\\u000Aposlab: all is well\\u202Edesrever\\u2028\\xFF");
}
