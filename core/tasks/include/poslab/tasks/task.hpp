// SPDX-License-Identifier: Apache-2.0
// A task: a source of sequences with targets, which a network is trained on and measured at.
// Dimension letters: T tokens of a sequence, V vocabulary, W width of given vectors.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/base/random.hpp"
#include "poslab/base/refusal.hpp"

namespace poslab::tasks {

using base::Index;

/// One sequence. What is to be said at token t is targets[t], where mask[t] is 1. A decoder sees tokens 0 .. t, an
/// encoder all of them: nothing is shifted by the reader.
struct Sequence {
  std::vector<std::int32_t> tokens;   ///< [T], each 0 .. V-1
  std::vector<std::int32_t> targets;  ///< [T]; 0 where the mask is 0
  std::vector<std::uint8_t> mask;     ///< [T]
  std::vector<double> vectors = {};   ///< [T, W], in place of an embedding of the tokens; empty where W is 0
  std::vector<Index> grid = {};       ///< rows and columns of the tokens, row by row; empty where they are in a line
};

/// Which part of a source: what is trained on, or what is held out. Generated sources have no end, and differ in their
/// draws alone.
enum class Part { training, held_out };

/// What guesses reach, per target. NaN: not known.
struct Bounds {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  double chance_accuracy = unknown;  ///< of the best constant answer, whatever the input and the place
  double chance_loss = unknown;      ///< nats, of the best constant distribution of answers
  double best_loss = unknown;        ///< nats, of the Bayes guess
  double best_accuracy = unknown;    ///< of the Bayes guess
  /// The accuracy of the Bayes guess that knows the token at hand and the multiset of the others that it sees, but
  /// neither their order nor its own place.
  double unordered_accuracy = unknown;
  /// Where a bound depends on the place, it is here by token [T], NaN where nothing is asked, and above is its mean
  /// over the targets; otherwise these are empty.
  std::vector<double> best_loss_at = {}, best_accuracy_at = {}, unordered_accuracy_at = {};
};

/// A task with its settings fixed. Immutable.
class Task {
 public:
  static constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();

  virtual ~Task() = default;
  virtual Index vocabulary() const = 0;  ///< V, special tokens included
  /// W: 0 where tokens are embedded, otherwise the width of the vectors that every sequence brings.
  virtual Index vector_width() const { return 0; }
  /// T of an instance of this size (tokens to copy, digits to add, tokens of a text).
  virtual Index tokens(Index size) const = 0;
  /// Why there are no instances of this size.
  virtual std::optional<base::Refusal> why_not(Index size) const = 0;
  /// The `grid` of instances of this size.
  virtual std::vector<Index> grid(Index /*size*/) const { return {}; }
  /// How many there are: `endless`, unless they come from a file.
  virtual std::uint64_t instances(Part /*part*/, Index /*size*/) const { return endless; }
  /// Instance number `i` of `draws`: a pure function of (draws, part, i, size). Both parts of a task that draws a world
  /// of its own (the classes of `retrieval`) need the same `draws`. Throws base::Error.
  virtual Sequence sample(const base::Stream& draws, Part part, std::uint64_t i, Index size) const = 0;
  virtual Bounds bounds(Index size) const = 0;

  /// What the numbers of the vocabulary stand for, where a file decides it: the characters of a text, in their order;
  /// of lines of words these, with spaces between them. Else empty.
  virtual std::string symbols() const { return ""; }

  /// Names of special kinds of held-out instances, which are not trained on: "sparse"; "first, not middle".
  virtual std::vector<std::string> probes() const { return {}; }
  /// Instance `i` of probes()[which]. Probes with the same i are matched where the task says so. Throws as `sample`.
  virtual Sequence probe(std::size_t which, const base::Stream& draws, std::uint64_t i, Index size) const;

 protected:
  void require(Index size) const;  ///< throws base::Error where why_not() says something
};

/// A task as it is declared.
struct TaskInfo {
  std::string id = {};  ///< of its file: the list of all fills it in
  std::string title, sentence, source;
  bool causal = true, bidirectional = true;  ///< which networks it means something for
  std::string size_means;                    ///< "tokens to copy"
  Index min_size = 1;
  std::string file = {};  ///< that the user gives, by its name: "text" of --data text=FILE; empty: none
  /// `contents`: those of that file, or empty; not needed any more afterwards. Throws BadFile for one that it cannot
  /// use.
  std::unique_ptr<Task> (*make)(std::string_view contents);
  /// The same of a text, over the characters of another, `symbols`. Throws BadFile if it has others, too.
  std::unique_ptr<Task> (*make_over)(std::string_view contents, std::string_view symbols) = nullptr;

  bool needs_file() const { return !file.empty(); }
};

/// In order of id. The list is made by CMake from the files of the folder: each <id>.cpp defines
/// `TaskInfo make_<id with underscores>()` in this namespace.
const std::vector<TaskInfo>& all_tasks();
const TaskInfo& find_task(const std::string& id);  ///< throws base::Error with a did-you-mean

/// A number beyond the last instance, or the last probe.
base::Error no_such_instance(const std::string& of_what, std::uint64_t i, std::uint64_t count);

/// A file that a task cannot be made of.
struct BadFile : base::Error {
  BadFile(const std::string& file, const std::string& problem, const std::string& wanted);
  std::string problem;  ///< "is empty"
};

}  // namespace poslab::tasks
