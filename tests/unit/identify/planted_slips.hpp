// SPDX-License-Identifier: Apache-2.0
// Every slip that can be made of a subject.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planted_making.hpp"

namespace planted {

Array<double> mapped(const Array<double>& positions, const std::function<double(double)>& map);
/// Other values of parameters.
Named with(const Named& variant, const poslab::data::Values& changes);
/// Parameters left to their defaults.
Named without(const Named& variant, const std::vector<std::string>& names);

class Slips {
 public:
  explicit Slips(const Subject& subject)
      : subject_(subject),
        usual_(subject, subject.variant),
        shown_(shown_of(subject, usual_, subject.positions)),
        info_(usual_.scheme().info()) {}
  std::vector<Planted> all();

 private:
  bool is(Shows shows) const { return subject_.shows == shows; }
  const poslab::data::Value* parameter(const std::string& name) const { return subject_.variant.parameters.find(name); }
  Planted& add(const std::string& slip, const Shown& shown, std::vector<Slip::Kind> kinds,
               std::optional<double> amount = {});
  Planted& add_variant(const std::string& slip, const Named& variant, std::vector<Slip::Kind> kinds = {});
  Shown at(const Array<double>& positions) const { return shown_of(subject_, usual_, positions); }
  void positions();
  Shown times(double factor) const;
  void arrays();
  Numbers turned() const;
  // The last bucket begins one key later.
  Numbers moved_edge() const;
  void parameters();
  void sides();
  // Cosines laid out for one pairing, channels paired by the other.
  Numbers mixed(Side side, const Array<double>& x) const;
  // Each plane at the position where its angle is what 16 bits make of it.
  Shown by_plane(const std::function<double(double p, double w)>& angle) const;
  void precision();
  Numbers of_half_tables(Side side, const Array<double>& x) const;

  const Subject& subject_;
  Making usual_;
  Shown shown_;
  const poslab::data::SchemeInfo& info_;
  std::vector<Planted> found_;
};

}  // namespace planted
