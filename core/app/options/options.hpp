// SPDX-License-Identifier: Apache-2.0
// The options of a command, as members of a struct: each is declared once, with its name, its sentence, the values that
// it takes, what completes them and how jobs of Slurm are handed them. Help, manual, completion and `poslab submit`
// read the same rows. Boost.Program_options takes the words apart, without guessing from prefixes.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {

/// A mistake on the command line: exit code 2 and a hint at --help.
struct UsageError : base::Error {
  explicit UsageError(const std::string& problem) : Error(Kind::argument, problem) {}
};

/// Too few words, or too many.
struct WrongWords : UsageError {
  WrongWords(std::size_t least, std::size_t most, const std::vector<std::string>& given);
  std::size_t least, most;
  std::vector<std::string> given;
};

/// What may stand next on a command line.
struct Completion {
  std::vector<std::string> words = {};
  std::vector<std::string> files = {};  ///< patterns, like *.toml: files of these names, too, and folders to look in
  bool directories = false;             ///< directories, too
};

/// What stands on it so far.
struct Typed {
  std::vector<std::string> words = {};    ///< that are no options and no values of options
  std::vector<std::string> plugins = {};  ///< directories
};
using Completer = Completion (*)(const Typed& typed);

/// A value as a job of Slurm is handed it, which starts in another directory.
using HandOver = std::string (*)(const std::string& value);

/// What is said of an option.
struct Declaration {
  std::string name;
  std::string value;  ///< what the help calls its value, "FILE"; empty: it takes none
  std::string sentence;
  Completer completer;
  HandOver to_jobs;  ///< null: jobs have no such option
  char letter;
};
inline Declaration option(std::string name, std::string value, std::string sentence, Completer completer = nullptr,
                          HandOver to_jobs = nullptr, char letter = 0) {
  return {std::move(name), std::move(value), std::move(sentence), completer, to_jobs, letter};
}
inline Declaration flag(std::string name, std::string sentence) {
  return option(std::move(name), "", std::move(sentence));
}

/// A row of the table of a command's options.
struct Row {
  Declaration declared;
  std::string heading;                           ///< in the help; empty: for poslab itself, and not shown
  std::string usual;                             ///< its value where none is given; empty: the sentence says what then
  bool repeats;                                  ///< may be given several times
  std::function<void(const std::string&)> take;  ///< throws UsageError
  std::vector<std::string> given = {};           ///< as it was typed
};

/// An amount of memory: "8GiB", "500MB", "1e9".
struct Bytes {
  double count = 0;
};

/// The value of `option` that `text` stands for. Throws UsageError.
void read(const std::string& option, const std::string& text, std::string& value);
template <class Number>
requires std::is_arithmetic_v<Number>
void read(const std::string& option, const std::string& text, Number& value);
/// Also of a few bytes without a unit.
void read(const std::string& option, const std::string& text, Bytes& value);
/// "k=v", split at the first `=`.
void read(const std::string& option, const std::string& text, std::pair<std::string, std::string>& value);
template <class T>
void read(const std::string& option, const std::string& text, std::vector<T>& values) {
  read(option, text, values.emplace_back());
}

/// Throws UsageError for a value that an option does not take.
template <class T>
using Requirement = std::function<void(const std::string& option, const T& value)>;
Requirement<double> between(double least, double most, const std::string& which = "");
Requirement<double> above_0_seconds();
/// A name that is not empty, as "$UNSET" is. `what`: "a folder".
Requirement<std::string> a_name_of(const std::string& what);
/// A file to write: it has a name, which nobody takes for that of a journal.
Requirement<std::string> output_name();

/// Which values an option takes, and which it has where none is given.
template <class T>
struct Accepted {
  std::optional<T> usual = {};
  Requirement<T> requirement = nullptr;
};
template <class T>
Accepted<T> usual(T value, std::type_identity_t<Requirement<T>> requirement = nullptr) {
  return {std::move(value), std::move(requirement)};
}
template <class T>
Accepted<T> accepted(Requirement<T> requirement) {
  return {{}, std::move(requirement)};
}

/// The words of a command that are no options; `least` .. `most` of them.
struct Words {
  static constexpr std::size_t any = static_cast<std::size_t>(-1);
  std::size_t least = 0, most = 0;
  Completer completer = nullptr;
  std::vector<std::string> given = {};
};

class Options {
 public:
  Options() = default;
  virtual ~Options() = default;
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  /// False if help is asked for, and then nothing else was looked at. Throws UsageError, and what rows throw.
  bool parse(const std::vector<std::string>& all);

  std::vector<const Row*> shown() const;  ///< to people
  const std::vector<std::string>& arguments() const { return arguments_; }
  /// Those that were given and that jobs take, as words of a command line.
  std::vector<std::string> handed_to_jobs() const;
  /// What stands after the first `--`, if the command has words that are for another program.
  const std::vector<std::string>& after_dashes() const { return after_dashes_; }

  Words words;

  /// For members: rows that are added from now on stand under this heading.
  struct Heading {
    Heading(Options* of, const char* text) { of->heading_ = text; }
  };
  Row* add(Row row);

 protected:
  /// Rows of `other` that jobs are handed, under the heading of these; they fill the members of `other`.
  void share_with_jobs(Options& other);
  bool hands_on_after_dashes_ = false;

 private:
  std::string heading_ = "options";
  std::list<Row> own_;
  std::vector<Row*> rows_;
  std::vector<std::string> arguments_, after_dashes_;
};

template <class T>
std::string usual_text(const std::optional<T>& usual) {
  if constexpr (std::is_arithmetic_v<T>)
    return usual ? base::shortest(static_cast<double>(*usual)) : "";
  else if constexpr (std::same_as<T, std::string>)
    return usual.value_or("");
  else
    return "";
}

template <class T>
class Option {
  static constexpr bool is_list = requires(T list) { list.emplace_back(); };

 public:
  Option(Options* of, const Declaration& declared, const Accepted<T>& accepted = {})
      : value_(accepted.usual.value_or(T())),
        row_(of->add({declared, "", usual_text(accepted.usual), is_list,
                      [this, name = declared.name, accepted](const std::string& text) {
                        if constexpr (std::same_as<T, bool>)
                          value_ = true;
                        else
                          read(name, text, value_);
                        if (accepted.requirement) accepted.requirement(name, value_);
                      }})) {}
  Option(const Option&) = delete;
  Option& operator=(const Option&) = delete;

  bool is_given() const { return !row_->given.empty(); }
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }

 private:
  T value_;
  Row* row_;
};

using Flag = Option<bool>;
using Text = Option<std::string>;
using Texts = Option<std::vector<std::string>>;
using Assignments = Option<std::vector<std::pair<std::string, std::string>>>;

/// "  -o, --output FILE   results file" under each heading, in 80 columns; sentences go on below themselves.
std::string options_text(const Options& options);
/// "-o, --output FILE"
std::string option_name(const Declaration& declared);
/// What is said to a word that is no option: "there is no option --thread; did you mean --threads?"
std::string no_such_option(const std::string& word, const Options& options);

}  // namespace poslab::app
