#include "ui/model/comparison.h"

#include <algorithm>
#include <utility>

namespace sscope {

bool Comparison::choose(std::vector<std::string> engines) {
  if (engines == compared_) return false;
  compared_ = std::move(engines);
  declined_ = false;
  return true;
}

void Comparison::beginSetting() {
  samples_.clear();
  wanted_ = kQuietRepetitions;
  repeat_ = declined_ = false;
}

void Comparison::askForMore(bool running) {
  if (repeat_ || !compared_.empty()) {
    // Whoever has fewer catches up first; asking again while it runs asks for more.
    int fewest = wanted_;
    for (const auto& [engine, samples] : samples_) fewest = std::min(fewest, samples);
    if (running || fewest >= wanted_) wanted_ += kQuietRepetitions;
  }
  repeat_ = true;
  declined_ = false;
}

void Comparison::take(const TurnsUpdate& turn) {
  if (!turn.warmedUp) samples_[turn.report.engine] += turn.failure.empty() ? 1 : wanted_;
}

std::optional<Contest> Comparison::due(const std::string& shown, const std::string& variant) {
  if (declined_) return std::nullopt;
  Contest contest;
  contest.repetitions = wanted_;
  contest.contestants.push_back({shown, variant, 0});
  for (const std::string& id : compared_)
    if (id != shown) contest.contestants.push_back({id, {}, 0});
  if (contest.contestants.size() == 1 && !repeat_) return std::nullopt;
  bool due = false;
  for (Contest::Contestant& contestant : contest.contestants) {
    contestant.samples = samples_[contestant.engine];
    due = due || contestant.samples < wanted_;
  }
  return due ? std::optional(contest) : std::nullopt;
}

}  // namespace sscope
