// SPDX-License-Identifier: Apache-2.0
#include "h5/measure_attributes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "h5/bounds.hpp"
#include "h5/description.hpp"
#include "poslab/base/text.hpp"

namespace poslab::results {
namespace {

using data::Tolerance;

struct Writer {
  h5::Attributes& attributes;
  void operator()(const std::string& name, const std::string& text) const { attributes.emplace_back(name, text); }
  void operator()(const std::string& name, double number) const { attributes.emplace_back(name, number); }
  void operator()(const std::string& name, bool flag) const {
    attributes.emplace_back(name, static_cast<std::uint8_t>(flag));
  }
  void operator()(const std::string& name, const Tolerance& tolerance) const {
    data::for_each_part(tolerance, [&](const char* part, const auto& value) { (*this)(name + part, value); });
  }
  void operator()(const std::string& name, const std::optional<Tolerance>& tolerance) const {
    if (tolerance) (*this)(name, *tolerance);
  }
};

struct Reader {
  const h5::Handle& dataset;
  void operator()(const std::string& name, std::string& text) const {
    const std::string said = h5::has_attribute(dataset, first_of(name)) ? first_of(name) : name;
    text = h5::has_attribute(dataset, said) ? h5::text_attribute(dataset, said) : "";
  }
  // Where the declared text is if `name` has what the CF conventions mean by it. A unit of UDUNITS has no second word.
  static std::string first_of(const std::string& name) {
    if (name == "units") return h5::unit_name;
    return name == "long_name" ? h5::description : name;
  }
  void operator()(const std::string& name, double& number) const {
    if (!h5::has_attribute(dataset, name)) return;
    number = h5::number_attribute(dataset, name);
    if (!std::isfinite(number) || number < 0)  // under which everything would be equal
      h5::damaged(dataset, fmt::format("has a {} of {}, which is no tolerance", name, base::shortest(number)));
  }
  void operator()(const std::string& name, bool& flag) const {
    if (h5::has_attribute(dataset, name)) flag = h5::number_attribute(dataset, name) != 0;
  }
  void operator()(const std::string& name, Tolerance& tolerance) const {
    data::for_each_part(tolerance, [&](const char* part, auto& value) { (*this)(name + part, value); });
  }
  void operator()(const std::string& name, std::optional<Tolerance>& tolerance) const {
    if (h5::has_attribute(dataset, name + "_absolute")) (*this)(name, tolerance.emplace());
  }
};

}  // namespace

h5::Attributes attributes_of(const data::MeasureInfo& measure, const std::string& coordinates) {
  h5::Attributes attributes;
  data::for_each_description(measure, Writer{attributes});
  attributes.emplace_back("_FillValue", std::numeric_limits<double>::quiet_NaN());
  attributes.emplace_back("coordinates", coordinates);
  data::for_each_bound(measure, Writer{attributes});
  return attributes;
}

bool is_measure(const h5::Handle& dataset) { return h5::has_attribute(dataset, "tolerance_absolute"); }

data::MeasureInfo read_measure(const h5::Handle& dataset) {
  data::MeasureInfo measure;
  data::for_each_description(measure, Reader{dataset});
  data::for_each_bound(measure, Reader{dataset});
  return measure;
}

}  // namespace poslab::results
