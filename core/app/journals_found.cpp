// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/journals_found.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "poslab/base/shard.hpp"
#include "poslab/run/journal.hpp"
#include "poslab/run/shards.hpp"

namespace poslab::app {
namespace {

namespace fs = std::filesystem;

struct NamedShard {
  fs::path output;
  base::Shard shard;
};

// Whose shard a results file is by its name, if it has the name that a run would give it.
std::optional<NamedShard> shard_named(const fs::path& path) {
  static const std::regex forms[] = {std::regex(R"(([^]*)\.([0-9]{1,5})-of-([0-9]{1,5})(\.[^.]*))"),
                                     std::regex(R"(([^]*)\.([0-9]{1,5})-of-([0-9]{1,5}))")};
  const std::string name = path.filename().string();
  for (const std::regex& form : forms) {
    std::smatch parts;
    if (!std::regex_match(name, parts, form)) continue;
    const NamedShard named{path.parent_path() / (parts[1].str() + parts[4].str()),
                           {std::stoi(parts[2]), std::stoi(parts[3])}};
    const auto& [index, count] = named.shard;
    if (index >= 1 && index <= count && count <= base::most_shards &&
        run::shard_output(named.output, named.shard) == path)
      return named;
  }
  return std::nullopt;
}

// Journals of the shards of `output`: by how many shards there are, and by number.
std::map<int, std::map<int, fs::path>> shards_beside(const fs::path& output) {
  std::map<int, std::map<int, fs::path>> found;
  const std::string begin = output.stem().string() + ".";
  std::error_code unreadable;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(output.has_parent_path() ? output.parent_path() : fs::path("."), unreadable)) {
    if (entry.path().extension() != ".journal" || entry.path().filename().string().rfind(begin, 0) != 0) continue;
    const auto named = shard_named(output.parent_path() / entry.path().stem());
    if (named && named->output == output)
      found[named->shard.count][named->shard.index] = output.parent_path() / entry.path().filename();
  }
  return found;
}

class Ways {
 public:
  Way& of(const fs::path& output, int shards) {
    const auto same = std::find_if(all_.begin(), all_.end(), [&](const Way& way) {
      return way.shards == shards && way.output.lexically_normal() == output.lexically_normal();
    });
    if (same != all_.end()) return *same;
    all_.push_back({output, shards, {}, {}});
    return all_.back();
  }

  void add(Way& way, const fs::path& journal) {
    if (seen_.insert(journal.lexically_normal()).second) way.journals.push_back(journal);
  }

  // The journal of this very file, which may itself be a shard's.
  void add_one(const fs::path& output) {
    const auto named = shard_named(output);
    add(named ? of(named->output, named->shard.count) : of(output, 0), run::Journal::beside(output));
  }

  void add_all(const fs::path& output) {
    const bool has_journal = fs::exists(run::Journal::beside(output));
    if (has_journal && shard_named(output)) return add_one(output);
    const auto shards = shards_beside(output);
    if (shards.empty() || has_journal) add_one(output);
    for (const auto& [count, journals] : shards) {
      Way& way = of(output, count);
      way.missing.clear();
      for (int number = 1; number <= count; ++number)
        if (const auto journal = journals.find(number); journal != journals.end())
          add(way, journal->second);
        else
          way.missing.push_back(number);
    }
  }

  std::vector<Way> take() { return std::move(all_); }

 private:
  std::vector<Way> all_;
  std::set<fs::path> seen_;
};

}  // namespace

std::string Way::text() const { return shards == 0 ? "in one piece" : fmt::format("in {} shards", shards); }

std::vector<Way> ways_of(const std::vector<std::string>& files) {
  Ways ways;
  for (const fs::path file : files)
    if (file.extension() == ".journal")
      ways.add_one(fs::path(file).replace_extension());
    else
      ways.add_all(file.extension() == ".toml" ? fs::path(file.stem().string() + ".h5") : file);
  return ways.take();
}

}  // namespace poslab::app
