// SPDX-License-Identifier: Apache-2.0
// One check of one plugin, performed in a child: the plugin, its variants one by one, and lines to the parent.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "failure.hpp"
#include "instance.hpp"
#include "poslab/check/check.hpp"

namespace poslab::check {

class Trial {
 public:
  /// `plugin`: as an earlier check has opened it; null: none has, and this one keeps there what it opens.
  Trial(const Request& request, const std::function<void(std::string)>& say,
        std::shared_ptr<const host::Plugin>& plugin)
      : request_(request), say_(say), plugin_(plugin) {}

  const std::filesystem::path& file() const { return request_.file; }
  const std::shared_ptr<const host::Plugin>& plugin();
  const data::Values& given();  ///< parameters that the user fixed
  std::vector<Variant> variants();
  /// Those of the request; else the usual ones, of which a wider one replaces the first where the variant that is asked
  /// for is refused on it.
  const std::vector<host::Model>& models();
  bool names_models() const { return !request_.models.empty(); }

  /// Runs `body` on every variant that the plugin makes, for positions of every number of axes up to three. A failure
  /// names the variant. Variants whose weights are very large are left out.
  void for_each_instance(const std::function<void(const Instance&)>& body);
  /// "5 variants (2 refused, 1 too large to check)", after for_each_instance.
  std::string scope() const;

  /// Lines to the parent. `at`: what comes next, in case the child does not survive it.
  void at(const std::string& where);
  void outside(const std::string& access);  ///< see FaultReport
  void warn(const std::string& sentence);
  void unclaimed(const Unclaimed& unclaimed);
  /// Should the time end from now on, the check counts as not performed; an empty sentence takes that back.
  void if_stopped(const std::string& sentence);

 private:
  void with_variant(const Variant& variant, const std::function<void(const Instance&)>& body);
  void with_instance(const Instance& instance, const std::function<void(const Instance&)>& body);

  const Request& request_;
  const std::function<void(std::string)>& say_;
  std::shared_ptr<const host::Plugin>& plugin_;
  std::unique_ptr<data::Values> given_;
  std::vector<host::Model> models_;
  int instances_ = 0, refused_ = 0, too_large_ = 0;
};

}  // namespace poslab::check
