#pragma once
// A lane of a running race, from its events so far, with the picture of its first result.

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

// A slice through a contender's first result, which fills in as slabs finish.
class LanePicture {
 public:
  // Keeps a reduced copy of the slice within this part of the output, and reads nothing else. `plane`: along the second
  // axis; -1: the middle. Images are shown whole.
  void add(const Volume& output, const Geometry& geometry, std::int64_t plane, const Box& finished);
  [[nodiscard]] bool empty() const { return strips_.empty(); }
  [[nodiscard]] std::size_t parts() const { return strips_.size(); }
  // Values to choose a window by.
  [[nodiscard]] std::vector<double> values() const;
  // The parts so far, the rest transparent; cached until something changes.
  [[nodiscard]] const QImage& image(const LaneWindow& window) const;
  // Width over height of the slice in physical units.
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
  mutable std::optional<LaneWindow> window_;  // the window of image_
};

struct LaneState {
  enum class Stage {
    Waiting,
    Computing,  // the first result
    Checking,   // it is compared with the reference
    Checked,    // waits for the quiet repetitions
    Quiet,      // has some of them
    Ended       // see `result`
  };

  BenchRow contender;
  EngineInfo engine;  // for an unknown id: with the reason
  Stage stage = Stage::Waiting;
  QElapsedTimer running;
  std::vector<compare::SlabTime> slabs;
  std::optional<compare::FirstResult> first;
  std::optional<Verification> firstVerified;
  std::vector<double> totals;                                     // seconds of the quiet repetitions with transfers
  std::vector<Phases> repeated;                                   // their phases
  std::vector<std::chrono::steady_clock::time_point> repeatedAt;  // when they ended
  std::optional<compare::Lane> result;
  LanePicture picture;

  // Seconds on the lane's own clock.
  [[nodiscard]] double clock() const;
};

// The slice that pictures show.
struct LaneScene {
  Geometry geometry;
  std::size_t output = 0;
  std::int64_t plane = -1;
};

// Takes an event with the time of its emission. Events of unknown lanes are ignored.
void apply(const compare::RaceEvent& event, std::chrono::steady_clock::time_point emitted,
           std::vector<LaneState>& lanes, const LaneScene& scene);

}  // namespace sscope
