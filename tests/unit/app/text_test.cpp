// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "commands/table.hpp"
#include "poslab/data/value.hpp"
#include "terminal/text_table.hpp"

using namespace poslab;

TEST_CASE("columns align by characters, not bytes") {
  CHECK(app::text_table({{"scheme", "x"}, {"rope ± 1", "2"}, {"a", "10"}}, 1, 80) ==
        "  scheme     x\n  rope ± 1   2\n  a         10\n");
}

TEST_CASE("a table that is too wide continues below, with its key columns again") {
  CHECK(app::text_table({{"s", "one", "two"}, {"a", "1", "2"}}, 1, 9) == "  s  one\n  a    1\n\n  s  two\n  a    2\n");
}

TEST_CASE("a picture shows its range") {
  const double numbers[] = {0, 1, 2, 4};
  const std::string text = app::picture("m", {numbers, {2, 2}}, 10, 10);
  CHECK(text == "m\n   ░\n  ▒█\n  2 rows x 2 columns; ' ' is 0, '█' is 4\n");
}

TEST_CASE("a picture of a matrix that is too large shows entries of it, those of the diagonal among them") {
  constexpr base::Index N = 30;
  std::vector<double> distances(N * N);
  for (base::Index i = 0; i < N; ++i)
    for (base::Index j = 0; j < N; ++j) distances[static_cast<std::size_t>(i * N + j)] = i == j ? 0 : -8;
  const std::string text = app::picture("m", {distances.data(), {N, N}}, 8, 15);
  // 1 column in 2, and 1 row in 4: each third row has its entry of the diagonal, which no mean would show.
  std::string expected = "m\n";
  for (base::Index i = 0; i < N; i += 4) {
    expected += "  ";
    for (base::Index j = 0; j < N; j += 2) expected += i == j ? "█" : " ";
    expected += "\n";
  }
  CHECK(text.starts_with(expected + "  30 rows x 30 columns; ' ' is -8, '█' is 0\n"));
  const std::string below = text.substr(expected.size());
  CHECK_THAT(below, check::contains("one entry") && check::contains("1 row in 4") && check::contains("1 column in 2"));
}

TEST_CASE("a picture's range is that of all entries, also of those that are not drawn") {
  const double numbers[] = {0, 9, 1, 0, 0, 1};
  const std::string text = app::picture("m", {numbers, {1, 6}}, 1, 3);
  CHECK_THAT(text, check::contains("'█' is 9") && check::contains("every row") && check::contains("1 column in 2"));
}

TEST_CASE("words become values of parameters") {
  CHECK(std::get<std::int64_t>(data::parse_value("8")) == 8);
  CHECK(std::get<double>(data::parse_value("1e4")) == 1e4);
  CHECK(std::get<bool>(data::parse_value("true")));
  CHECK(std::get<std::string>(data::parse_value("half-split")) == "half-split");
  CHECK(std::get<std::vector<double>>(data::parse_value("1,2.5")) == std::vector<double>{1, 2.5});
}
