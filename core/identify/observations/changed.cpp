// SPDX-License-Identifier: Apache-2.0
// Observations as a slip would have changed them.
#include <cmath>

#include "observation.hpp"

namespace poslab::identify {
namespace {

class Divided final : public Observation {
 public:
  Divided(std::shared_ptr<const Observation> of, double factor)
      : Observation(of->kind(), of->caption()), of_(std::move(of)), factor_(factor) {
    std::vector<double> numbers = of_->numbers();
    for (double& x : numbers) x /= factor;
    set(of_->rows(), of_->columns(), std::move(numbers));
  }
  bool suits(const host::Scheme& scheme) const override { return of_->suits(scheme); }
  void predict(const Candidate& candidate, const Setting& setting, Index first, Index count,
               std::span<double> out) const override {
    of_->predict(candidate, setting, first, count, out);
  }
  double size(Index row, Index column) const override { return of_->size(row, column) / std::abs(factor_); }
  Place place(Index row, Index column) const override { return of_->place(row, column); }
  bool by_position() const override { return of_->by_position(); }
  bool relative() const override { return of_->relative(); }

 private:
  std::shared_ptr<const Observation> of_;
  double factor_;
};

class AtOtherPositions final : public Observation {
 public:
  AtOtherPositions(std::shared_ptr<const Observation> of, std::function<double(double)> map)
      : Observation(of->kind(), of->caption()), of_(std::move(of)), map_(std::move(map)) {
    set(of_->rows(), of_->columns(), of_->numbers());
  }
  bool suits(const host::Scheme& scheme) const override { return of_->suits(scheme); }
  void predict(const Candidate& candidate, const Setting& setting, Index first, Index count,
               std::span<double> out) const override {
    Array<double> positions(setting.positions.rank, setting.positions.shape);
    for (Index i = 0; i < setting.positions.size(); ++i) positions.data()[i] = map_(setting.positions.data[i]);
    of_->predict(candidate, {positions, setting.context}, first, count, out);
  }
  double size(Index row, Index column) const override { return of_->size(row, column); }
  Place place(Index row, Index column) const override { return of_->place(row, column); }
  bool by_position() const override { return of_->by_position(); }
  bool is_of_position_alone() const override { return of_->is_of_position_alone(); }
  bool relative() const override { return of_->relative(); }

 private:
  std::shared_ptr<const Observation> of_;
  std::function<double(double)> map_;
};

}  // namespace

std::shared_ptr<const Observation> divided(std::shared_ptr<const Observation> of, double factor) {
  return std::make_shared<Divided>(std::move(of), factor);
}

std::shared_ptr<const Observation> at_other_positions(std::shared_ptr<const Observation> of,
                                                      std::function<double(double)> map) {
  return std::make_shared<AtOtherPositions>(std::move(of), std::move(map));
}

}  // namespace poslab::identify
