// SPDX-License-Identifier: Apache-2.0
// fuzz_seeds FOLDER: writes the seeds of the targets that do not read text, one folder for each target.
#include <elf.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "poslab/data/pack.hpp"
#include "poslab/journal/shard_journal.hpp"
#include "results_readers.hpp"
#include "sample.hpp"

using namespace poslab;

namespace {

class Folder {
 public:
  Folder(const std::filesystem::path& parent, const char* target) : path_(parent / target) {
    std::filesystem::create_directories(path_);
  }
  void add(const std::string& bytes) {
    std::ofstream(path_ / ("seed-" + std::to_string(count_++)), std::ios::binary) << bytes;
  }

 private:
  std::filesystem::path path_;
  int count_ = 0;
};

// The body of a record: the target computes the checksum if the first byte is even.
std::string body(const std::string& packed) { return '\0' + packed.substr(16); }

std::string smallest_library() {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64, header.e_ident[EI_DATA] = ELFDATA2LSB, header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN, header.e_machine = EM_X86_64, header.e_version = EV_CURRENT;
  header.e_phoff = header.e_ehsize = sizeof header, header.e_phentsize = sizeof(Elf64_Phdr), header.e_phnum = 1;
  Elf64_Phdr segment{};
  segment.p_type = PT_LOAD, segment.p_filesz = sizeof header + sizeof segment;
  std::string bytes(sizeof header + sizeof segment, '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, &segment, sizeof segment);
  return bytes;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::filesystem::path root = arguments[1];
  const sample::Run run = sample::make_run(), grid = sample::make_grid_run();
  Folder records(root, "record"), results(root, "results_bytes"), libraries(root, "library");
  for (const sample::Run* each : {&run, &grid}) {
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}, each->cells.size() - 1}) {
      records.add(body(data::pack(each->cells[i])));
      records.add(body(data::pack(each->outcomes[i])));
    }
    records.add(body(data::pack(each->description.experiments.front())));
    records.add(body(data::pack(each->description.schemes.front())));
    journal::ShardRecord shard{{1, 1}, "title", "hash", "0.1.0", "plan", 1};
    shard.experiments = each->description.experiments, shard.schemes = each->description.schemes;
    shard.cells = {each->cells.front()}, shard.indices = {0}, shard.provenance = {{"study", "text"}};
    records.add(body(journal::pack(shard)));
  }
  data::Outcome kept = run.outcomes.front();
  kept.record.keep("scheme/table/0", {2}, std::vector<float>{1, 2});
  records.add(body(data::pack(kept)));
  records.add(body(data::pack(data::GivenWeights{"trained on copy, 10 steps", kept.record.kept()})));
  Folder arrays(root, "arrays");
  const std::string numbers(32, '\1'), header = "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }\n",
                                       json = R"({"w":{"dtype":"F16","shape":[2,8],"data_offsets":[0,32]}})";
  arrays.add(std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header + numbers);
  arrays.add(std::string(1, static_cast<char>(json.size())) + std::string(7, '\0') + json + numbers);
  records.add(body(data::pack(run.expectations.front().expectation)));
  constexpr std::size_t seal = 80;  // a checksum over all that a fuzzer changes would be the end of every input
  results.add(fuzz::good_bytes().substr(0, fuzz::good_bytes().size() - seal));
  libraries.add(smallest_library());
  return 0;
}
