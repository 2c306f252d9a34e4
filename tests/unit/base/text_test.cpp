// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "catch.hpp"
#include "poslab/base/array.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

using namespace poslab::base;

TEST_CASE("did_you_mean finds slips and keeps quiet otherwise") {
  const std::vector<std::string> axes{"length", "d_model", "heads"};
  CHECK(did_you_mean("lenght", axes) == "; did you mean \"length\"?");
  CHECK(did_you_mean("head", axes) == "; did you mean \"heads\"?");
  CHECK(did_you_mean("colour", axes).empty());
  const std::vector<std::string> schemes{"none", "rope", "alibi"};
  CHECK(nearest("RoPE", schemes) == "rope");  // as its paper writes it
  CHECK(nearest("ALiBi", schemes) == "alibi");
  CHECK(nearest("Potato", schemes).empty());
  CHECK(nearest("tfirst", {"TFirst", "second"}) == "TFirst");
}

TEST_CASE("numbers read back") {
  CHECK(shortest(0.1) == "0.1");
  CHECK(shortest(10000) == "10000");
  CHECK(shortest(1e-12) == "1e-12");
  CHECK(shortest(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("sha256 of known texts") {
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK_THROWS_AS(sha256_of_file("/does/not/exist"), FileError);
}

TEST_CASE("arrays are aligned, zero-filled and viewed without copies") {
  Array<float> array{3, 4, 5};
  CHECK(reinterpret_cast<std::uintptr_t>(array.data()) % 64 == 0);
  array(2, 3, 4) = 7;
  CHECK(array.view()[2](3, 4) == 7);
  CHECK(array.view().rows(1, 2)(1, 3, 4) == 7);
  CHECK(array.copy()(2, 3, 4) == 7);
  CHECK(Array<double>{0, 5}.size() == 0);
}

TEST_CASE("text in quotes, as JSON and TOML read it, and a word of others within a sentence") {
  CHECK(quoted("a \"b\" \\ c\n\x1b\x7f \xc3\xa9") == "\"a \\\"b\\\" \\\\ c\\u000a\\u001b\\u007f \xc3\xa9\"");
  CHECK(excerpt("wpe\x1b") == "\"wpe\\u001B\"");
  CHECK(excerpt(std::string(200, 'x')) == "\"" + std::string(100, 'x') + "...\"");
  CHECK(excerpt(std::string(99, 'x') + "é") == "\"" + std::string(99, 'x') + "é\"");
}

TEST_CASE("texts of others reach a terminal without control characters") {
  CHECK(printable("a\x1b[31mred\x7f\r\n") == "a\\u001B[31mred\\u007F\\u000D\\u000A");
  CHECK(printable("two\nlines\t\x1b", LineBreaks::kept) == "two\nlines\t\\u001B");
  CHECK(printable("caf\xc3\xa9 \xe2\x80\x93 \xf0\x9f\x8c\x8d") == "caf\xc3\xa9 \xe2\x80\x93 \xf0\x9f\x8c\x8d");
  CHECK(printable("\xc2\x9b"
                  "2J \xc2\xa0") == "\\u009B2J \xc2\xa0");  // CSI as UTF-8 writes it
  CHECK(printable("\x9b\x9b"
                  "2J \xe9") == "\\x9B\\x9B2J \\xE9");                      // and as Latin-1 does
  CHECK(printable("\xe2\x80") == "\\xE2\\x80");                             // a character that is cut short
  CHECK(printable("\xc0\x8a\xe0\x80\x8a") == "\\xC0\\x8A\\xE0\\x80\\x8A");  // longer than it need be
  CHECK(printable("\xed\xa0\x80\xf4\x90\x80\x80") == "\\xED\\xA0\\x80\\xF4\\x90\\x80\\x80");  // no characters
  CHECK(printable(std::string_view("a\0b", 3)) == "a\\u0000b");
  CHECK(printable("") == "");
}

TEST_CASE("texts of others reach a terminal without what turns, breaks or hides a line") {
  for (const auto& [text, shown] : std::vector<std::pair<std::string, std::string>>{{"\u202a", "\\u202A"},
                                                                                    {"\u202b", "\\u202B"},
                                                                                    {"\u202c", "\\u202C"},
                                                                                    {"\u202d", "\\u202D"},
                                                                                    {"\u202e", "\\u202E"},
                                                                                    {"\u2066", "\\u2066"},
                                                                                    {"\u2067", "\\u2067"},
                                                                                    {"\u2068", "\\u2068"},
                                                                                    {"\u2069", "\\u2069"},
                                                                                    {"\u200e", "\\u200E"},
                                                                                    {"\u200f", "\\u200F"},
                                                                                    {"\u061c", "\\u061C"},
                                                                                    {"\u2028", "\\u2028"},
                                                                                    {"\u2029", "\\u2029"},
                                                                                    {"\ufeff", "\\uFEFF"}}) {
    CHECK(printable("a" + text + "b") == "a" + shown + "b");
    CHECK(printable("a" + text + "b", LineBreaks::kept) == "a" + shown + "b");
  }
  const std::string beside = "\u200d\u2010\u2027\u202f\u2065\u206a\u061b\u061d\ufefe\U0001F600\U0010FFFD";
  CHECK(printable(beside) == beside);
}

TEST_CASE("texts are shortened between characters") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcd", 3) == "abc...");
  CHECK(shortened("ab\xc3\xa9", 3) == "ab\xc3\xa9");
  CHECK(shortened("ab\xc3\xa9x", 3) == "ab\xc3\xa9...");
}

TEST_CASE("durations are told in units that fit them") {
  CHECK(human_seconds(0.25) == "0.2 s");
  CHECK(human_seconds(59) == "59 s");
  CHECK(human_seconds(61) == "1 min 1 s");
  CHECK(human_seconds(3 * 3600 + 120) == "3 h 2 min");
  CHECK(human_seconds(95 * 3600) == "95 h 0 min");
  CHECK(human_seconds(10 * 24 * 3600) == "10.0 days");
  CHECK(human_seconds(1e30) == "3.2e+22 years");
}

TEST_CASE("a file's name is no option of the program that is given it") {
  CHECK(operand("a.h5") == "a.h5");
  CHECK(operand("-a.h5") == "./-a.h5");
  CHECK(operand("/-a.h5") == "/-a.h5");
  CHECK(shell_words({"poslab", "report", operand("-my run.h5")}) == "poslab report './-my run.h5'");
}
