// SPDX-License-Identifier: Apache-2.0
// A results file in which objects were removed, replaced and added through HDF5's own functions: valid HDF5 that says
// anything at all. Here the readers of poslab are tested, where results_bytes rarely gets beyond the library.
#include <fuzzer/FuzzedDataProvider.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "finding.hpp"
#include "results_readers.hpp"

using namespace poslab;

namespace {

herr_t append_name(hid_t, const char* name, const H5O_info_t*, void* client) {
  static_cast<std::vector<std::string>*>(client)->emplace_back(name);
  return 0;
}

std::vector<std::string> names_in(const std::string& path) {
  std::vector<std::string> names;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, append_name, &names, H5O_INFO_BASIC);
  H5Fclose(file);
  fuzz::require(names.size() > 40, "the file to spoil cannot be read");
  names.erase(names.begin());  // "."
  return names;
}

class Vandal {
 public:
  Vandal(const std::string& path, const std::vector<std::string>& names, FuzzedDataProvider& source)
      : names_(names), source_(source), file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {}
  ~Vandal() { H5Fclose(file_); }
  Vandal(const Vandal&) = delete;
  Vandal& operator=(const Vandal&) = delete;

  void act() {
    const std::string& name = any_name();
    switch (source_.ConsumeIntegralInRange(0, 11)) {
      case 0: H5Ldelete(file_, name.c_str(), H5P_DEFAULT); break;
      case 1: H5Ldelete(file_, name.c_str(), H5P_DEFAULT), dataset(name); break;
      case 2: dataset(name + "x"); break;
      case 3: H5Lcreate_soft(any_name().c_str(), file_, (name + "s").c_str(), H5P_DEFAULT, H5P_DEFAULT); break;
      case 4: H5Lcreate_external("/dev/null", "/", file_, (name + "e").c_str(), H5P_DEFAULT, H5P_DEFAULT); break;
      case 5: H5Lcreate_hard(file_, any_name().c_str(), file_, (name + "h").c_str(), H5P_DEFAULT, H5P_DEFAULT); break;
      case 6: H5Lmove(file_, name.c_str(), file_, any_name().c_str(), H5P_DEFAULT, H5P_DEFAULT); break;
      case 7:
      case 8: attribute(name); break;
      default: overwrite(name);
    }
  }

 private:
  const std::string& any_name() { return names_[source_.ConsumeIntegralInRange<std::size_t>(0, names_.size() - 1)]; }

  double number() {
    static const std::array<double, 12> usual{0, 1, 2, -1, 0.5, 16, 1e3, 1e6, 1e18, -1e300, HUGE_VAL, NAN};
    return source_.ConsumeBool() ? usual[source_.ConsumeIntegralInRange<std::size_t>(0, usual.size() - 1)]
                                 : source_.ConsumeFloatingPoint<double>();
  }

  hid_t type() {
    static const hid_t text = [] {
      const hid_t made = H5Tcopy(H5T_C_S1);
      H5Tset_size(made, H5T_VARIABLE), H5Tset_cset(made, H5T_CSET_UTF8);
      return made;
    }();
    static const std::array<hid_t, 11> types{H5T_IEEE_F64LE,
                                             H5T_STD_I64LE,
                                             H5T_STD_U64LE,
                                             H5T_STD_U8LE,
                                             text,
                                             H5T_STD_REF_OBJ,
                                             H5T_STD_REF_DSETREG,
                                             H5T_STD_B8LE,
                                             H5T_C_S1,
                                             H5T_IEEE_F32BE,
                                             H5Tvlen_create(H5T_STD_REF_OBJ)};
    return types[source_.ConsumeIntegralInRange<std::size_t>(0, types.size() - 1)];
  }

  std::vector<hsize_t> shape() {
    static const std::array<hsize_t, 9> usual{0, 1, 2, 15, 16, 45, 4096, hsize_t{1} << 40, hsize_t{1} << 61};
    std::vector<hsize_t> extents(source_.ConsumeIntegralInRange<std::size_t>(0, 3));
    for (hsize_t& extent : extents) extent = usual[source_.ConsumeIntegralInRange<std::size_t>(0, usual.size() - 1)];
    return extents;
  }

  hid_t creation(const std::vector<hsize_t>& extents) {
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    const std::vector<hsize_t> chunk(extents.size(), source_.ConsumeBool() ? 4 : 1 << 16);
    switch (source_.ConsumeIntegralInRange(0, 5)) {
      case 0: H5Pset_external(list, "/dev/null", 0, H5F_UNLIMITED); break;
      case 1: H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data()), H5Pset_deflate(list, 9); break;
      case 2:
        H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data());
        H5Pset_deflate(list, 9), H5Pset_deflate(list, 9);
        break;
      case 3:
        H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data()), H5Pset_scaleoffset(list, H5Z_SO_INT, 0);
        break;
      case 4: {
        const hid_t space = H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
        H5Pset_virtual(list, space, "/dev/null", "x", space);
        H5Sclose(space);
        break;
      }
      default: break;
    }
    return list;
  }

  void dataset(const std::string& name) {
    const std::vector<hsize_t> extents = shape();
    const hid_t space = H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
                list = creation(extents);
    const hid_t made = H5Dcreate2(file_, name.c_str(), type(), space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (made >= 0) H5Dclose(made), overwrite(name);
    H5Pclose(list), H5Sclose(space);
  }

  // Some values of a dataset of numbers or of texts, if it is small.
  void overwrite(const std::string& name) {
    const hid_t dataset = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
    if (dataset < 0) return;
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count > 0 && count < 5000) {
      if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) {
        const std::string text = source_.ConsumeRandomLengthString(40);
        const std::vector<const char*> texts(static_cast<std::size_t>(count), text.c_str());
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data());
      } else {
        std::vector<double> numbers(static_cast<std::size_t>(count));
        H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
        for (int changes = source_.ConsumeIntegralInRange(1, 4); changes > 0; --changes)
          numbers[source_.ConsumeIntegralInRange<std::size_t>(0, numbers.size() - 1)] = number();
        H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
      }
    }
    H5Tclose(type), H5Sclose(space), H5Dclose(dataset);
  }

  void attribute(const std::string& of) {
    static const std::array<const char*, 10> names{
        "DIMENSION_LIST", "coordinates", "tolerance_absolute", "tolerance_relative", "tolerance_per_position",
        "study_hash",     "units",       "schema_version",     "_FillValue",         "tolerance_statistical"};
    const char* name = names[source_.ConsumeIntegralInRange<std::size_t>(0, names.size() - 1)];
    const hid_t object = H5Oopen(file_, source_.ConsumeProbability<float>() < 0.2F ? "/" : of.c_str(), H5P_DEFAULT);
    if (object < 0) return;
    H5Adelete(object, name);
    std::vector<hsize_t> extents = shape();
    for (hsize_t& extent : extents) extent = std::min<hsize_t>(extent, 8);
    const hid_t kind = type(), space = H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
    const hid_t made = H5Acreate2(object, name, kind, space, H5P_DEFAULT, H5P_DEFAULT);
    if (made >= 0) fill(made, kind, H5Sget_simple_extent_npoints(space)), H5Aclose(made);
    H5Sclose(space), H5Oclose(object);
  }

  void fill(hid_t attribute, hid_t kind, hssize_t count) {
    const auto size = static_cast<std::size_t>(std::max<hssize_t>(count, 0));
    if (H5Tget_class(kind) == H5T_STRING && H5Tis_variable_str(kind) > 0) {
      const std::string text = source_.ConsumeRandomLengthString(40);
      const std::vector<const char*> texts(size, text.c_str());
      H5Awrite(attribute, kind, texts.data());
    } else if (H5Tget_class(kind) == H5T_VLEN) {
      std::vector<hobj_ref_t> addresses(source_.ConsumeIntegralInRange<std::size_t>(0, 3));
      for (hobj_ref_t& address : addresses) address = source_.ConsumeIntegralInRange<hobj_ref_t>(0, 1 << 17);
      const std::vector<hvl_t> lists(size, hvl_t{addresses.size(), addresses.data()});
      H5Awrite(attribute, kind, lists.data());
    } else if (H5Tget_class(kind) == H5T_INTEGER || H5Tget_class(kind) == H5T_FLOAT) {
      const std::vector<double> numbers(size, number());
      H5Awrite(attribute, H5T_NATIVE_DOUBLE, numbers.data());
    }
  }

  const std::vector<std::string>& names_;
  FuzzedDataProvider& source_;
  hid_t file_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const fuzz::ScratchFile file;
  const std::string& good = fuzz::good_bytes();
  file.write(good.data(), good.size());
  static const std::vector<std::string> names = names_in(file.path());
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  FuzzedDataProvider source(data, size);
  const unsigned which = source.ConsumeIntegral<unsigned char>();
  {
    Vandal vandal(file.path(), names, source);
    for (int acts = 0; acts < 8 && source.remaining_bytes() > 0; ++acts) vandal.act();
  }
  fuzz::read_results(file.path(), which);
  return 0;
}
