// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/engine.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "poslab/data/outcome.hpp"

namespace poslab::run {
namespace {

// In a plan of a hundred thousand cells of which the next do not fit into memory, the search ahead is bounded.
constexpr int max_considered = 1000;

class Engine {
 public:
  Engine(const study::Plan& plan, std::span<const std::size_t> indices, workers::CellExecutor& executor,
         const EngineOptions& options, OutcomeSink& sink)
      : plan_(plan), indices_(indices), executor_(executor), options_(options), sink_(sink) {
    std::vector<std::size_t> order(indices.begin(), indices.end());
    // Those that are timed last: so nothing of the run comes after them, either.
    // Scheme by scheme, since a worker performs cells of one plugin; the longest first, so that no large cell is left
    // for the end when the other threads have nothing to do.
    std::map<std::string, double> longest;  // operations, by scheme
    for (const std::size_t index : order) {
      double& most = longest[plan.cells[index].variant.scheme];
      most = std::max(most, plan.estimates[index].operations);
    }
    const auto rank = [&](std::size_t index) {
      const std::string& scheme = plan.cells[index].variant.scheme;
      return std::tuple<bool, double, const std::string&, double>(is_alone(index), -longest[scheme], scheme,
                                                                  -plan.estimates[index].operations);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    for (const std::size_t index : order)
      if (!plan.cells[index].skip) waiting_.push_back(index);
  }

  void run() {
    finish_skipped();
    for (start_what_fits(); in_flight_ > 0; start_what_fits()) {
      std::vector<workers::Finished> all_finished = executor_.wait();
      for (const workers::ProgressReport& report : executor_.progress_reports())
        sink_.progressed(report);  // before these are done
      for (workers::Finished& finished : all_finished) hand_over(std::move(finished));
      if (!told_ && was_stopped() && in_flight_ > 0) stop();
    }
  }

 private:
  bool was_stopped() const { return options_.stop && options_.stop->load(std::memory_order_relaxed); }
  bool stopped() const { return failed_ || was_stopped(); }
  bool is_alone(std::size_t index) const { return options_.alone && options_.alone(plan_.cells[index]); }

  // For another repeat, which does what they share.
  bool waits(std::size_t index) const {
    return plan_.cells[index].shares_work && sharing_.count(plan_.first_repeat(index)) > 0 &&
           !sink_.has_head_start(index);
  }

  void stop() {
    told_ = true;
    sink_.stopping(in_flight_);
    executor_.interrupt();
  }

  void finish_skipped() {
    for (const std::size_t index : indices_) {
      if (stopped()) return;
      const auto& skip = plan_.cells[index].skip;
      if (skip) sink_.not_performed(index, {data::Status::skipped, skip->reason});
    }
  }

  // Starts waiting cells until all slots are taken or the next ones do not fit into memory beside those in flight.
  void start_what_fits() {
    auto next = waiting_.begin();
    int looked_at = 0;
    while (next != waiting_.end() && in_flight_ < executor_.slots() && !stopped() && looked_at < max_considered) {
      if (in_flight_ > 0 && is_alone(*next)) return;  // so are all that come after it
      const double bytes = plan_.estimates[*next].bytes;
      if (waits(*next)) {
        ++next;
        continue;
      }
      if (in_flight_ > 0 && bytes_in_flight_ + bytes > options_.memory_budget) {
        ++next, ++looked_at;
        continue;
      }
      ++in_flight_;
      bytes_in_flight_ += bytes;
      if (plan_.cells[*next].shares_work) ++sharing_[plan_.first_repeat(*next)];
      data::CheckpointPointer checkpoint = sink_.checkpoint(*next);
      sink_.starting(*next);
      executor_.start(*next, plan_.cells[*next], std::move(checkpoint));
      next = waiting_.erase(next);
    }
  }

  void hand_over(workers::Finished finished) {
    sink_.executed(finished.index);
    --in_flight_;
    bytes_in_flight_ -= plan_.estimates[finished.index].bytes;
    if (finished.how == workers::Finished::How::interrupted) return;  // the next run goes on with it
    if (data::is_failure(finished.outcome.outcome().status) && options_.fail_fast) failed_ = true;
    start_what_fits();  // first: no worker should be idle while this outcome is stored
    if (finished.how == workers::Finished::How::performed)
      sink_.finished(finished.index, std::move(finished.outcome));
    else
      sink_.not_performed(finished.index, finished.outcome.outcome());
    if (!plan_.cells[finished.index].shares_work) return;
    const auto sharing = sharing_.find(plan_.first_repeat(finished.index));
    if (--sharing->second == 0) sharing_.erase(sharing);
  }

  const study::Plan& plan_;
  const std::span<const std::size_t> indices_;
  workers::CellExecutor& executor_;
  const EngineOptions& options_;
  OutcomeSink& sink_;
  std::list<std::size_t> waiting_;
  int in_flight_ = 0;
  double bytes_in_flight_ = 0;
  std::map<std::size_t, int> sharing_;  // repeats in flight that share work, by the first of them
  bool failed_ = false, told_ = false;
};

}  // namespace

void perform_all(const study::Plan& plan, std::span<const std::size_t> indices, workers::CellExecutor& executor,
                 const EngineOptions& options, OutcomeSink& sink) {
  Engine(plan, indices, executor, options, sink).run();
}

}  // namespace poslab::run
