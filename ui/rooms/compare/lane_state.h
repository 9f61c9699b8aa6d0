#pragma once
// A lane while the race goes on: what its events have told so far.

#include <QElapsedTimer>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/compare/race.h"
#include "ui/rooms/compare/lane_picture.h"

namespace sscope {

struct LaneState {
  enum class Stage {
    Waiting,
    Computing,  // the first result
    Checking,   // it is compared with the reference
    Checked,    // waits for the quiet repetitions
    Quiet,      // has some of them
    Ended       // `result` says how
  };

  BenchRow contender;
  EngineInfo engine;  // of an unknown id: with the reason
  Stage stage = Stage::Waiting;
  QElapsedTimer running;
  std::vector<compare::SlabTime> slabs;
  std::optional<compare::FirstResult> first;
  std::optional<Verification> firstVerified;
  std::vector<double> totals;                                     // seconds of the quiet repetitions with transfers
  std::vector<Phases> repeated;                                   // their phases
  std::vector<std::chrono::steady_clock::time_point> repeatedAt;  // when they had ended
  std::optional<compare::Lane> result;
  LanePicture picture;

  // Seconds of the lane's own clock.
  [[nodiscard]] double clock() const;
};

// What pictures are made of.
struct LaneScene {
  Geometry geometry;
  std::size_t output = 0;
  std::int64_t plane = -1;
};

// What was told at a time. Events of other lanes are ignored; QuietPhase concerns nobody here.
void apply(const compare::RaceEvent& event, std::chrono::steady_clock::time_point told, std::vector<LaneState>& lanes,
           const LaneScene& scene);

}  // namespace sscope
