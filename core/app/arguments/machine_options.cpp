// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/arguments/machine_options.hpp"

#include <fmt/format.h>

#include "poslab/base/machine.hpp"

namespace po = boost::program_options;

namespace poslab::app {

void add_threads_option(Options& options) {
  options.add()("threads", po::value<int>()->value_name("N"), "threads to use; all processors if absent");
}

void add_memory_option(Options& options) {
  options.add()("memory", po::value<std::string>()->value_name("SIZE"),
                "memory for cells, like 8GiB; most of the free if absent");
}

void add_cell_time_option(Options& options) {
  options.add()("cell-time", po::value<double>()->default_value(3600)->value_name("SECONDS"),
                "give a cell up after this long without progress");
}

void require_between(const char* option, int value, int least, int most, const char* which) {
  if (value < least || value > most)
    throw UsageError(fmt::format("--{} is {}, but must be from {} to {}{}", option, value, least, most, which));
}

int threads_of(const po::variables_map& values) {
  const int threads = values.count("threads") > 0 ? values["threads"].as<int>() : base::processors();
  require_between("threads", threads, 1, 1024);
  return threads;
}

double cell_time_of(const po::variables_map& values) {
  const double seconds = values["cell-time"].as<double>();
  if (!(seconds > 0)) throw UsageError(fmt::format("--cell-time is {}, but must be above 0 seconds", seconds));
  return seconds;
}

double memory_of(const po::variables_map& values) {
  return values.count("memory") > 0 ? parse_bytes(values["memory"].as<std::string>()) : 0.8 * base::available_memory();
}

}  // namespace poslab::app
