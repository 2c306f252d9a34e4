// SPDX-License-Identifier: Apache-2.0
// Gradients written by hand against those that are derived.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "calls/make_call.hpp"
#include "calls/place.hpp"
#include "gradients/gradients.hpp"
#include "list.hpp"
#include "poslab/base/count.hpp"
#include "poslab/host/python.hpp"

namespace poslab::check {
namespace {

// The library with the same scheme and derived gradients, where a build has put one beside.
std::filesystem::path derived_twin(const std::filesystem::path& file) {
  const std::filesystem::path absolute = std::filesystem::absolute(file).lexically_normal();
  return absolute.parent_path().parent_path() / "derived" / absolute.filename();
}

}  // namespace

std::string check_by_hand(Trial& trial) {
  if (host::is_python(trial.file())) throw NotPerformed("a Python file has no second library beside it");
  const std::filesystem::path file = derived_twin(trial.file());
  if (!std::filesystem::exists(file)) throw NotPerformed("no library with derived gradients lies at " + file.string());
  const auto twin = host::Plugin::open(file);
  int compared = 0;
  trial.for_each_instance([&](const Instance& instance) {
    const Instance derived(twin, instance.variant(), instance.axes());
    for (const Operation operation : instance.operations())
      for (const Point& point : gradient_points())
        for (const int side : sides_of(instance, operation)) {
          if (!instance.has_gradient(operation)) continue;
          Call ours = gradient_call(instance, inputs_at(instance, point, side), operation, POSLAB_F64, side),
               theirs = ours;
          instance.invoke(ours);
          derived.invoke(theirs);
          const std::vector<Member> a = members_of(ours), b = members_of(theirs);
          for (std::size_t m = 0; m < a.size(); ++m) {
            if (!a[m].is_output) continue;
            const std::vector<double>&x = a[m].tensor->numbers, &y = b[m].tensor->numbers;
            const double most = 1e-12 * std::max(largest_magnitude(x), largest_magnitude(y));
            for (std::size_t i = 0; i < x.size(); ++i) {
              if (!(std::abs(x[i] - y[i]) <= most) && !(std::isnan(x[i]) && std::isnan(y[i])))
                throw Failed(fmt::format("at {}: {}, {}: {:.17g} by hand, {:.17g} derived{}", point.name, name_of(ours),
                                         entry_text(ours, a[m], i), x[i], y[i], gap_text(x[i], y[i], most)));
            }
            ++compared;
          }
        }
  });
  return fmt::format("{} in {} agree within 1e-12", base::counted(compared, "array"), trial.scope());
}

}  // namespace poslab::check
