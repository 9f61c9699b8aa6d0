#pragma once
// A lane while the race goes on: what its events have told so far.

#include <QElapsedTimer>
#include <QImage>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/compare/race.h"
#include "core/volume/volume.h"
#include "ui/views/slice_image.h"
#include "ui/views/slice_plane.h"

namespace sscope {

using LaneWindow = std::array<double, 2>;

class LanePicture {
 public:
  // Keeps a reduced copy of what the slice crosses in this part of the output; nothing else of it is read. `plane`: of
  // the second axis; -1: the middle. Images are shown whole.
  void add(const Volume& output, const Geometry& geometry, std::int64_t plane, const Box& finished);
  [[nodiscard]] bool empty() const { return strips_.empty(); }
  [[nodiscard]] std::size_t parts() const { return strips_.size(); }
  // Values to choose a window by.
  [[nodiscard]] std::vector<double> values() const;
  // What is there so far, the rest transparent; kept until something changes.
  [[nodiscard]] const QImage& image(const LaneWindow& window) const;
  // Width over height of the slice as it lies in space.
  [[nodiscard]] double aspect() const { return aspect_; }

 private:
  struct Strip {
    SliceImage values;
    double left = 0, top = 0, width = 1, height = 1;  // shares of the picture
  };
  std::vector<Strip> strips_;
  double aspect_ = 1;
  std::int64_t width_ = 0, height_ = 0;  // pixels of the whole
  mutable QImage image_;
  mutable std::optional<LaneWindow> window_;  // that the image is of
};

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
