// SPDX-License-Identifier: Apache-2.0
// An experiment with long cells, for tests alone: its number is the end of a walk that no shortcut reaches, and every
// step is told to a pipe, so that a test knows which were taken twice.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "poslab/base/error.hpp"
#include "poslab/experiment/declare.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments {
namespace {

struct Walk {
  std::int64_t step = 0;
  double place = 0;

  void go_on() {
    ++step;
    place = 3.9 * place * (1 - place);  // chaotic: one bit changes everything
  }
};

// What an attempt goes on from: the walk, and as many bytes more as the study asks for.
std::string packed(const Walk& walk, std::int64_t kibibytes) {
  std::string bytes(sizeof walk + static_cast<std::size_t>(kibibytes) * 1024, static_cast<char>(walk.step));
  std::memcpy(bytes.data(), &walk, sizeof walk);
  return bytes;
}

Walk walk_of(const ExperimentInput& input) {
  Walk walk{0, 0.5 + 0.4 * std::tanh(input.draws.normal("place", {1}).flat()[0])};
  const std::string& bytes = input.attempt.checkpoint();
  if (bytes.empty()) return walk;
  if (bytes.size() < sizeof walk) throw base::Error("a checkpoint that no walk has kept");
  std::memcpy(&walk, bytes.data(), sizeof walk);
  return walk;
}

// "4711 2 17": process, walk, step; to whoever reads.
void tell(const ExperimentInput& input, std::int64_t step) {
  const char* path = std::getenv("POSLAB_TEST_STEPS");
  if (!path) return;
  const int pipe = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (pipe < 0) return;
  const std::string line = fmt::format("{} {} {}\n", getpid(), input.axes.integer("walk"), step);
  static_cast<void>(write(pipe, line.data(), line.size()) < 0);
  close(pipe);
}

[[noreturn]] void hang() {
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

// At the step that the study names; `..._once` only where the attempt has not begun from a checkpoint.
void get_into_trouble(const ExperimentInput& input, std::int64_t step) {
  if (step != input.axes.integer("at")) return;
  const std::string& trouble = input.axes.text("trouble");
  const bool began_anew = input.attempt.checkpoint().empty();
  if (trouble == "hangs" || (trouble == "hangs_once" && began_anew)) hang();
  if (trouble == "crashes" || (trouble == "crashes_once" && began_anew)) std::raise(SIGSEGV);
  if (trouble == "fails") throw base::Error(fmt::format("there is no way on from step {}", step));
}

data::Record run(const ExperimentInput& input) {
  const std::int64_t steps = input.axes.integer("steps"), kibibytes = input.axes.integer("kibibytes");
  const std::chrono::milliseconds pause(input.axes.integer("milliseconds"));
  Walk walk = walk_of(input);
  while (walk.step < steps) {
    walk.go_on();
    tell(input, walk.step);
    get_into_trouble(input, walk.step);
    std::this_thread::sleep_for(pause);
    const auto done = static_cast<std::uint64_t>(walk.step);
    if (input.attempt.progress({done, static_cast<std::uint64_t>(steps), 100 * done,
                                fmt::format("step {} of {}, place {:.2f}", walk.step, steps, walk.place)}))
      input.attempt.keep(packed(walk, kibibytes));
  }
  data::Record record;
  record.scalar("place", walk.place);
  return record;
}

std::string never(const host::Scheme& /*scheme*/, const data::Values& /*axes*/, const data::Placement& /*placement*/) {
  return "";
}

data::Estimate estimate(const host::Scheme& /*scheme*/, const data::Values& axes,
                        const data::Placement& /*placement*/) {
  return {1e6, static_cast<double>(axes.integer("steps"))};
}

base::Index train_length(const data::Values& /*axes*/) { return 1; }

Experiment make_counts_steps() {
  data::ExperimentInfo info;
  info.id = "counts-steps";
  info.version = "1.0";
  info.title = "Counts steps";
  info.question = "where does a walk of so many steps end?";
  info.axes = {
      Axis{.name = "walk", .default_value = std::int64_t{1}, .sentence = "one of several at once"},
      Axis{.name = "steps", .default_value = std::int64_t{100}, .range = from_one, .sentence = "steps of a cell"},
      Axis{.name = "milliseconds", .default_value = std::int64_t{2}, .sentence = "that a step takes at least"},
      Axis{.name = "kibibytes", .default_value = std::int64_t{0}, .sentence = "that a checkpoint has at least"},
      Axis{.name = "at", .default_value = std::int64_t{0}, .sentence = "the step at which the trouble begins"},
      Axis{.name = "trouble",
           .choices = {"none", "hangs", "hangs_once", "crashes", "crashes_once", "fails"},
           .sentence = "what becomes of the cell there"}};
  info.measures = {{.name = "place",
                    .sentence = "where the walk ends",
                    .definition = "3.9 x (1 - x), again and again",
                    .null_value = "none",
                    .tolerance = exact()}};
  return {std::move(info), never, estimate, run, train_length};
}

}  // namespace

const std::vector<Experiment>& all_experiments() {
  static const std::vector<Experiment> all{make_counts_steps()};
  return all;
}

}  // namespace poslab::experiments
