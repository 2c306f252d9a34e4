// SPDX-License-Identifier: Apache-2.0
// Every file that must not become a plugin, and the reason that a person reads.
#include <sys/stat.h>

#include "catch.hpp"
#include "faults.hpp"
#include "poslab/host/library.hpp"

using namespace poslab;
using poslab::test::bytes_of;
using poslab::test::fault;
using poslab::test::TemporaryDirectory;

namespace {

// The reason for which `file` is refused; "" if it is taken.
std::string reason_for(const std::filesystem::path& file) {
  try {
    host::Plugin::open(file);
  } catch (const host::PluginRefused& refused) {
    CHECK(refused.file == file);
    CHECK_THAT(refused.what(), check::contains(file.string()) && check::contains(refused.reason));
    return refused.reason;
  }
  return "";
}

}  // namespace

TEST_CASE("a right plugin is taken, and its table becomes catalogue entries") {
  const auto plugin = host::Plugin::open(fault("toy"));
  const data::SchemeInfo& info = plugin->info();
  CHECK(info.id == "toy");
  CHECK(info.family == data::Family::contextual);
  CHECK(info.most_axes == 2);
  CHECK(info.file == fault("toy").string());
  CHECK(info.file_hash.size() == 64);
  REQUIRE(info.parameters.size() == 5);
  CHECK(info.parameter("gain")->range.text() == "greater than 0 and at most 10");
  CHECK(info.parameter("gain")->default_value == data::Value(0.5));
  CHECK(info.parameter("mode")->choices.size() == 11);
  CHECK(info.parameter("mode")->default_value == data::Value("plain"));
  CHECK(info.parameter("limit")->default_value == data::Value());
  CHECK(info.parameter("flip")->default_value == data::Value(true));
  CHECK(info.parameter("list")->default_value == data::Value(std::vector<double>{1.5, 2.5}));
}

TEST_CASE("files that the loader cannot be trusted with are refused before it sees them") {
  const TemporaryDirectory directory;
  const std::string whole = bytes_of(fault("toy"));
  CHECK(reason_for(directory.path() / "missing.so") == "No such file or directory");
  CHECK(reason_for(directory.add("text.so", "this is no library, but it is long enough to hold a header of one")) ==
        "not an ELF library");
  CHECK(reason_for(directory.add("empty.so", "")) == "not an ELF library: the file is empty");
  std::filesystem::create_directory(directory.path() / "directory.so");
  CHECK(reason_for(directory.path() / "directory.so") == "is a directory, not a regular file");
  REQUIRE(mkfifo((directory.path() / "fifo.so").c_str(), 0600) == 0);
  CHECK(reason_for(directory.path() / "fifo.so") == "is a FIFO, not a regular file");
  for (const std::size_t count :
       {std::size_t{4}, std::size_t{63}, std::size_t{64}, std::size_t{4096}, whole.size() / 2, whole.size() - 1}) {
    CAPTURE(count);
    CHECK_THAT(reason_for(directory.add("cut.so", whole.substr(0, count))),
               check::starts_with("truncated: it has " + std::to_string(count) + " bytes of at least "));
  }
  std::string other = whole;
  other[18] = static_cast<char>(0xB7), other[19] = 0;  // e_machine
  CHECK_THAT(reason_for(directory.add("arm.so", other)), check::starts_with("built for AArch64, but this machine is "));
  other = whole;
  other[4] = 1;  // ELFCLASS32
  CHECK(reason_for(directory.add("narrow.so", other)) == "a 32-bit library, but this program has 64 bits");
  other = whole;
  other[16] = 1;  // ET_REL
  CHECK(reason_for(directory.add("object.so", other)) == "an ELF file, but not a shared library");
}

TEST_CASE("libraries that are no plugins, or not for this host") {
  CHECK_THAT(reason_for(fault("undefined_symbol")), check::contains("undefined symbol: function_that_nobody_defines"));
  CHECK_THAT(reason_for(fault("no_symbol")),
             check::contains("exports no symbol poslab_plugin_v1") && check::contains("POSLAB_SCHEME(...)"));
  CHECK_THAT(reason_for(fault("newer_minor")),
             check::contains("version 1.65535") && check::contains("speaks 1." + std::to_string(POSLAB_MINOR)));
  CHECK_THAT(reason_for(fault("other_major")),
             check::contains("version 2." + std::to_string(POSLAB_MINOR)) && check::contains("build the plugin again"));
  CHECK_THAT(reason_for(fault("short_struct")),
             check::contains("40 bytes") && check::contains(std::to_string(sizeof(poslab_plugin))));
}

TEST_CASE("tables that break a rule name it") {
  const auto [name, words] = GENERATE(table<const char*, const char*>({
      {"null_id", "`id` is null"},
      {"bad_id", "\"My Toy\" is not lower-case-with-hyphens"},
      {"null_name", "must be named in lower_case"},
      {"capital_name", "\"Gain\" must be named in lower_case"},
      {"reserved_name", "\"position\" has a name that results files reserve"},
      {"duplicate_name", "\"limit\" is declared twice"},
      {"default_outside", "\"gain\" is 0, but must be greater than 0"},
      {"usual_outside", "parameter \"gain\" has a usual number outside its range: \"gain\" is 11, but must be"},
  }));
  CHECK_THAT(reason_for(fault(name)), check::contains("malformed table: ") && check::contains(words));
}
