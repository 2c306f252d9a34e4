// SPDX-License-Identifier: Apache-2.0
// One claim on every variant: those that make it must stand; those that do not are attacked to see whether they could.
#include <fmt/format.h>

#include "claims/attack.hpp"
#include "poslab/base/count.hpp"

namespace poslab::check {
namespace {

// Attacks on those that make the claim.
struct Made {
  int attacks = 0, impossible = 0;
  std::string note;

  void add(const Attacker& attacker) {
    attacks += attacker.made();
    impossible += attacker.impossible();
    if (note.empty()) note = attacker.noted();
  }
  std::string text() const {
    return (impossible == 0 ? "" : fmt::format("; {} more could not be made", impossible)) +
           (note.empty() ? "" : "; " + note);
  }
};

// Instances that do not make the claim.
struct Others {
  int withstood = 0, refuted = 0, attacks = 0;
  std::string first_withstood;

  // Whatever stops an attack on a claim that is not made is no failure.
  void attack(const Claim& claim, const Instance& instance) {
    Attacker attacker(instance, false);
    try {
      claim.attack(attacker);
    } catch (const NotPerformed&) {
      throw;
    } catch (const base::Error&) {
      ++refuted;
      return;
    }
    if (attacker.made() == 0) return;
    ++withstood;
    attacks += attacker.made();
    if (first_withstood.empty()) first_withstood = instance.label();
  }
};

}  // namespace

std::string attack_claim(Trial& trial, const std::string& name, poslab_claim bit, void (*attack)(Attacker&)) {
  return attack_claim(trial, {name, [bit](const Instance& instance) { return instance.claims(bit); }, attack});
}

std::string attack_claim(Trial& trial, const Claim& claim) {
  constexpr const char* unclaimed = "no variant claims it";
  int claimants = 0;
  Made all;
  Others others;
  trial.for_each_instance([&](const Instance& instance) {
    if (!claim.is_made(instance)) {
      trial.if_stopped(claimants == 0 ? fmt::format("{}, and attacks on it did not end in time", unclaimed)
                                      : "attacks on variants that do not claim it did not end in time");
      others.attack(claim, instance);
      trial.if_stopped("");
      return;
    }
    ++claimants;
    trial.if_stopped("attacks on it did not end in time (--time-limit); none so far refutes it");
    Attacker attacker(instance, true);
    claim.attack(attacker);
    trial.if_stopped("");
    all.add(attacker);
  });
  if (claimants == 0 && others.withstood > 0 && others.refuted == 0) {
    trial.unclaimed({claim.name, others.attacks});
    throw NotPerformed(
        fmt::format("{}, but {} stood {} on it", unclaimed, trial.scope(), base::counted(others.attacks, "attack")));
  }
  if (claimants == 0)
    throw NotPerformed(others.refuted > 0 ? fmt::format("{}; attacks refute it", unclaimed) : unclaimed);
  std::string more;
  if (others.withstood > 0)
    more = fmt::format("; {} that {} not claim it stood {}, the first: {}", others.withstood,
                       others.withstood == 1 ? "does" : "do", base::counted(others.attacks, "attack"),
                       others.first_withstood);
  if (all.attacks == 0 && all.impossible > 0)
    throw NotPerformed(fmt::format(
        "none of {} could be made: each met a call that is refused or fails, or a number that is not finite",
        base::counted(all.impossible, "attack")));
  if (all.attacks == 0)
    return fmt::format("{} of {} claim it, and offer nothing that could break it{}", claimants, trial.scope(), more);
  return fmt::format("stood {}; {} of {} claim it{}{}", base::counted(all.attacks, "attack"), claimants, trial.scope(),
                     all.text(), more);
}

}  // namespace poslab::check
