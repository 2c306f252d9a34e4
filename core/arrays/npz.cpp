// SPDX-License-Identifier: Apache-2.0
// libzip reads the archive, through the source of bytes that the other readers have.
#include "poslab/arrays/npz.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "poslab/arrays/npy.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::arrays {

// Where libzip is in a source.
struct Reading {
  const Source* source;
  std::uint64_t at = 0;
  zip_error_t error{};
};

namespace {

zip_int64_t read_bytes(Reading& reading, void* data, zip_uint64_t wanted) {
  const std::uint64_t left = reading.source->size - std::min(reading.source->size, reading.at);
  const std::string bytes =
      reading.source->read(reading.at, static_cast<std::size_t>(std::min<std::uint64_t>(left, wanted)));
  std::memcpy(data, bytes.data(), bytes.size());
  reading.at += bytes.size();
  return static_cast<zip_int64_t>(bytes.size());
}

zip_int64_t answer(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command) {
  Reading& reading = *static_cast<Reading*>(state);
  switch (command) {
    case ZIP_SOURCE_OPEN: reading.at = 0; return 0;
    case ZIP_SOURCE_READ: try { return read_bytes(reading, data, length);
      } catch (const std::exception&) {  // nothing may be thrown through a library in C
        zip_error_set(&reading.error, ZIP_ER_READ, 0);
        return -1;
      }
    case ZIP_SOURCE_SEEK: {
      const zip_int64_t to =
          zip_source_seek_compute_offset(reading.at, reading.source->size, data, length, &reading.error);
      if (to < 0) return -1;
      reading.at = static_cast<std::uint64_t>(to);
      return 0;
    }
    case ZIP_SOURCE_TELL: return static_cast<zip_int64_t>(reading.at);
    case ZIP_SOURCE_STAT: {
      auto* const stat = static_cast<zip_stat_t*>(data);
      zip_stat_init(stat);
      stat->size = reading.source->size;
      stat->valid = ZIP_STAT_SIZE;
      return sizeof *stat;
    }
    case ZIP_SOURCE_ERROR: return zip_error_to_data(&reading.error, data, length);
    case ZIP_SOURCE_SUPPORTS:
      return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                            ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
                                            ZIP_SOURCE_SUPPORTS, -1);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE: return 0;
    default: zip_error_set(&reading.error, ZIP_ER_OPNOTSUPP, 0); return -1;
  }
}

std::string text_of(zip_error_t& error) { return base::printable(zip_error_strerror(&error)); }

// The name of an array, of a file "cos.npy".
constexpr std::string_view ending = ".npy";

}  // namespace

struct Npz::Archive {
  Reading reading;
  zip_t* zip = nullptr;
  std::vector<std::string> files;  // as they are called in the archive
  ~Archive() {
    if (zip) zip_discard(zip);
  }
};

Npz::Npz(const Source& source) : archive_(std::make_unique<Archive>()) {
  archive_->reading.source = &source;
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const bytes = zip_source_function_create(answer, &archive_->reading, &error);
  archive_->zip = bytes ? zip_open_from_source(bytes, ZIP_RDONLY | ZIP_CHECKCONS, &error) : nullptr;
  if (!archive_->zip) {
    const std::string problem = text_of(error);
    if (bytes) zip_source_free(bytes);
    zip_error_fini(&error);
    throw BadArray(fmt::format("is no whole zip archive, which a .npz file is: {}", problem));
  }
  zip_error_fini(&error);
  const zip_int64_t count = zip_get_num_entries(archive_->zip, 0);
  if (count > static_cast<zip_int64_t>(max_npz_arrays))
    throw BadArray(fmt::format("is an archive of {} files; {} are read", count, max_npz_arrays));
  std::set<std::string> seen;
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* const name = zip_get_name(archive_->zip, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW);
    if (!name) throw BadArray(fmt::format("has no name for file {} of its archive", i));
    const std::string file = name;
    if (file == "data.pkl" || file.ends_with("/data.pkl"))
      throw BadArray(fmt::format("is a file of torch.save, which only Python reads; convert it: {}", how_to_convert));
    if (!file.ends_with(ending) || file.size() == ending.size())
      throw BadArray(
          fmt::format("is an archive with {} in it, and a .npz file has .npy files alone", base::excerpt(file)));
    if (!seen.insert(file).second) throw BadArray(fmt::format("has {} twice", base::excerpt(file)));
    archive_->files.push_back(file);
  }
}

Npz::~Npz() = default;

std::vector<std::string> Npz::names() const {
  std::vector<std::string> names;
  for (const std::string& file : archive_->files) names.push_back(file.substr(0, file.size() - ending.size()));
  return names;
}

data::KeptArray Npz::read(const std::string& name, Accept accept) const {
  const std::vector<std::string> all = names();
  const auto found = std::find(all.begin(), all.end(), name);
  if (found == all.end()) throw BadArray(no_such_array(name, all));
  const auto index = static_cast<zip_uint64_t>(found - all.begin());
  zip_stat_t stat;
  if (zip_stat_index(archive_->zip, index, 0, &stat) != 0 || (stat.valid & ZIP_STAT_SIZE) == 0)
    throw BadArray(fmt::format("does not say how large {} is", base::excerpt(name)));
  if (stat.size > largest_array + (1 << 17))
    throw BadArray(fmt::format("has too large an array {}", base::excerpt(name)));
  zip_file_t* const file = zip_fopen_index(archive_->zip, index, 0);
  if (!file)
    throw BadArray(
        fmt::format("cannot be unpacked at {}: {}", base::excerpt(name), text_of(*zip_get_error(archive_->zip))));
  // What is unpacked grows as it comes: a small file may say that it holds a gigabyte.
  std::string bytes;
  std::vector<char> piece(1 << 20);
  zip_int64_t count = 0;
  while (bytes.size() <= stat.size && (count = zip_fread(file, piece.data(), piece.size())) > 0)
    bytes.append(piece.data(), static_cast<std::size_t>(count));
  const std::string problem = count < 0 ? text_of(*zip_file_get_error(file)) : "";
  zip_fclose(file);
  if (!problem.empty()) throw BadArray(fmt::format("is damaged at {}: {}", base::excerpt(name), problem));
  if (bytes.size() != stat.size)
    throw BadArray(fmt::format("says that {} has {} bytes, and it has not", base::excerpt(name), stat.size));
  try {
    return read_npy(source_of(bytes), accept);
  } catch (const BadArray& bad) {
    throw BadArray(fmt::format("{} {}", base::excerpt(name), bad.what()));
  }
}

}  // namespace poslab::arrays
