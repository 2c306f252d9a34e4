// SPDX-License-Identifier: Apache-2.0
// A scheme from outside, a Python file here, is found at the usual numbers that it declares.
#include <cstdlib>
#include <fstream>

#include "catch.hpp"
#include "dumps.hpp"
#include "scratch.hpp"

using namespace poslab;

namespace {

// Positions repeat after some number of them, which nothing but `usual` suggests.
std::shared_ptr<const host::Plugin> sawtooth(const std::filesystem::path& file, const std::string& usual) {
  std::ofstream(file) << "import numpy, poslab\n"
                         "@poslab.define(id='sawtooth')\n"
                         "class Sawtooth:\n"
                         "    teeth = poslab.integer(5, at_least=1"
                      << usual
                      << ")\n"
                         "    def encode(self, positions, d_model):\n"
                         "        return positions[:, None] % self.teeth * (1 + numpy.arange(d_model))\n";
  return host::Plugin::open(file);
}

}  // namespace

TEST_CASE("a scheme from outside is found at the usual numbers that it declares") {
  setenv("POSLAB_PYTHON", POSLAB_PYTHON, 1);  // which has NumPy
  const check::Scratch scratch;
  dumps::DumpArray table{"pe", {300, 8}, {}};
  for (int n = 0; n < 300; ++n)
    for (int d = 1; d <= 8; ++d) table.numbers.push_back(n % 37 * d);
  const auto named = [&](const std::string& file, const std::string& usual) {
    const auto plugin = sawtooth(scratch / file, usual);
    return identify::identify({{table}}, {}, {plugin});
  };
  const identify::Verdict verdict = named("declared.py", ", usual=[12, 37]");
  CHECK(verdict.kind == identify::Verdict::Kind::certain);
  REQUIRE(verdict.named);
  CHECK(verdict.named->named.parameters == data::Values{{"teeth", std::int64_t{37}}});
  CHECK(named("silent.py", "").kind == identify::Verdict::Kind::nothing);
}
