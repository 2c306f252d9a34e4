// SPDX-License-Identifier: Apache-2.0
#include "vetting.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "poslab/base/error.hpp"
#include "poslab/base/printable.hpp"
#include "raw.hpp"
#include "types.hpp"

namespace poslab::results {
namespace {

struct Link {
  std::string name;
  H5L_type_t type;
};

herr_t append_link(hid_t, const char* name, const H5L_info_t* info, void* client) {
  auto& links = *static_cast<std::vector<Link>*>(client);
  if (links.size() > most_objects) return -1;
  links.push_back({name, info->type});
  return 0;
}

// In whatever order they are stored: to sort them HDF5 1.10 makes a table, which it frees unwritten where reading fails.
constexpr H5_iter_order_t as_stored = H5_ITER_NATIVE;

// Names come from the file, and go to a terminal.
std::string harmless(const std::string& name) {
  const std::string text = base::printable(name);
  return text.size() <= 200 ? text : text.substr(0, 200) + "...";
}

const char* filter_name(H5Z_filter_t filter) {
  switch (filter) {
    case H5Z_FILTER_DEFLATE: return "deflate";
    case H5Z_FILTER_SHUFFLE: return "shuffle";
    case H5Z_FILTER_FLETCHER32: return "fletcher32";
    default: return nullptr;
  }
}

class Vetting {
 public:
  explicit Vetting(const std::string& path) : path_(path), file_size_(std::filesystem::file_size(path)) {}

  void group(const h5::Handle& group, const std::string& name, int depth) {
    object(group, name);
    if (depth > deepest_group) refuse(name, "lies in too many groups");
    std::vector<Link> links;
    h5::check(H5Literate(group, H5_INDEX_NAME, as_stored, nullptr, append_link, &links), "H5Literate");
    for (const Link& link : links) child(group, link, (name == "/" ? "/" : name + "/") + link.name, depth);
  }

 private:
  [[noreturn]] void refuse(const std::string& name, const std::string& problem) const {
    throw base::FileError(
        path_, fmt::format("{} {}, which no results file of poslab has", harmless(name), problem),
        "do not use this file unless you know who made it; poslab reads it once that object is removed");
  }

  void child(const h5::Handle& parent, const Link& link, const std::string& name, int depth) {
    if (link.type == H5L_TYPE_EXTERNAL) refuse(name, "is a link into another file");
    if (link.type == H5L_TYPE_SOFT) refuse(name, "is a soft link");
    if (link.type != H5L_TYPE_HARD) refuse(name, "is a link of a class that its maker defined");
    const h5::Handle child(H5Oopen(parent, link.name.c_str(), H5P_DEFAULT), H5Oclose, "H5Oopen");
    switch (H5Iget_type(child)) {
      case H5I_GROUP: return group(child, name, depth + 1);
      case H5I_DATASET: return dataset(child, name);
      default: refuse(name, "is a type that stands by itself");
    }
  }

  // Two names of one object could be a circle of groups, or work without end.
  void object(const h5::Handle& object, const std::string& name) {
    H5O_info_t info;
    h5::check(H5Oget_info2(object, &info, H5O_INFO_BASIC), "H5Oget_info2");
    if (!seen_.insert(info.addr).second) refuse(name, "is a second name of another object");
    if (seen_.size() > most_objects) refuse(name, fmt::format("is more than object number {}", most_objects));
    for (const std::string& attribute : attribute_names_as_stored(object)) this->attribute(object, name, attribute);
  }

  void attribute(const h5::Handle& object, const std::string& owner, const std::string& name) {
    const h5::Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "H5Aopen");
    const h5::Handle type(H5Aget_type(attribute), H5Tclose, "H5Aget_type");
    const h5::Handle space(H5Aget_space(attribute), H5Sclose, "H5Aget_space");
    const std::string place = owner + "@" + name;
    const auto count = static_cast<hsize_t>(h5::check(H5Sget_simple_extent_npoints(space), "extent of an attribute"));
    const bool text = H5Tget_class(type) == H5T_STRING;
    if (!text && !is_number(type)) refuse(place, "is neither a number nor a text");
    if (text && H5Tis_variable_str(type) > 0 && count > 1) refuse(place, "is a list of texts");
    const std::size_t width = H5Tget_size(type);
    if (width == 0 || count > largest_attribute / width) refuse(place, "is larger than a mebibyte");
  }

  void dataset(const h5::Handle& dataset, const std::string& name) {
    object(dataset, name);
    storage(dataset, name);  // before the extent: to know it, HDF5 opens the files of a virtual dataset
    const h5::Handle type(H5Dget_type(dataset), H5Tclose, "H5Dget_type");
    if (!is_written(type)) refuse(name, "has a type that poslab does not write");
    const h5::Shape shape = h5::shape_of(dataset);
    if (shape.size() > 8) refuse(name, fmt::format("has {} axes", shape.size()));
    hsize_t count = 1;
    for (const hsize_t extent : shape) {
      if (extent != 0 && count > most_elements / extent) refuse(name, "claims more values than poslab can write");
      count *= extent;
    }
    elements_ += count;
    if (elements_ > most_elements) refuse(name, "is the last of more values than poslab can write");
  }

  void storage(const h5::Handle& dataset, const std::string& name) {
    const h5::Handle creation(H5Dget_create_plist(dataset), H5Pclose, "H5Dget_create_plist");
    if (h5::check(H5Pget_external_count(creation), "H5Pget_external_count") > 0)
      refuse(name, "keeps its values in other files");
    const H5D_layout_t layout = h5::check(H5Pget_layout(creation), "H5Pget_layout");
    if (layout == H5D_VIRTUAL) refuse(name, "is a virtual dataset: a view of other files");
    filters(creation, name);
    if (layout == H5D_CHUNKED) chunks(dataset, creation, name);
    const hsize_t stored = H5Dget_storage_size(dataset);
    if (stored > file_size_ - stored_) refuse(name, "claims more bytes than the file has");
    stored_ += stored;
  }

  // One deflate makes a thousand bytes of one, two of them a million.
  void filters(const h5::Handle& creation, const std::string& name) {
    std::set<H5Z_filter_t> used;
    for (int i = 0; i < h5::check(H5Pget_nfilters(creation), "H5Pget_nfilters"); ++i) {
      unsigned flags = 0;
      std::size_t values = 0;
      const H5Z_filter_t filter =
          H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
      if (!filter_name(filter)) refuse(name, fmt::format("needs the filter {}", static_cast<int>(filter)));
      if (!used.insert(filter).second) refuse(name, fmt::format("has the filter {} twice", filter_name(filter)));
    }
  }

  void chunks(const h5::Handle& dataset, const h5::Handle& creation, const std::string& name) {
    h5::Shape chunk(32);
    const int rank = h5::check(H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), "H5Pget_chunk");
    const h5::Handle type(H5Dget_type(dataset), H5Tclose, "H5Dget_type");
    hsize_t bytes = H5Tget_size(type);
    for (int axis = 0; axis < rank && axis < static_cast<int>(chunk.size()); ++axis) {
      const hsize_t extent = chunk[static_cast<std::size_t>(axis)];
      if (extent == 0 || bytes > h5::largest_chunk / extent) refuse(name, "has larger chunks than poslab writes");
      bytes *= extent;
    }
  }

  static bool is_number(const h5::Handle& type) {
    const H5T_class_t kind = H5Tget_class(type);
    return (kind == H5T_INTEGER || kind == H5T_FLOAT) && H5Tget_size(type) <= 8;
  }

  static bool is_written(const h5::Handle& type) {
    if (H5Tget_class(type) == H5T_STRING) return H5Tis_variable_str(type) > 0;
    for (const h5::Type written : {h5::Type::real, h5::Type::integer, h5::Type::unsigned_integer, h5::Type::flag})
      if (H5Tequal(type, h5::on_disk(written)) > 0) return true;
    return false;
  }

  const std::string& path_;
  hsize_t file_size_, stored_ = 0, elements_ = 0;
  std::set<haddr_t> seen_;
};

}  // namespace

void vet(const h5::Handle& file, const std::string& path) { Vetting(path).group(h5::open_group(file, "/"), "/", 0); }

}  // namespace poslab::results
