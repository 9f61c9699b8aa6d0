#pragma once
// Which engine wins where: fills the map in the background and holds it as far as it is there.

#include <QObject>
#include <memory>
#include <vector>

#include "core/compare/break_even.h"
#include "ui/rooms/compare/look_runner.h"
#include "ui/rooms/compare/race_job.h"

namespace sscope {

class BreakEvenModel : public QObject {
  Q_OBJECT
 public:
  static constexpr const char* kKind = "break-even";
  // `runner` outlives it.
  explicit BreakEvenModel(LookRunner& runner, QObject* parent = nullptr);

  // The model fills the map at once; `measure`: then a race in every cell replaces it, small data first. What is there
  // when it is canceled stays.
  void fill(const RaceJob& job, const std::vector<BenchRow>& contenders, const compare::BreakEvenAxes& axes,
            bool measure);
  [[nodiscard]] bool busy() const { return runner_.busy() && runner_.kind() == QLatin1String(kKind); }

  [[nodiscard]] const compare::BreakEvenMap& map() const { return map_; }
  // Of the map: ids of the engines of its lanes, and what it was filled for.
  [[nodiscard]] const std::vector<BenchRow>& contenders() const { return contenders_; }
  // The job at a cell of the map: its noise and its parameter.
  [[nodiscard]] RaceJob jobAt(const compare::BreakEvenCell& cell) const;

  // How long each lane of a cell is timed at least, and the like.
  compare::RaceOptions timing;

 Q_SIGNALS:
  void changed();

 private:
  void take(std::uint64_t number, const compare::BreakEvenMap& map);

  LookRunner& runner_;
  RaceJob job_;
  std::vector<BenchRow> contenders_;
  compare::BreakEvenMap map_;
  std::uint64_t number_ = 0;  // of the newest map
};

}  // namespace sscope
