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
#include <tuple>

#include "poslab/base/error.hpp"
#include "poslab/experiment/definition.hpp"

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

enum class Trouble { none, hangs, hangs_once, crashes, crashes_once, fails };

struct CountsSteps final : Definition {
  static constexpr About about{.id = "counts-steps",
                               .version = "1.0",
                               .title = "Counts steps",
                               .question = "where does a walk of so many steps end?"};

  std::int64_t walk, steps, milliseconds, kibibytes, at;
  Trouble trouble;
  static Axes<CountsSteps> axes() {
    return {
        {&CountsSteps::walk, {.name = "walk", .default_value = 1, .sentence = "one of several at once"}},
        {&CountsSteps::steps,
         {.name = "steps", .default_value = 100, .range = from_one, .sentence = "steps of a cell"}},
        {&CountsSteps::milliseconds,
         {.name = "milliseconds", .default_value = 2, .sentence = "that a step takes at least"}},
        {&CountsSteps::kibibytes,
         {.name = "kibibytes", .default_value = 0, .sentence = "that a checkpoint has at least"}},
        {&CountsSteps::at, {.name = "at", .default_value = 0, .sentence = "the step at which the trouble begins"}},
        {&CountsSteps::trouble,
         {.name = "trouble",
          .choices = {{Trouble::none, "none"},
                      {Trouble::hangs, "hangs"},
                      {Trouble::hangs_once, "hangs_once"},
                      {Trouble::crashes, "crashes"},
                      {Trouble::crashes_once, "crashes_once"},
                      {Trouble::fails, "fails"}},
          .sentence = "what becomes of the cell there"}},
    };
  }

  static constexpr Scalar place{.name = "place",
                                .sentence = "where the walk ends",
                                .definition = "3.9 x (1 - x), again and again",
                                .null_value = "none",
                                .tolerance = exact()};
  static constexpr std::tuple measures{place};

  base::Index model_train_length() const override { return 1; }
  data::Estimate estimate(const Setting&) const override { return {1e6, static_cast<double>(steps)}; }
  void run(const ExperimentInput& input, Output& out) const override {
    Walk here = walk_of(input);
    while (here.step < steps) {
      here.go_on();
      tell(here.step);
      get_into_trouble(here.step, input.attempt.checkpoint().empty());
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      const auto done = static_cast<std::uint64_t>(here.step);
      if (input.attempt.progress({done, static_cast<std::uint64_t>(steps), 100 * done,
                                  fmt::format("step {} of {}, place {:.2f}", here.step, steps, here.place)}))
        input.attempt.keep(packed(here, kibibytes));
    }
    out.set(place, here.place);
  }

 private:
  // "4711 2 17": process, walk, step; to whoever reads.
  void tell(std::int64_t step) const {
    const char* path = std::getenv("POSLAB_TEST_STEPS");
    if (!path) return;
    const int pipe = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (pipe < 0) return;
    const std::string line = fmt::format("{} {} {}\n", getpid(), walk, step);
    static_cast<void>(write(pipe, line.data(), line.size()) < 0);
    close(pipe);
  }
  // At the step that the study names; `..._once` only where the attempt has not begun from a checkpoint.
  void get_into_trouble(std::int64_t step, bool began_anew) const {
    if (step != at) return;
    while (trouble == Trouble::hangs || (trouble == Trouble::hangs_once && began_anew))
      std::this_thread::sleep_for(std::chrono::seconds(1));
    if (trouble == Trouble::crashes || (trouble == Trouble::crashes_once && began_anew)) std::raise(SIGSEGV);
    if (trouble == Trouble::fails) throw base::Error(fmt::format("there is no way on from step {}", step));
  }
};

}  // namespace

const std::vector<Experiment>& all_experiments() {
  static const std::vector<Experiment> all{experiment_of<CountsSteps>()};
  return all;
}

}  // namespace poslab::experiments
