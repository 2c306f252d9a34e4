// SPDX-License-Identifier: Apache-2.0
#include "golden_dump.hpp"

#include <algorithm>

#include "inputs.hpp"
#include "poslab/host/library.hpp"

namespace poslab::golden {
namespace {

using identify::DumpArray;

template <class S>
DumpArray array_of(const std::string& name, View<const S> view) {
  DumpArray array{name, {view.shape.begin(), view.shape.begin() + view.rank}, {}};
  array.numbers.assign(view.flat().begin(), view.flat().end());
  return array;
}
DumpArray array_of(const std::string& name, const Dataset& dataset) { return {name, dataset.shape, dataset.numbers}; }

class Dumper {
 public:
  Dumper(const Facts& facts, const Json& rule, const std::shared_ptr<const host::Plugin>& plugin)
      : facts_(facts),
        rule_(rule),
        scheme_(plugin, parameters_of(facts, rule, plugin->info()), model_of(facts, rule)),
        positions_(
            positions_of(facts, member(rule, "positions").is_null() ? Json("positions") : member(rule, "positions"))) {
    const data::Values parameters = parameters_of(facts, rule, plugin->info());
    out_.made_by.scheme = plugin->info().id;
    for (const auto& [name, value] : parameters)
      if (value != plugin->info().parameter(name)->default_value) out_.made_by.parameters.set(name, value);
    if (const Json& context = member(rule, "context"); !context.is_null())
      out_.request.length = static_cast<Index>(facts.number(context.at("length")));
  }

  std::optional<GoldenDump> make() {
    for (const auto& [name, dataset] : facts_.golden().outputs) {
      const Json& how = member(member(rule_, "outputs"), name.c_str());
      if (!how.is_null() && !how.contains("cannot")) add_output(name, dataset, how);
    }
    if (out_.dump.arrays.empty()) return std::nullopt;
    if (has_rows_) add(array_of<double>("position_ids", positions_.view()));
    return std::move(out_);
  }

 private:
  void add(DumpArray array) {
    if (!out_.dump.find(array.name)) out_.dump.arrays.push_back(std::move(array));
  }

  void add_output(const std::string& name, const Dataset& dataset, const Json& how) {
    const auto is = how.at("is").get<std::string>();
    const Inputs<double> in(facts_, rule_, how, scheme_, positions_);
    if (name == "bucket" && is == "bias") return add_buckets(dataset);
    if (name == "bucket") return;
    if (is == "rotated_by_score") return add_rotated_by_score(in);
    if (is == "logits" && how.contains("theirs")) return add_products(in, how);
    if (how.contains("weights") || how.contains("theirs") || how.contains("factor") != (name == "slopes")) return;
    if (is == "encode") {
      add_table(dataset, how);
    } else if (is == "transform") {
      const bool query = how.at("side") == "query";
      add(array_of<double>(query ? "query" : "key", in.content(how.at("of"), positions_.extent(0)).view()));
      add(array_of(query ? "rotated_query" : "rotated_key", dataset));
      has_rows_ = true;
    } else if (is == "plane_cosines" || is == "plane_sines") {
      add(array_of(is == "plane_cosines" ? "cosines" : "sines", dataset));
      has_rows_ = true;
    } else if (is == "plane_angles") {
      add(array_of("frequencies", dataset));
    } else if (is == "bias" && name == "slopes") {
      add(array_of("slopes", dataset));
      has_rows_ = true;
    } else if (is == "bias" && name != "bucket" && name != "index" && name != "gamma") {
      DumpArray bias = array_of("bias", dataset);
      if (how.contains("query_positions") && bias.shape.size() == 2) bias.shape.insert(bias.shape.begin() + 1, 1);
      add(std::move(bias));
      add_weights(in);
      has_rows_ = true;
    } else if (is == "logits" && !how.contains("head") && !how.contains("key_positions")) {
      add_contents(in);
      add(array_of("logits", dataset));
    } else if (is == "values") {
      add_contents(in);
      add(array_of<double>("value", in.content(in.content_spec("value"), positions_.extent(0)).view()));
      add(array_of("outputs", dataset));
    }
  }

  // Without the row that belongs to no position; of two parts both.
  void add_table(const Dataset& dataset, const Json& how) {
    const Index N = positions_.extent(0), D = scheme_.model().model_width;
    DumpArray table{"pe", {N, D}, dataset.numbers};
    if (how.contains("columns")) {
      const Dataset &real = facts_.golden().outputs.at("real"), &imaginary = facts_.golden().outputs.at("imag");
      table.numbers.clear();
      for (Index n = 0; n < N; ++n)
        for (const Dataset* part : {&real, &imaginary})
          table.numbers.insert(table.numbers.end(), part->numbers.begin() + n * D / 2,
                               part->numbers.begin() + (n + 1) * D / 2);
    }
    if (how.contains("leave_out_row")) {
      const auto row = static_cast<Index>(facts_.number(how["leave_out_row"]));
      if (row >= 0) {
        table.numbers.erase(table.numbers.begin() + row * D, table.numbers.begin() + (row + 1) * D);
        base::Array<double> rest({N - 1, positions_.extent(1)});
        for (Index n = 0; n < N - 1; ++n)
          for (Index a = 0; a < positions_.extent(1); ++a) rest(n, a) = positions_(n < row ? n : n + 1, a);
        positions_ = std::move(rest);
        table.shape[0] = N - 1;
      }
    }
    add(std::move(table));
    add_weights(Inputs<double>(facts_, rule_, how, scheme_, positions_));
    has_rows_ = true;
  }

  // For offsets -n .. n, what each pair of n + 1 positions gets; of the first 192, beyond the farthest edge.
  void add_buckets(const Dataset& dataset) {
    const auto all = static_cast<Index>(dataset.numbers.size() + 1) / 2, N = std::min<Index>(all, 192);
    DumpArray bias{"bias", {1, N, N}, {}};
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j) bias.numbers.push_back(dataset.numbers[static_cast<std::size_t>(j - i + all - 1)]);
    add(std::move(bias));
  }

  // The logits of a scheme that rotates by what tokens hold: the products of its rotated queries and keys.
  void add_rotated_by_score(const Inputs<double>& in) {
    if (out_.dump.find("logits")) return;
    const Dataset &a = facts_.golden().outputs.at("q_rot"), &b = facts_.golden().outputs.at("k_rot");
    const Json &query = member(member(rule_, "outputs"), "q_rot"), &key = member(member(rule_, "outputs"), "k_rot");
    const Index N = positions_.extent(0);
    add(array_of<double>("query", in.content(query.at("of"), N).view()));
    add(array_of<double>("key", in.content(key.at("of"), N).view()));
    add(array_of<double>("layer_input", in.layer_input(N).view()));
    add_weights(in);
    add(products(a, b, scheme_.logit_scale()));
    has_rows_ = true;
  }

  // [H, N, M] of [H, N, K] and [H, M, K].
  static DumpArray products(const Dataset& a, const Dataset& b, double scale) {
    const Index H = a.shape.at(0), N = a.shape.at(1), M = b.shape.at(1), K = a.shape.at(2);
    DumpArray logits{"logits", {H, N, M}, {}};
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < N; ++i)
        for (Index j = 0; j < M; ++j) {
          double sum = 0;
          for (Index k = 0; k < K; ++k)
            sum += a.numbers[static_cast<std::size_t>((h * N + i) * K + k)] *
                   b.numbers[static_cast<std::size_t>((h * M + j) * K + k)];
          logits.numbers.push_back(scale * sum);
        }
    return logits;
  }

  // What their vectors, which are wider than ours, give as logits.
  void add_products(const Inputs<double>& in, const Json& how) {
    const auto output = [&](int which) -> const Dataset& {
      return facts_.golden().outputs.at(how["theirs"][which].get<std::string>());
    };
    add_contents(in);
    add(products(output(0), output(1), 1));
  }

  void add_weights(const Inputs<double>& in) {
    for (std::size_t w = 0; w < scheme_.weights().size(); ++w) {
      add(array_of<double>(scheme_.weights()[w].name, in.weights()[w]));
      out_.request.as[scheme_.weights()[w].name] = "weight";
    }
  }

  void add_contents(const Inputs<double>& in) {
    const Index N = positions_.extent(0);
    if (const Json& given = member(member(rule_, "attention"), "logits"); !given.is_null())
      throw Unknown("logits are given");
    add(array_of<double>("query", in.content(in.content_spec("query"), N).view()));
    add(array_of<double>("key", in.content(in.content_spec("key"), N).view()));
    if (const auto input = in.layer_input(N); input.size() > 0) add(array_of<double>("layer_input", input.view()));
    add_weights(in);
    has_rows_ = true;
  }

  const Facts& facts_;
  const Json& rule_;
  host::Scheme scheme_;
  base::Array<double> positions_;
  GoldenDump out_;
  bool has_rows_ = false;  // some array has a row for each position
};

}  // namespace

std::optional<GoldenDump> dump_of(const Case& golden, const Table& table, const host::Library& library) {
  const Facts facts(golden);
  const Json& rule = table.rule_for(facts);
  if (rule.contains("cannot")) return std::nullopt;
  return Dumper(facts, rule, host::Plugin::open(library.at(rule.at("scheme").get<std::string>()).file)).make();
}

}  // namespace poslab::golden
