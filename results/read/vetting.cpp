// SPDX-License-Identifier: Apache-2.0
#include "read/vetting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "h5/raw_bytes.hpp"
#include "poslab/base/array.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::results {
namespace {

struct Link {
  std::string name;
  H5L_type_t type;
};

herr_t append_link(hid_t, const char* name, const H5L_info_t* info, void* client) {
  auto& links = *static_cast<std::vector<Link>*>(client);
  if (links.size() > max_objects) return 1;  // enough to refuse it
  links.push_back({name, info->type});
  return 0;
}

// To sort links HDF5 1.10 makes a table, which it frees uninitialised where reading fails.
constexpr H5_iter_order_t as_stored = H5_ITER_NATIVE;

// Names come from the file, and go to a terminal.
std::string printable_name(const std::string& name) { return base::printable(base::shortened(name, 200)); }

class Vetting {
 public:
  explicit Vetting(const std::string& path) : path_(path) {}

  void group(const h5::Handle& group, const std::string& name, int depth) {
    object(group, name);
    if (depth > deepest_group) refuse(name, fmt::format("lies in more than {} groups", deepest_group));
    std::vector<Link> links;
    h5::check(H5Literate(group, H5_INDEX_NAME, as_stored, nullptr, append_link, &links), "H5Literate");
    if (links.size() > max_objects) refuse(name, fmt::format("has more than {} objects", max_objects));
    for (const Link& link : links) child(group, link, (name == "/" ? "/" : name + "/") + link.name, depth);
  }

 private:
  [[noreturn]] void refuse(const std::string& name, const std::string& problem) const {
    throw forbidden_object(path_, name, problem);
  }

  void child(const h5::Handle& parent, const Link& link, const std::string& name, int depth) {
    if (link.type == H5L_TYPE_EXTERNAL) refuse(name, "is a link into another file");
    if (link.type == H5L_TYPE_SOFT) refuse(name, "is a soft link");
    if (link.type != H5L_TYPE_HARD) refuse(name, "is a link of a class that its maker defined");
    const h5::Handle child(H5Oopen(parent, link.name.c_str(), H5P_DEFAULT), H5Oclose, "H5Oopen");
    switch (H5Iget_type(child)) {
      case H5I_GROUP: return group(child, name, depth + 1);
      case H5I_DATASET: object(child, name); return declare(name, vet_dataset(child, name, path_));
      default: refuse(name, "is a named type");
    }
  }

  // A few kilobytes may declare what takes days to read: chunks that were never written read as fill values.
  void declare(const std::string& name, hsize_t bytes) {
    declared_ += bytes;
    const hsize_t size = std::filesystem::file_size(path_);
    if (declared_ <= std::max(unsuspicious, largest_share * size)) return;
    const auto text = [](hsize_t count) { return base::human_bytes(static_cast<double>(count)); };
    refuse(name, fmt::format("declares values of {}, with what comes before it {}: more than {} and {} times the {} of "
                             "the file",
                             text(bytes), text(declared_), text(unsuspicious), largest_share, text(size)));
  }

  // Two names of one object could make a cycle of groups, or exponential work.
  void object(const h5::Handle& object, const std::string& name) {
    H5O_info_t info;
    h5::check(H5Oget_info2(object, &info, H5O_INFO_BASIC), "H5Oget_info2");
    if (!seen_.insert(info.addr).second) refuse(name, "is a second name of another object");
    if (seen_.size() > max_objects) refuse(name, fmt::format("is more than object number {}", max_objects));
    for (const std::string& attribute : attribute_names_as_stored(object)) this->attribute(object, name, attribute);
  }

  void attribute(const h5::Handle& object, const std::string& owner, const std::string& name) {
    const h5::Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "H5Aopen");
    const h5::Handle type(H5Aget_type(attribute), H5Tclose, "H5Aget_type");
    const h5::Handle space(H5Aget_space(attribute), H5Sclose, "H5Aget_space");
    const std::string path = owner + "@" + name;
    const hsize_t count = count_of(space, path);
    const bool text = H5Tget_class(type) == H5T_STRING;
    if (!text && !is_number(type)) refuse(path, "is neither a number nor a text");
    if (text && H5Tis_variable_str(type) > 0 && count > 1) refuse(path, "is a list of texts");
    const std::size_t width = H5Tget_size(type);
    if (width == 0 || count > largest_attribute / width) refuse(path, "is larger than a mebibyte");
  }

  // HDF5's own product of the extents may have come out small.
  hsize_t count_of(const h5::Handle& space, const std::string& path) const {
    if (H5Sget_simple_extent_type(space) != H5S_SIMPLE)
      return static_cast<hsize_t>(h5::check(H5Sget_simple_extent_npoints(space), "extent of an attribute"));
    h5::Shape shape(H5S_MAX_RANK);
    shape.resize(static_cast<std::size_t>(
        h5::check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "extent of an attribute")));
    std::vector<std::int64_t> extents;
    for (const hsize_t extent : shape)
      extents.push_back(static_cast<std::int64_t>(std::min<hsize_t>(extent, largest_attribute + 1)));
    const auto count = base::checked_product(extents, largest_attribute);
    if (!count) refuse(path, "is larger than a mebibyte");
    return static_cast<hsize_t>(*count);
  }

  static bool is_number(const h5::Handle& type) {
    const H5T_class_t kind = H5Tget_class(type);
    return (kind == H5T_INTEGER || kind == H5T_FLOAT) && H5Tget_size(type) <= 8;
  }

  const std::string& path_;
  std::set<haddr_t> seen_;
  hsize_t declared_ = 0;  // max_objects of max_elements: it does not overflow
};

// Heaps are walked with addresses and sizes of eight bytes.
void vet_numbers_of_bytes(const h5::Handle& file, const std::string& path) {
  const h5::Handle creation(H5Fget_create_plist(file), H5Pclose, "H5Fget_create_plist");
  std::size_t address = 0, size = 0;
  h5::check(H5Pget_sizes(creation, &address, &size), "H5Pget_sizes");
  if (address != sizeof(std::uint64_t) || size != sizeof(std::uint64_t))
    throw forbidden_object(path, "/", "counts bytes in other numbers than those of 64 bits");
}

}  // namespace

base::FileError forbidden_object(std::string path, std::string object, std::string problem) {
  return {std::move(path), fmt::format("{} {}, which no results file of poslab has", printable_name(object), problem),
          "do not use this file unless you know who made it; poslab reads it once that object is removed",
          base::Error::Kind::damaged};
}

void vet(const h5::Handle& file, const std::string& path) {
  vet_numbers_of_bytes(file, path);
  vet_heaps(path);
  Vetting(path).group(h5::open_group(file, "/"), "/", 0);
}

}  // namespace poslab::results
