// SPDX-License-Identifier: Apache-2.0
#include "poslab/identify/dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "poslab/arrays/npy.hpp"
#include "poslab/arrays/npz.hpp"
#include "poslab/arrays/safetensors.hpp"
#include "poslab/base/find_by.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/results/trained_weights.hpp"

namespace poslab::identify {
namespace {

constexpr const char* what_to_do =
    "dump arrays with numpy.save, numpy.savez or safetensors.numpy.save_file, a few thousand positions of them";

DumpArray widened(const std::string& name, const data::KeptArray& array) {
  DumpArray out{name, {array.shape.begin(), array.shape.end()}, {}};
  out.numbers.reserve(array.size());
  std::visit([&](const auto& list) { out.numbers.assign(list.begin(), list.end()); }, array.values);
  return out;
}

template <class Container>
Dump all_of(const Container& file) {
  Dump dump;
  std::size_t numbers = 0;
  for (const std::string& name : file.names()) {
    dump.arrays.push_back(widened(name, file.read(name, arrays::Accept::reals_and_whole)));
    numbers += dump.arrays.back().numbers.size();
    if (numbers > max_dump_numbers) break;  // and refused
  }
  return dump;
}

// HDF5 opens the file by its name.
struct Hdf5File {
  std::string path;
  std::vector<std::string> names() const { return results::dataset_names(path); }
  data::KeptArray read(const std::string& name, arrays::Accept) const { return results::read_dataset(path, name); }
};

Dump read(const arrays::Source& source, const std::string& stem) {
  switch (arrays::format_of(source)) {
    case arrays::Format::npy: return {{widened(stem, arrays::read_npy(source, arrays::Accept::reals_and_whole))}};
    case arrays::Format::npz: {
      Dump dump = all_of(arrays::Npz(source));
      dump.is_in_order = true;
      return dump;
    }
    case arrays::Format::safetensors: return all_of(arrays::Safetensors(source));
    case arrays::Format::pickle:
      throw arrays::BadArray(
          fmt::format("is a pickle, which may run any code and is not read; convert it: {}", arrays::how_to_convert));
    case arrays::Format::hdf5:
    case arrays::Format::unknown: break;
  }
  throw arrays::BadArray("is no .npy, .npz, .safetensors or HDF5 file");
}

}  // namespace

std::vector<Index> without_ones(std::vector<Index> shape) {
  std::erase(shape, 1);
  return shape;
}

const DumpArray* Dump::find(const std::string& name) const { return base::find_by(arrays, &DumpArray::name, name); }

Dump read_dump(const std::string& path) {
  const base::RegularFile file(path, what_to_do);
  const arrays::Source source = arrays::source_of(file);
  try {
    if (arrays::format_of(source) == arrays::Format::hdf5) return all_of(Hdf5File{path});
    return read(source, std::filesystem::path(path).stem().string());
  } catch (const arrays::BadArray& bad) {
    throw base::FileError(path, bad.what(), what_to_do);
  }
}

void require_usable(const Dump& dump) {
  std::size_t numbers = 0;
  for (const DumpArray& array : dump.arrays) {
    if (array.numbers.empty())
      throw BadDump(fmt::format("{} has no numbers: one of its extents is 0", base::excerpt(array.name)));
    numbers += array.numbers.size();
    if (numbers > max_dump_numbers)
      throw BadDump(
          fmt::format("the dump has more than {} numbers; the first few thousand positions of a few heads show "
                      "as much",
                      max_dump_numbers));
    const auto none = std::find_if(array.numbers.begin(), array.numbers.end(), [](double x) { return std::isnan(x); });
    if (none != array.numbers.end())
      throw BadDump(fmt::format("{} is NaN at number {}: what was dumped is no encoding that anything could be said of",
                                base::excerpt(array.name), none - array.numbers.begin()));
  }
  if (numbers == 0) throw BadDump("the dump has no arrays");
}

}  // namespace poslab::identify
