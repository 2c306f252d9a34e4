// SPDX-License-Identifier: Apache-2.0
// What vetting checks of each dataset: where its values lie, how they are packed, their type and their number.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "h5/types.hpp"
#include "read/vetting.hpp"

namespace poslab::results {
namespace {

const char* filter_name(H5Z_filter_t filter) {
  switch (filter) {
    case H5Z_FILTER_DEFLATE: return "deflate";
    case H5Z_FILTER_SHUFFLE: return "shuffle";
    case H5Z_FILTER_FLETCHER32: return "fletcher32";
    default: return nullptr;
  }
}

class DatasetVetting {
 public:
  DatasetVetting(const h5::Handle& dataset, const std::string& name, const std::string& path,
                 hsize_t max_chunk = h5::largest_chunk)
      : dataset_(dataset),
        max_chunk_(max_chunk),
        name_(name),
        path_(path),
        type_(H5Dget_type(dataset), H5Tclose, "H5Dget_type"),
        creation_(H5Dget_create_plist(dataset), H5Pclose, "H5Dget_create_plist") {}

  void storage() const {
    if (h5::check(H5Pget_external_count(creation_), "H5Pget_external_count") > 0)
      refuse("keeps its values in other files");
    const H5D_layout_t layout = h5::check(H5Pget_layout(creation_), "H5Pget_layout");
    if (layout == H5D_VIRTUAL) refuse("is a virtual dataset: a view of other files");
    filters();
    if (layout == H5D_CHUNKED) chunks();
    if (H5Dget_storage_size(dataset_) > std::filesystem::file_size(path_))
      refuse("claims more bytes than the file has");
  }

  void type() const {
    const bool text = H5Tget_class(type_) == H5T_STRING;
    if (text ? H5Tis_variable_str(type_) <= 0 : !is_written_number()) refuse("has a type that poslab does not write");
  }

  hsize_t declared_bytes() const {
    hsize_t count = 1;
    for (const hsize_t extent : h5::shape_of(dataset_)) {
      if (extent != 0 && count > max_elements / extent) refuse("claims more values than poslab can write");
      count *= extent;
    }
    return count * H5Tget_size(type_);  // of 16 bytes at most: `type` has looked
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const { throw forbidden_object(path_, name_, problem); }

  // One deflate filter can unpack a byte to a thousand, two of them to a million.
  void filters() const {
    std::set<H5Z_filter_t> used;
    for (int i = 0; i < h5::check(H5Pget_nfilters(creation_), "H5Pget_nfilters"); ++i) {
      unsigned flags = 0;
      std::size_t values = 0;
      const H5Z_filter_t filter =
          H5Pget_filter2(creation_, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
      if (!filter_name(filter)) refuse(fmt::format("needs the filter {}", static_cast<int>(filter)));
      if (!used.insert(filter).second) refuse(fmt::format("has the filter {} twice", filter_name(filter)));
    }
  }

  void chunks() const {
    h5::Shape chunk(H5S_MAX_RANK);
    const int rank = h5::check(H5Pget_chunk(creation_, H5S_MAX_RANK, chunk.data()), "H5Pget_chunk");
    chunk.resize(static_cast<std::size_t>(std::min(rank, H5S_MAX_RANK)));
    hsize_t bytes = H5Tget_size(type_);
    for (const hsize_t extent : chunk) {
      if (extent == 0 || bytes > max_chunk_ / extent) refuse("has larger chunks than poslab writes");
      bytes *= extent;
    }
  }

  bool is_written_number() const {
    for (const h5::Type written :
         {h5::Type::real, h5::Type::integer, h5::Type::unsigned_integer, h5::Type::flag, h5::Type::single_real})
      if (H5Tequal(type_, h5::on_disk(written)) > 0) return true;
    return false;
  }

  const h5::Handle& dataset_;
  const hsize_t max_chunk_;
  const std::string &name_, &path_;
  h5::Handle type_, creation_;
};

}  // namespace

void vet_foreign_dataset(const h5::Handle& dataset, const std::string& name, const std::string& path) {
  constexpr hsize_t max_chunk = 2 * h5::largest_chunk;  // more than h5py chooses for a table of positions
  DatasetVetting(dataset, name, path, max_chunk).storage();
}

hsize_t vet_dataset(const h5::Handle& dataset, const std::string& name, const std::string& path) {
  const DatasetVetting vetting(dataset, name, path);
  vetting.storage();  // before the extent: to know it, HDF5 opens the files of a virtual dataset
  vetting.type();
  return vetting.declared_bytes();
}

}  // namespace poslab::results
