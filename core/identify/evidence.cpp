// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N positions, A axes of a position, H heads, K head width, D model width, P planes, B batches.
#include "poslab/identify/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "observation.hpp"
#include "poslab/base/printable.hpp"
#include "roles.hpp"

namespace poslab::identify {
namespace {

constexpr double masked = -1e4;  // a bias below it is a mask: float16's own is -65504

std::string shape_text(const std::vector<Index>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }
std::string with_shape(const DumpArray& array) { return base::printable(array.name) + " " + shape_text(array.shape); }

[[noreturn]] void refuse(const DumpArray& array, const std::string& what) {
  throw BadDump(fmt::format("{} has the shape {}, and {}", base::excerpt(array.name), shape_text(array.shape), what));
}

// How the axes of arrays of heads lie, and whether logits are looked at behind the query.
struct Reading {
  bool heads_first = true;
  bool causal = false;
  std::optional<double> scale = {};  // on q.k; else the scheme's own
};

class Reader {
 public:
  Reader(const Dump& dump, const Request& request) : request_(request), roles_(roles_of(dump, request)) {}

  std::vector<Evidence> all() {
    for (const ArrayRole& r : roles_)
      if (r.role != Role::weight && r.array->numbers.empty()) refuse(*r.array, "it has no numbers");
    find_length();
    std::vector<Evidence> found;
    std::string problem;
    for (const Reading& reading : possible_readings()) try {
        found.push_back(read(reading));
      } catch (const BadDump& bad) {
        if (problem.empty()) problem = bad.what();
      }
    if (found.empty()) throw BadDump(problem);
    return found;
  }

 private:
  const DumpArray* array(Role role) const {
    for (const ArrayRole& r : roles_)
      if (r.role == role) return r.array;
    return nullptr;
  }

  // How many positions there are, where an array says it whatever the order of its axes.
  void find_length() {
    if (request_.positions) N_ = request_.positions->extent(0);
    if (const DumpArray* given = array(Role::positions); given && !N_) {
      const std::vector<Index> shape = without_ones(*given);
      N_ = shape.empty() ? 1 : shape.size() == 1 ? shape[0] : std::max(shape[0], shape[1]);
    }
    for (const Role role : {Role::cosines, Role::sines})
      if (const DumpArray* a = array(role); a && !N_ && a->rank() >= 2) N_ = rows_of(*a);
    for (const Role role : {Role::logits, Role::bias})
      if (const DumpArray* a = array(role); a && !N_ && a->rank() >= 1) N_ = a->shape.back();
  }
  static std::vector<Index> without_ones(const DumpArray& a) {
    std::vector<Index> shape;
    for (const Index extent : a.shape)
      if (extent != 1) shape.push_back(extent);
    return shape;
  }
  static Index rows_of(const DumpArray& a) {
    const std::vector<Index> shape = without_ones(a);
    return shape.size() < 2 ? 1 : shape[shape.size() - 2];
  }

  std::vector<Reading> possible_readings() const {
    std::vector<bool> orders{true}, masks{false};
    for (const Role role : {Role::query, Role::key})
      if (const DumpArray* a = array(role); a && a->rank() >= 3) {
        const Index X = a->shape[a->rank() - 3], Y = a->shape[a->rank() - 2];
        if (N_ && Y == *N_ && X != *N_)
          orders = {true};
        else if (N_ && X == *N_ && Y != *N_)
          orders = {false};
        else if (X != 1 && Y != 1)
          orders = {true, false};
        break;
      }
    for (const Role role : {Role::bias, Role::logits})
      if (const DumpArray* a = array(role); a && a->rank() >= 2 && a->shape.back() == a->shape[a->rank() - 2])
        masks = {false, true};
    if (array(Role::outputs)) masks = {true, false};
    std::vector<std::optional<double>> scales{std::nullopt};
    if (array(Role::logits) || array(Role::outputs)) scales.emplace_back(1.0);
    std::vector<Reading> readings;
    for (const bool order : orders)
      for (const bool causal : masks)
        for (const auto& scale : scales) readings.push_back({order, causal, scale});
    return readings;
  }

  Evidence read(const Reading& reading) {
    evidence_ = Evidence();
    evidence_.causal = reading.causal;
    evidence_.scale = reading.scale;
    model_ = {.model_width = 0, .heads = 0, .train_length = 512};
    N_here_ = N_.value_or(0);
    read_contents(reading);
    read_table();
    read_planes();
    read_bias(reading);
    read_lists();
    for (const ArrayRole& r : roles_)
      if (r.role == Role::weight) evidence_.weights.push_back(*r.array);
    if (evidence_.observations.empty())
      throw BadDump(
          "what the arrays of this dump are cannot be told by their names and shapes; say it with --as NAME=KIND: a "
          "table, "
          "cosines and sines, frequencies, query and rotated_query (before and after), bias, slopes, logits (with "
          "query "
          "and key), outputs (with query, key and value)");
    finish_model();
    set_positions();
    return std::move(evidence_);
  }

  void require_length(const DumpArray& a, Index N) {
    if (N_here_ == 0) N_here_ = N;
    if (N != N_here_) refuse(a, fmt::format("other arrays are of {} positions", N_here_));
  }
  void require_heads(const DumpArray& a, Index H) {
    if (model_.heads == 0) model_.heads = H;
    if (model_.heads != H) refuse(a, fmt::format("other arrays are of {} heads", model_.heads));
  }

  // [B, H, N, K] or [B, N, H, K], [H, N, K] or [N, H, K], [N, K].
  HeadRows heads_of(const DumpArray& a, const Reading& reading) {
    if (a.rank() < 2 || a.rank() > 4) refuse(a, "vectors of heads are [B, H, N, K], [B, N, H, K], [H, N, K] or [N, K]");
    std::vector<Index> shape = a.shape;
    while (shape.size() < 4) shape.insert(shape.begin(), 1);
    const bool heads_first = reading.heads_first || a.rank() == 2;
    HeadRows out{shape[0], heads_first ? shape[1] : shape[2], heads_first ? shape[2] : shape[1], shape[3], {}};
    if (a.rank() > 2) evidence_.layout = heads_first ? "[B, H, N, K]" : "[B, N, H, K]";
    require_length(a, out.N);
    if (heads_first) {
      out.numbers = a.numbers;
      return out;
    }
    out.numbers.resize(a.numbers.size());
    for (Index b = 0; b < out.B; ++b)
      for (Index n = 0; n < out.N; ++n)
        for (Index h = 0; h < out.H; ++h)
          std::copy_n(a.numbers.data() + ((b * out.N + n) * out.H + h) * out.K, out.K,
                      out.numbers.data() + ((b * out.H + h) * out.N + n) * out.K);
    return out;
  }

  // Grouped queries: several heads of queries in a row share a head of keys and values, which is repeated for each.
  static HeadRows for_every_query(HeadRows x, Index H) {
    if (x.H >= H || H % x.H != 0) return x;
    HeadRows out{x.B, H, x.N, x.K, {}};
    const Index one = x.N * x.K;
    for (Index b = 0; b < x.B; ++b)
      for (Index h = 0; h < H; ++h) {
        const auto first = x.numbers.begin() + (b * x.H + h / (H / x.H)) * one;
        out.numbers.insert(out.numbers.end(), first, first + one);
      }
    return out;
  }

  static void require_finite(const DumpArray& a) {
    for (const double x : a.numbers)
      if (!std::isfinite(x)) throw BadDump(fmt::format("{} holds an infinite number", base::excerpt(a.name)));
  }

  void take_heads(const DumpArray& a, const HeadRows& x) {
    require_heads(a, x.H);
    if (head_width_ != 0 && head_width_ != x.K)
      refuse(a, fmt::format("other arrays have heads of width {}", head_width_));
    head_width_ = x.K;
  }

  void note_rotary_width(const HeadRows& before, const HeadRows& after) {
    Index changed = evidence_.rotary_width.value_or(0);
    for (std::size_t i = 0; i < before.numbers.size(); ++i)
      if (before.numbers[i] != after.numbers[i]) changed = std::max(changed, static_cast<Index>(i) % before.K + 1);
    evidence_.rotary_width = changed + changed % 2;
  }

  void read_contents(const Reading& reading) {
    head_width_ = 0;
    for (const auto& [before, after, side] : {std::tuple(Role::query, Role::rotated_query, host::Side::query),
                                              std::tuple(Role::key, Role::rotated_key, host::Side::key)}) {
      const DumpArray *x = array(before), *y = array(after);
      if (!y) continue;
      if (!x) refuse(*y, "a rotated array says nothing without the same before it is rotated: dump it, too");
      require_finite(*x), require_finite(*y);
      if (x->shape != y->shape) refuse(*y, fmt::format("before it is rotated it is {}", shape_text(x->shape)));
      const HeadRows rows = for_every_query(heads_of(*x, reading), model_.heads);
      const HeadRows rotated = for_every_query(heads_of(*y, reading), model_.heads);
      take_heads(*x, rows);
      note_rotary_width(rows, rotated);
      evidence_.observations.push_back(
          observe_rotated(with_shape(*x) + " and " + base::printable(y->name), side, rows, rotated));
    }
    const DumpArray *logits = array(Role::logits), *outputs = array(Role::outputs), *query = array(Role::query),
                    *key = array(Role::key), *value = array(Role::value), *input = array(Role::layer_input);
    if (!logits && !outputs) return;
    const DumpArray& shown = logits ? *logits : *outputs;
    if (input && input->rank() < 2) refuse(*input, "a layer's input is [N, D]");
    auto contents = std::make_shared<Contents>();
    contents->scale = reading.scale;
    if (query && key) {
      require_finite(*query), require_finite(*key);
      contents->query = heads_of(*query, reading);
      contents->key = for_every_query(heads_of(*key, reading), contents->query.H);
      take_heads(*query, contents->query), take_heads(*key, contents->key);
    } else if (!logits) {
      refuse(shown, "outputs of attention say nothing without query, key and value: dump them, too");
    } else {  // what comes of positions alone, with or without a layer's input
      if (logits->rank() < 2) refuse(*logits, "logits are [H, N, N] or [B, H, N, N]");
      const Index H = logits->rank() == 2 ? 1 : logits->shape[logits->rank() - 3], N = logits->shape.back();
      Index K = 4;
      if (input && input->shape.back() % H == 0) K = input->shape.back() / H;
      if (query) {
        contents->query = heads_of(*query, reading);
        K = contents->query.K;
      } else {
        contents->query = {1, H, N, K, std::vector<double>(static_cast<std::size_t>(H * N * K), 0.0)};
      }
      contents->key = {1, H, N, K, std::vector<double>(static_cast<std::size_t>(H * N * K), 0.0)};
      require_heads(*logits, H);
      head_width_ = K;
    }
    if (input) {
      require_finite(*input);
      const std::vector<Index> shape = without_ones(*input);
      if (input->rank() < 2 || input->shape[input->rank() - 2] != contents->query.N)
        refuse(*input, fmt::format("a layer's input is [N, D] with {} positions", contents->query.N));
      contents->layer_input = input->numbers;
      model_width_ = input->shape.back();
    }
    if (logits) {
      const HeadRows& q = contents->query;
      const auto count = static_cast<Index>(logits->numbers.size());
      // Those of the first heads will do.
      const bool fits = q.N > 0 && count % (q.B * q.N * q.N) == 0 && count / (q.B * q.N * q.N) <= q.H;
      if (!fits || (q.B > 1 && count != q.B * q.H * q.N * q.N))
        refuse(*logits, fmt::format("the logits of {} heads and {} positions have another", q.B * q.H, q.N));
      require_length(*logits, q.N);
      evidence_.observations.push_back(observe_logits(with_shape(*logits), contents, logits->numbers, reading.causal));
    }
    if (outputs) {
      if (!value) refuse(*outputs, "outputs of attention say nothing without query, key and value: dump them, too");
      require_finite(*value), require_finite(*outputs);
      contents->value = for_every_query(heads_of(*value, reading), contents->query.H);
      const HeadRows out = heads_of(*outputs, reading);
      const HeadRows& v = contents->value;
      const bool fits = out.N == v.N && out.K == v.K && out.B == v.B && (out.B > 1 ? out.H == v.H : out.H <= v.H);
      if (!fits || out.N > 2048)
        refuse(*outputs, out.N > 2048 ? "outputs of up to 2048 positions are looked at" : "the values have another");
      evidence_.observations.push_back(observe_outputs(with_shape(*outputs), contents, out, reading.causal));
    }
  }

  // [N, D], or [rows, columns, D] of a grid.
  void read_table() {
    const DumpArray* a = array(Role::table);
    if (!a) return;
    require_finite(*a);
    std::vector<Index> shape = a->shape;
    while (shape.size() > 2 && shape.front() == 1) shape.erase(shape.begin());
    if (shape.size() == 3 && shape[1] == 1) shape.erase(shape.begin() + 1);
    if (shape.size() < 2) refuse(*a, "a table is [N, D], a row for each position");
    const Index D = shape.back(), N = static_cast<Index>(a->numbers.size()) / D;
    require_length(*a, N);
    if (shape.size() > 2) grid_ = {shape.begin(), shape.end() - 1};
    model_width_ = D;
    model_.heads = std::max<Index>(1, model_.heads);
    evidence_.observations.push_back(observe_table(with_shape(*a), N, D, a->numbers));
  }

  // Half the width where every number stands there twice: [w, w], or each beside itself.
  static bool repeats(const std::vector<double>& x, Index W, bool halves) {
    if (W % 2 != 0) return false;
    for (std::size_t row = 0; row + static_cast<std::size_t>(W) <= x.size(); row += static_cast<std::size_t>(W))
      for (Index m = 0; m < W / 2; ++m) {
        const Index one = halves ? m : 2 * m, other = halves ? m + W / 2 : 2 * m + 1;
        if (x[row + static_cast<std::size_t>(one)] != x[row + static_cast<std::size_t>(other)]) return false;
      }
    return true;
  }
  static std::vector<double> once(const std::vector<double>& x, Index W, bool halves) {
    std::vector<double> out;
    for (std::size_t row = 0; row + static_cast<std::size_t>(W) <= x.size(); row += static_cast<std::size_t>(W))
      for (Index m = 0; m < W / 2; ++m) out.push_back(x[row + static_cast<std::size_t>(halves ? m : 2 * m)]);
    return out;
  }

  void read_planes() {
    const DumpArray *c = array(Role::cosines), *s = array(Role::sines);
    if (!c && !s) return;
    const DumpArray& shown = c ? *c : *s;
    if (shown.rank() < 2) refuse(shown, "cosines and sines are [N, P], a row for each position");
    if (c && s && c->shape != s->shape) refuse(*s, fmt::format("the cosines are {}", shape_text(c->shape)));
    for (const DumpArray* a : {c, s})
      if (a) require_finite(*a);
    const Index W = shown.shape.back(), N = rows_of_planes(shown);
    require_length(shown, N);
    const std::size_t used = static_cast<std::size_t>(N * W);  // the first batch
    std::vector<double> cosines, sines;
    if (c) cosines.assign(c->numbers.begin(), c->numbers.begin() + static_cast<std::ptrdiff_t>(used));
    if (s) sines.assign(s->numbers.begin(), s->numbers.begin() + static_cast<std::ptrdiff_t>(used));
    Index P = W;
    for (const bool halves : {true, false})
      if (P == W && W > 1 && (head_width_ == 0 || 2 * W > head_width_) && (!c || repeats(cosines, W, halves)) &&
          (!s || repeats(sines, W, halves))) {
        if (c) cosines = once(cosines, W, halves);
        if (s) sines = once(sines, W, halves);
        P = W / 2;
      }
    planes_ = P;
    model_.heads = std::max<Index>(1, model_.heads);
    const std::string names =
        c && s ? fmt::format("{}, {} {}", base::printable(c->name), base::printable(s->name), shape_text(c->shape))
               : with_shape(shown);
    evidence_.observations.push_back(observe_planes(names, N, P, std::move(cosines), std::move(sines)));
  }
  Index rows_of_planes(const DumpArray& a) const {
    // [N, P], [1, N, P], [1, 1, N, P], [N, 1, P] or [B, N, P]
    if (a.rank() >= 3 && a.shape[a.rank() - 2] == 1) return a.shape[a.rank() - 3];
    return a.shape[a.rank() - 2];
  }

  void read_bias(const Reading& reading) {
    const DumpArray* a = array(Role::bias);
    if (!a) return;
    std::vector<Index> shape = a->shape;
    if (shape.size() > 4 || shape.empty()) refuse(*a, "a bias is [H, N, N], [B, H, N, N] or, of one query, [H, N]");
    std::vector<double> numbers = a->numbers;
    if (shape.size() == 4) {  // the first batch
      numbers.resize(numbers.size() / static_cast<std::size_t>(shape[0]));
      shape.erase(shape.begin());
    }
    if (shape.size() == 1) shape.insert(shape.begin(), {1, 1});
    if (shape.size() == 2) shape.insert(shape[0] == shape[1] ? shape.begin() : shape.begin() + 1, 1);
    const Index H = shape[0], Nq = shape[1], Nk = shape[2];
    if (Nq > Nk) refuse(*a, "there are more queries than keys");
    for (double& x : numbers)
      if (x < masked) x = std::numeric_limits<double>::quiet_NaN();
    require_heads(*a, H);
    require_length(*a, Nk);
    evidence_.observations.push_back(
        observe_bias(with_shape(*a), H, Nq, Nk, std::move(numbers), Nq == 1 && Nk > 1, reading.causal));
  }

  void read_lists() {
    if (const DumpArray* a = array(Role::frequencies)) {
      require_finite(*a);
      if (without_ones(*a).size() > 1) refuse(*a, "inverse frequencies are a list, one for each plane");
      if (planes_ == 0) planes_ = static_cast<Index>(a->numbers.size());
      model_.heads = std::max<Index>(1, model_.heads);
      evidence_.observations.push_back(observe_frequencies(with_shape(*a), a->numbers));
    }
    if (const DumpArray* a = array(Role::slopes)) {
      require_finite(*a);
      if (without_ones(*a).size() > 1) refuse(*a, "slopes are a list, one for each head");
      require_heads(*a, static_cast<Index>(a->numbers.size()));
      evidence_.observations.push_back(observe_slopes(with_shape(*a), a->numbers));
    }
  }

  void finish_model() {
    evidence_.model_width_known = model_width_ != 0 || head_width_ != 0 || planes_ != 0;
    if (model_width_ != 0)
      model_.model_width = model_width_;
    else if (head_width_ != 0)
      model_.model_width = model_.heads * head_width_;
    else if (planes_ != 0)
      model_.model_width = model_.heads * 2 * planes_;
    else
      model_.model_width = model_.heads * 4;
    if (model_.model_width % model_.heads != 0)
      throw BadDump(fmt::format("a width of {} is no multiple of {} heads", model_.model_width, model_.heads));
    if (N_here_ == 0) N_here_ = 2;  // lists alone: positions 0 and 1
    evidence_.model = model_;
    if (planes_ != 0 && 2 * planes_ < model_.head_width()) evidence_.rotary_width = 2 * planes_;
    if (evidence_.rotary_width && *evidence_.rotary_width >= model_.head_width()) evidence_.rotary_width.reset();
    evidence_.length = request_.length.value_or(N_here_);
  }

  void set_positions() {
    const DumpArray* given = array(Role::positions);
    evidence_.positions_given = given || request_.positions;
    if (request_.positions) {
      evidence_.positions = request_.positions->copy();
    } else if (given) {
      evidence_.positions = positions_of(*given);
    } else if (!grid_.empty()) {
      evidence_.positions = Array<double>{N_here_, static_cast<Index>(grid_.size())};
      for (Index n = 0; n < N_here_; ++n) {
        Index rest = n;
        for (std::size_t axis = grid_.size(); axis-- > 0; rest /= grid_[axis])
          evidence_.positions(n, static_cast<Index>(axis)) = static_cast<double>(rest % grid_[axis]);
      }
    } else {
      evidence_.positions = Array<double>{N_here_, 1};
      for (Index n = 0; n < N_here_; ++n) evidence_.positions(n, 0) = static_cast<double>(n);
    }
    if (evidence_.positions.extent(0) != N_here_)
      throw BadDump(
          fmt::format("there are {} positions, and the arrays are of {}", evidence_.positions.extent(0), N_here_));
    for (Index axis = 0; axis < evidence_.positions.extent(1); ++axis) {
      double most = 0;
      for (Index n = 0; n < N_here_; ++n) most = std::max(most, evidence_.positions(n, axis));
      evidence_.extents.push_back(most + 1);
    }
  }

  // [N], [N, A] or [A, N]; of several batches the first.
  Array<double> positions_of(const DumpArray& a) const {
    require_finite(a);
    std::vector<Index> shape = without_ones(a);
    if (shape.empty()) shape = {1};
    if (shape.size() > 2) refuse(a, "positions are [N], [N, A] or [A, N]");
    const bool by_axis = shape.size() == 2 && shape[1] == N_here_ && shape[0] != N_here_;
    const Index A = shape.size() == 1 ? 1 : by_axis ? shape[0] : shape[1];
    if (A > 3 || shape[by_axis ? 1 : 0] != N_here_)
      refuse(a, fmt::format("the positions of {} tokens are [N], [N, A] or [A, N] with up to 3 axes", N_here_));
    Array<double> out{N_here_, A};
    for (Index n = 0; n < N_here_; ++n)
      for (Index axis = 0; axis < A; ++axis)
        out(n, axis) = a.numbers[static_cast<std::size_t>(by_axis ? axis * N_here_ + n : n * A + axis)];
    return out;
  }

  const Request& request_;
  std::vector<ArrayRole> roles_;
  std::optional<Index> N_;
  Index N_here_ = 0, head_width_ = 0, model_width_ = 0, planes_ = 0;
  host::Model model_;
  std::vector<Index> grid_;
  Evidence evidence_;
};

}  // namespace

Evidence::Evidence() = default;
Evidence::Evidence(Evidence&&) noexcept = default;
Evidence& Evidence::operator=(Evidence&&) noexcept = default;
Evidence::~Evidence() = default;

std::vector<Evidence> readings(const Dump& dump, const Request& request) {
  require_usable(dump);
  return Reader(dump, request).all();
}

}  // namespace poslab::identify
