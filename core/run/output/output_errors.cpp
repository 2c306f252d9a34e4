// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/output_errors.hpp"

#include <fmt/format.h>

#include <string_view>

namespace poslab::run {
namespace {

constexpr std::string_view ourselves = "poslab: ";

// What a child said, without our own name and the end of the line.
std::string sentence_of(std::string error_output) {
  error_output.erase(0, ourselves.size());
  while (!error_output.empty() && error_output.back() == '\n') error_output.pop_back();
  return error_output;
}

// A sanitizer, too, ends a process with an exit code.
std::string problem_of(const std::string& path, const process::Ended& reader) {
  if (reader.how == process::End::timed_out)
    return path + ": cannot be read: it takes HDF5 for ever" + process::left_text(reader);
  if (reader.how == process::End::killed)
    return fmt::format("{}: cannot be read: HDF5 ends its process with {}", path, process::signal_text(reader.code));
  if (!reader.error_output.starts_with(ourselves))
    return fmt::format("{}: cannot be read: HDF5 ends its process with exit code {}", path, reader.code);
  return sentence_of(reader.error_output);  // which names the file
}

std::string problem_of(OutputTaken::By by, std::size_t given, std::size_t planned) {
  switch (by) {
    case OutputTaken::By::table: return "holds a table";
    case OutputTaken::By::another_study:
      return "holds the results of another study, and its journal knows no cell of this one";
    case OutputTaken::By::unknown_cells:
      return "holds results that are neither this study's nor in the journal beside it, and would be lost";
    case OutputTaken::By::changed_study:
      return "holds the results of another study, or of this one before it was changed";
    case OutputTaken::By::whole_study:
      return fmt::format("holds all cells of this study, and these shards only {} of its {}", given, planned);
    case OutputTaken::By::the_study: return "is the study itself";
    case OutputTaken::By::a_shard: return "is one of the shards";
  }
  return "is taken";
}

const char* remedy_of(OutputTaken::By by) {
  const bool is_input = by == OutputTaken::By::the_study || by == OutputTaken::By::a_shard;
  return is_input ? "choose another file with -o" : "choose another file with -o, or replace it with --fresh";
}

}  // namespace

OutputUnreadable::OutputUnreadable(const std::string& path_, const process::Ended& reader_,
                                   const std::string& what_to_do)
    : Error(fmt::format("{}; {}", problem_of(path_, reader_), what_to_do)), path(path_), reader(reader_) {}

OutputTaken::OutputTaken(const std::string& path_, By by_, std::size_t given_, std::size_t planned_)
    : FileError(path_, problem_of(by_, given_, planned_), remedy_of(by_)), by(by_), given(given_), planned(planned_) {}

}  // namespace poslab::run
