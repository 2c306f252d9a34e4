// SPDX-License-Identifier: Apache-2.0
#include "poslab/results/trained_weights.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "h5/attribute.hpp"
#include "h5/bounds.hpp"
#include "h5/types.hpp"
#include "read/results_file.hpp"

namespace poslab::results {
namespace {

constexpr std::string_view of_scheme = "scheme.", of_network = "network.";

std::int64_t whole(const h5::Handle& group, const char* name) {
  const double number = h5::number_attribute(group, name);
  if (!(number >= 0 && number < 1e15)) h5::damaged(group, std::string("has a ") + name + " that is no whole number");
  return static_cast<std::int64_t>(number);
}

data::KeptArray array_in(const h5::Handle& group, const std::string& name, Kept kept) {
  const h5::Handle dataset = h5::open_dataset(group, name);
  data::KeptArray array;
  array.name = kept == Kept::all ? name : name.substr(of_scheme.size());  // with dots for slashes
  std::replace(array.name.begin(), array.name.end(), '.', '/');
  for (const hsize_t extent : h5::shape_of(dataset)) array.shape.push_back(static_cast<std::int64_t>(extent));
  std::vector<double> numbers = h5::read_numbers(dataset);
  const h5::Handle type(H5Dget_type(dataset), H5Tclose, "H5Dget_type");
  if (kept == Kept::all && H5Tget_size(type) == sizeof(float))
    array.values = std::vector<float>(numbers.begin(), numbers.end());
  else
    array.values = std::move(numbers);
  if (const auto refusal = data::why_not_kept(array)) h5::damaged(dataset, refusal->reason);
  return array;
}

// The name of an array, and not that of a dimension of one.
bool is_kept(const std::string& name) { return name.find('.') != std::string::npos; }

TrainedCell cell_in(const h5::Handle& group, Kept kept) {
  TrainedCell cell{h5::text_attribute(group, "experiment"),
                   h5::text_attribute(group, "scheme"),
                   h5::text_attribute(group, "variant"),
                   h5::text_attribute(group, "parameters"),
                   h5::text_attribute(group, "axes"),
                   whole(group, "d_model"),
                   whole(group, "heads"),
                   whole(group, "repeat"),
                   {h5::has_attribute(group, "title") ? h5::text_attribute(group, "title") : "", whole(group, "steps")},
                   {}};
  cell.cell = whole(group, "cell");
  for (const std::string& name : h5::links(group)) {
    const bool is_scheme = name.starts_with(of_scheme), is_network = name.starts_with(of_network);
    cell.has_network |= is_network;
    if ((is_scheme || (kept == Kept::all && is_kept(name))) && h5::is_dataset(group, name))
      cell.arrays.push_back(array_in(group, name, kept));
  }
  return cell;
}

}  // namespace

std::vector<TrainedCell> read_trained(const std::string& path, Kept kept) try {
  const h5::Silence silence;
  const h5::Handle file = open_results(path, Schemas::earlier_too);
  std::vector<TrainedCell> cells;
  if (!h5::has_link(file, "trained")) return cells;
  const h5::Handle all = h5::open_group(file, "trained");
  for (const std::string& name : h5::links(all)) cells.push_back(cell_in(h5::open_group(all, name), kept));
  return cells;
} catch (const h5::Error& error) {
  throw unreadable_results(path, error);
}

}  // namespace poslab::results
