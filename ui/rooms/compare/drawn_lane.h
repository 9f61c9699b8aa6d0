#pragma once
// A lane as the board draws it: one of the race that goes on or is over, or one of a capsule.

#include <QColor>
#include <QString>
#include <QStringList>
#include <array>
#include <optional>
#include <vector>

#include "core/base/statistics.h"
#include "core/compare/comparison.h"
#include "core/compare/lane_figures.h"
#include "ui/rooms/compare/lane_state.h"

namespace sscope {

using PartColors = std::array<QColor, compare::kRunParts.size()>;

struct DrawnLane {
  QString name;      // "cpu:avx2 separable"; of a capsule after the name of its machine
  QString hardware;  // may be empty
  PartColors colors;
  QString reason;  // why it has no figures; empty: it has, or may get some
  QString status;  // what it does now; empty once it has figures
  bool foreign = false;
  bool running = false;  // its clock

  double clock = 0;                // of the first result so far; 0: none
  compare::RunParts firstParts{};  // of what is computed so far
  std::vector<double> totals;      // seconds of each repetition with transfers
  std::optional<Spread> total;     // quoted, or of the repetitions so far
  bool quoted = false;             // the race is over
  compare::RunParts parts{};       // of a quoted run
  double factor = 0;               // to the fastest of its machine; 0: unknown
  bool winner = false, level = false;
  QString numbers;                       // quartiles, what a thousand cost, share of the roof, verification
  QStringList marks;                     // what disturbed it
  const LanePicture* picture = nullptr;  // null: there is none

  // All of it in words, for the tooltip and for screen readers.
  [[nodiscard]] QStringList words() const;
};

// Lanes of a race, with those of `result` once it is over.
[[nodiscard]] std::vector<DrawnLane> drawnLanes(const std::vector<LaneState>& lanes, bool busy);
// Lanes of a capsule, in gray.
[[nodiscard]] std::vector<DrawnLane> drawnLanes(const compare::Comparison& capsule);

}  // namespace sscope
