#include "ui/rooms/compare/lane_state.h"

#include <algorithm>

#include "core/base/overloaded.h"
#include "core/live/news.h"

namespace sscope {

namespace {

using Stage = LaneState::Stage;

void addPicture(LaneState& lane, const compare::SlabFinished& event, const LaneScene& scene) {
  if (!event.outputs || event.outputs->empty()) return;
  const Volume& output = (*event.outputs)[std::min(scene.output, event.outputs->size() - 1)];
  lane.picture.add(output, scene.geometry, scene.plane, event.time.box);
}

// One lane computes at a time: one that still does when the next begins has no first result.
void settle(std::vector<LaneState>& lanes) {
  for (LaneState& lane : lanes)
    if (lane.stage == Stage::Computing) lane.stage = Stage::Waiting;
}

}  // namespace

double LaneState::clock() const {
  if (first) return first->seconds;
  if (stage == Stage::Computing && running.isValid()) return static_cast<double>(running.nsecsElapsed()) * 1e-9;
  return slabs.empty() ? 0 : slabs.back().end;
}

void apply(const compare::RaceEvent& event, std::chrono::steady_clock::time_point told, std::vector<LaneState>& lanes,
           const LaneScene& scene) {
  const auto at = [&lanes](const auto& what) -> LaneState* {
    return what.lane < lanes.size() ? &lanes[what.lane] : nullptr;
  };
  std::visit(Overloaded{[&](const compare::LaneStarted& what) {
                          LaneState* lane = at(what);
                          if (lane == nullptr) return;
                          settle(lanes);
                          lane->stage = Stage::Computing;
                          lane->running.start();
                        },
                        [&](const compare::SlabFinished& what) {
                          LaneState* lane = at(what);
                          if (lane == nullptr) return;
                          lane->slabs.push_back(what.time);
                          addPicture(*lane, what, scene);
                        },
                        [&](const compare::FirstDone& what) {
                          LaneState* lane = at(what);
                          if (lane == nullptr) return;
                          lane->stage = Stage::Checking;
                          lane->first = what.result;
                        },
                        [&](const compare::LaneVerified& what) {
                          LaneState* lane = at(what);
                          if (lane == nullptr || !what.first) return;
                          lane->stage = Stage::Checked;
                          lane->firstVerified = what.verification;
                        },
                        [&](const compare::QuietPhase& /*what*/) { settle(lanes); },
                        [&](const compare::Repetition& what) {
                          LaneState* lane = at(what);
                          if (lane == nullptr) return;
                          lane->stage = Stage::Quiet;
                          if (what.sample.apart) return;
                          lane->totals.push_back(what.sample.phases.total);
                          lane->repeated.push_back(what.sample.phases);
                          lane->repeatedAt.push_back(told);
                        },
                        [&](const compare::LaneEnded& what) {
                          LaneState* lane = at(what);
                          if (lane == nullptr) return;
                          lane->stage = Stage::Ended;
                          lane->result = what.result;
                        }},
             event);
}

}  // namespace sscope
