// SPDX-License-Identifier: Apache-2.0
// What a check works with in its child: the plugin, its variants one by one, and a line to the parent.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "poslab/base/error.hpp"
#include "poslab/check/check.hpp"
#include "subject.hpp"

namespace poslab::check {

/// How the line to the parent begins that says so.
inline constexpr const char* wrong_request = "wrong request: ";

/// A check that failed, with the sentence that says why.
struct Failed : base::Error {
  using base::Error::Error;
};
/// A check that has nothing to look at, with the sentence that says why.
struct NotPerformed : base::Error {
  using base::Error::Error;
};

class Trial {
 public:
  Trial(const Request& request, const std::function<void(std::string)>& say) : request_(request), say_(say) {}

  const std::filesystem::path& file() const { return request_.file; }
  const std::shared_ptr<const host::Plugin>& plugin();
  const base::Values& given();  ///< parameters that the user fixed
  std::vector<Variant> variants();

  /// Tells the parent where we are, for the case that we do not come back.
  void at(const std::string& where);
  /// Runs `body` on every variant that the plugin makes, for positions of every number of axes up to three. What fails
  /// is reported with the variant. Variants whose weights are very large are left out.
  void for_each_subject(const std::function<void(const Subject&)>& body);
  /// "5 variants (2 more refused, 1 too large)", after for_each_subject.
  std::string scope() const;
  int subjects() const { return subjects_; }

 private:
  void with_variant(const Variant& variant, const std::function<void(const Subject&)>& body);

  const Request& request_;
  const std::function<void(std::string)>& say_;
  std::shared_ptr<const host::Plugin> plugin_;
  std::unique_ptr<base::Values> given_;
  int subjects_ = 0, refused_ = 0, too_large_ = 0;
};

/// A check: its body returns the sentence of success, or throws Failed or NotPerformed.
struct Check {
  const char* name;
  const char* sentence;
  std::string (*body)(Trial&);
  bool is_gate = false;  ///< later checks rest on it
};

}  // namespace poslab::check
