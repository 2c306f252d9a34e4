// SPDX-License-Identifier: Apache-2.0
#include "poslab/journal/partitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "poslab/base/count.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/data/shard.hpp"
#include "poslab/journal/journal.hpp"

namespace poslab::journal {
namespace {

namespace fs = std::filesystem;

struct NamedShard {
  fs::path output;
  data::Shard shard;
};

// The shard that a results file holds, by the name that a run gives it; nothing if it has another name.
std::optional<NamedShard> shard_of(const fs::path& path) {
  static const std::regex forms[] = {std::regex(R"(([^]*)\.([0-9]{1,5})-of-([0-9]{1,5})(\.[^.]*))"),
                                     std::regex(R"(([^]*)\.([0-9]{1,5})-of-([0-9]{1,5}))")};
  const std::string name = path.filename().string();
  for (const std::regex& form : forms) {
    std::smatch parts;
    if (!std::regex_match(name, parts, form)) continue;
    const NamedShard named{path.parent_path() / (parts[1].str() + parts[4].str()),
                           {std::stoi(parts[2]), std::stoi(parts[3])}};
    const auto& [index, count] = named.shard;
    if (index >= 1 && index <= count && count <= data::max_shards &&
        data::shard_output(named.output, named.shard) == path)
      return named;
  }
  return std::nullopt;
}

// The journals of the shards of `output`: by the number of shards, and by the index of the shard.
std::map<int, std::map<int, fs::path>> shards_beside(const fs::path& output) {
  std::map<int, std::map<int, fs::path>> found;
  const std::string begin = output.stem().string() + ".";
  std::error_code unreadable;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(output.has_parent_path() ? output.parent_path() : fs::path("."), unreadable)) {
    if (entry.path().extension() != ".journal" || entry.path().filename().string().rfind(begin, 0) != 0) continue;
    const auto named = shard_of(output.parent_path() / entry.path().stem());
    if (named && named->output == output)
      found[named->shard.count][named->shard.index] = output.parent_path() / entry.path().filename();
  }
  return found;
}

// However a file is named, from here or from the root.
fs::path same_for_all(const fs::path& path) {
  std::error_code unreadable;
  const fs::path canonical = fs::weakly_canonical(fs::absolute(path, unreadable), unreadable);
  return canonical.empty() ? path.lexically_normal() : canonical;
}

class Partitions {
 public:
  Partition& of(const fs::path& output, int shards) {
    const auto same = std::find_if(all_.begin(), all_.end(), [&](const Partition& partition) {
      return partition.shards == shards && same_for_all(partition.output) == same_for_all(output);
    });
    if (same != all_.end()) return *same;
    all_.push_back({output, shards, {}, {}});
    return all_.back();
  }

  void add(Partition& partition, const fs::path& journal) {
    if (seen_.insert(same_for_all(journal)).second) partition.journals.push_back(journal);
  }

  // The journal of this file alone, which may itself hold a shard.
  void add_one(const fs::path& output) {
    const auto named = shard_of(output);
    add(named ? of(named->output, named->shard.count) : of(output, 0), Journal::beside(output));
  }

  void add_all(const fs::path& output) {
    const bool has_journal = base::is_there(Journal::beside(output));
    if (has_journal && shard_of(output)) return add_one(output);
    const auto shards = shards_beside(output);
    if (shards.empty() || has_journal) add_one(output);
    for (const auto& [count, journals] : shards) {
      Partition& partition = of(output, count);
      partition.missing.clear();
      for (int index = 1; index <= count; ++index)
        if (const auto journal = journals.find(index); journal != journals.end())
          add(partition, journal->second);
        else
          partition.missing.push_back(index);
    }
  }

  std::vector<Partition> take() { return std::move(all_); }

 private:
  std::vector<Partition> all_;
  std::set<fs::path> seen_;
};

}  // namespace

std::string Partition::text() const { return shards == 0 ? "in one piece" : "in " + base::counted(shards, "shard"); }

std::vector<Partition> partitions_of(const std::vector<std::string>& files) {
  Partitions partitions;
  for (const fs::path file : files)
    if (file.extension() == ".journal")
      partitions.add_one(fs::path(file).replace_extension());
    else
      partitions.add_all(file.extension() == ".toml" ? fs::path(file.stem().string() + ".h5") : file);
  return partitions.take();
}

}  // namespace poslab::journal
