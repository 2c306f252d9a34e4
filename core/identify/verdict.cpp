// SPDX-License-Identifier: Apache-2.0
#include "verdict.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "slips.hpp"

namespace poslab::identify {
namespace {

constexpr std::size_t max_others = 4;
constexpr std::array learned_names{"wpe", "embed_positions", "position_emb", "pos_emb", "learned"};

bool is_rival(const Found& found, const Found& best) {
  if (!found.fit.inside || freedom_of(found) > freedom_of(best)) return false;
  // With more numbers that nobody uses a scheme becomes another one.
  if (found.length.unusual > best.length.unusual || found.length.any_digits > best.length.any_digits) return false;
  if (found.fit.precision.is_emulated() && !best.fit.precision.is_emulated()) return false;
  if (found.fit.named == best.fit.named) return false;
  if (found.fit.named.scheme != best.fit.named.scheme || found.length.words <= best.length.words + 1) return true;
  // Numbers that were fitted are found again by whatever says more, and so is one length by what depends on lengths.
  return best.length.unusual == 0 && found.by_length == best.by_length;
}

// Another variant of the same scheme that says more and shows the same is no rival, and not told: a factor of 1, a
// limit that is not reached. What other lengths of the context would change is.
bool says_only_more(const Found& found, const Found& best) {
  return found.fit.named.scheme == best.fit.named.scheme && found.by_length == best.by_length;
}

// One variant of every other scheme is enough.
bool is_new(const Verdict& verdict, const Named& found, const Found& best) {
  const bool is_same_scheme = found.scheme == best.fit.named.scheme;
  const auto is = [&](const Named& named) { return is_same_scheme ? named == found : named.scheme == found.scheme; };
  return std::none_of(verdict.equals.begin(), verdict.equals.end(), is) &&
         std::none_of(verdict.others.begin(), verdict.others.end(), [&](const Fit& fit) { return is(fit.named); });
}

bool is_square_grid(const Evidence& evidence) {
  if (evidence.positions.extent(1) < 2) return false;
  double most[2] = {0, 0};
  for (Index n = 0; n < evidence.positions.extent(0); ++n)
    for (Index a = 0; a < 2; ++a) most[a] = std::max(most[a], evidence.positions(n, a));
  return most[0] == most[1];
}

std::vector<Silence> silences_of(const Evidence& evidence, const Found& best) {
  std::vector<Silence> silences;
  bool shows_channels = false, shows_planes = false, shows_size = false;
  for (const auto& observation : evidence.observations) {
    const Kind kind = observation->kind();
    shows_channels = shows_channels || kind == Kind::rotated || kind == Kind::logits || kind == Kind::outputs;
    shows_planes = shows_planes || kind == Kind::cosines || kind == Kind::sines || kind == Kind::frequencies;
    shows_size = shows_size || kind != Kind::frequencies;
  }
  if (shows_planes && !shows_channels) silences.push_back({Silence::Kind::pairing});
  if (shows_planes && !shows_size) silences.push_back({Silence::Kind::magnitude});
  const auto is_pairing = [&](const std::string& name) {
    return best.candidate.scheme->info().parameter(name)->role == data::Role::pairing;
  };
  for (const std::string& name : best.silent)
    if (!(shows_planes && !shows_channels && is_pairing(name))) silences.push_back({Silence::Kind::parameter, name});
  if (is_square_grid(evidence)) silences.push_back({Silence::Kind::square_grid});
  const bool is_bias = evidence.observations.front()->kind() == Kind::bias;
  if (is_bias && evidence.model.heads == 1) silences.push_back({Silence::Kind::one_head});
  return silences;
}

std::optional<Slip> slip_of(const Found& best, const Evidence& evidence, const Plugins& plugins) {
  for (const auto& plugin : plugins)
    if (plugin->info().id == best.fit.named.scheme) return slip_within(best, evidence, Maker(plugin, evidence));
  return std::nullopt;
}

// As models call tables that they learn.
bool is_called_learned(const Evidence& evidence) {
  const std::string name = evidence.observations.front()->caption().name;
  return std::any_of(learned_names.begin(), learned_names.end(),
                     [&](const char* word) { return name.find(word) != std::string::npos; });
}

// What has no free weights, and does not fit.
std::optional<Fit> nearest_formula(const Evidence& evidence, const Result& result) {
  const auto nearest = std::find_if(result.found.begin(), result.found.end(), [](const Found& found) {
    return !found.fit.inside && found.weights != WeightsFrom::solved;
  });
  if (nearest == result.found.end()) return std::nullopt;
  Fit fit = whole_fit(nearest->candidate, evidence, standards_for(evidence));
  fit.named = nearest->fit.named;
  return fit;
}

}  // namespace

Fit fit_of_nothing(const Named& named, const Evidence& evidence) {
  return {.named = named,
          .inside = true,
          .precision = standards_for(evidence).front().precision,
          .place = evidence.observations.front()->place(0, 0),
          .departs = {}};
}

Verdict verdict_of(const Evidence& evidence, Result result, const Plugins& plugins) {
  Verdict verdict;
  if (!is_called_learned(evidence)) std::erase_if(result.found, is_free);
  // Where nothing was rotated, what rotates nothing is no name for it.
  if (shows_no_positions(evidence)) std::erase_if(result.found, [](const Found& found) { return found.fit.inside; });
  for (const auto& observation : evidence.observations) verdict.arrays.push_back(observation->caption().text);
  verdict.layout = evidence.layout;
  if (std::any_of(evidence.observations.begin(), evidence.observations.end(),
                  [](const auto& observation) { return observation->kind() == Kind::outputs; }))
    verdict.causal = evidence.causal;
  verdict.candidates = result.tried;
  if (result.found.empty()) return verdict;
  const Found& best = result.found.front();
  verdict.named = best.fit;
  if (!best.fit.inside) {
    const std::vector<Standard> standards = standards_for(evidence);
    const auto whole = [&](const Found& found) {
      Fit fit = whole_fit(found.candidate, evidence, standards);
      fit.named = found.fit.named;
      return fit;
    };
    verdict.named = whole(best);
    for (std::size_t i = 1; i < result.found.size() && verdict.others.size() < max_others; ++i)
      if (const Named& named = result.found[i].fit.named;
          named.scheme != best.fit.named.scheme && is_new(verdict, named, best))
        verdict.others.push_back(whole(result.found[i]));
    return verdict;
  }
  if (best.weights == WeightsFrom::solved && evidence.observations.front()->kind() == Kind::bias)
    verdict.nearest = nearest_formula(evidence, result);
  if (best.solved.by_offset) {
    verdict.kind = Verdict::Kind::offsets;
    verdict.named.reset();
    return verdict;
  }
  const std::vector<double> shown = glimpse(best.candidate, evidence);
  for (std::size_t i = 1; i < result.found.size(); ++i) {
    const Found& found = result.found[i];
    if (!is_rival(found, best) || !is_new(verdict, found.fit.named, best)) continue;
    if (glimpse(found.candidate, evidence) != shown) {
      if (verdict.others.size() < max_others) verdict.others.push_back(found.fit);
    } else if (!says_only_more(found, best)) {
      verdict.equals.push_back(found.fit.named);
    }
  }
  verdict.silences = silences_of(evidence, best);
  verdict.slip = slip_of(best, evidence, plugins);
  if (is_free(best)) {
    verdict.kind = Verdict::Kind::free_table;
    verdict.silences.push_back({Silence::Kind::free_table});
  } else if (best.weights == WeightsFrom::solved || best.free_list) {
    verdict.kind = Verdict::Kind::structure;
  } else if (!verdict.others.empty()) {
    verdict.kind = Verdict::Kind::several;
  } else {
    verdict.kind = Verdict::Kind::certain;
  }
  return verdict;
}

std::optional<Verdict> verdict_of_nothing(const Evidence& evidence, const Plugins& plugins) {
  if (!is_unchanged(evidence)) return std::nullopt;
  if (shows_one_place(evidence)) {
    Verdict verdict;
    for (const auto& observation : evidence.observations) verdict.arrays.push_back(observation->caption().text);
    return verdict;
  }
  for (const auto& plugin : plugins) {
    const auto scheme = Maker(plugin, evidence).any_scheme({});
    if (!scheme || scheme->looks_at_positions()) continue;
    Verdict verdict;
    verdict.kind = Verdict::Kind::certain;
    for (const auto& observation : evidence.observations) verdict.arrays.push_back(observation->caption().text);
    verdict.layout = evidence.layout;
    verdict.named = fit_of_nothing({plugin->info().id, {}}, evidence);
    verdict.slip = Slip{Slip::Kind::not_at_all};
    verdict.candidates = 1;
    return verdict;
  }
  return std::nullopt;
}

}  // namespace poslab::identify
