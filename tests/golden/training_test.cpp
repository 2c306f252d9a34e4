// SPDX-License-Identifier: Apache-2.0
// Every golden trace of training against our networks and optimiser; and that this harness would notice.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "catch.hpp"
#include "trace.hpp"

using namespace poslab::golden;

namespace {

constexpr double band = 1e-9;  // relative, in every loss, gradient norm, final parameter and loss by position
const std::string folder = POSLAB_SOURCE_DIR "/tests/golden/";

double worst(const TraceError& error) {
  return std::max({error.loss, error.grad_norm, error.parameters, error.loss_by_position});
}

int agreeing(const std::string& file) {
  int agreed = 0;
  std::string report = "golden traces " + file + "\n";
  for (const Trace& trace : read_traces(file)) {
    const TraceError error = train_along(trace);
    const bool agrees = worst(error) <= band;
    agreed += agrees;
    report += fmt::format("  {:<9} {:<40} loss {:.1e}, norm {:.1e}, parameters {:.1e} ({}), by position {:.1e}\n",
                          agrees ? "agreed" : "differed", trace.name, error.loss, error.grad_norm, error.parameters,
                          error.worst_parameter, error.loss_by_position);
    if (!agrees) FAIL_CHECK(trace.name << " differs by " << worst(error));
  }
  std::cout << report;
  return agreed;
}

}  // namespace

// And those of a file of the same layout that the user names.
TEST_CASE("seven decoders are trained as their traces were, to 1e-9") {
  CHECK(agreeing(folder + "training.h5") == 7);
  const char* brought = std::getenv("POSLAB_GOLDEN_TRAINING");
  if (brought && *brought) CHECK(agreeing(brought) > 0);
}

TEST_CASE("ten other networks are trained as their traces were, to 1e-9") {
  CHECK(agreeing(folder + "training-variants.h5") == 10);
}

TEST_CASE("networks with ten schemes whose gradients are long to write are trained as autograd trains them, to 1e-9") {
  CHECK(agreeing(folder + "training-schemes.h5") == 10);
}

TEST_CASE("another parameter of a scheme than a trace's is noticed") {
  for (Trace trace : read_traces(folder + "training-schemes.h5")) {
    if (trace.name != "fire") continue;
    trace.attributes["parameters"] = R"({"init_l": 7.25, "mlp_width": 6})";
    CHECK(worst(train_along(trace)) > band);
  }
}

TEST_CASE("another optimiser, activation, mask or target than a trace's is noticed") {
  const std::vector<Trace> traces = read_traces(folder + "training-variants.h5");
  const auto spoilt = [&](const char* key, const Json& value) {
    Trace trace = traces.at(0);
    trace.attributes[key] = value;
    return worst(train_along(trace));
  };
  CHECK(worst(train_along(traces.at(0))) <= band);
  CHECK(spoilt("eps", 2e-8) > band);
  CHECK(spoilt("clip", 0.5) > band);
  CHECK(spoilt("weight_decay", 0.0) > band);
  CHECK(spoilt("gelu", "none") > band);
  CHECK(spoilt("causal", false) > band);
  Trace trace = traces.at(0);
  trace.mask.numbers[5] = 0;
  CHECK(worst(train_along(trace)) > band);
}
