#pragma once
// How far two results agree: runs the comparison in the background and holds what came of it.

#include <QObject>
#include <array>
#include <memory>
#include <vector>

#include "core/compare/break_even.h"
#include "core/compare/contract.h"
#include "core/compare/error_map.h"
#include "core/compare/result_pair.h"
#include "ui/base/background_task.h"
#include "ui/rooms/compare/look_runner.h"
#include "ui/rooms/compare/race_job.h"

namespace sscope {

class AgreementModel : public QObject {
  Q_OBJECT
 public:
  static constexpr const char* kKind = "agreement";
  // `runner` outlives it.
  explicit AgreementModel(LookRunner& runner, QObject* parent = nullptr);

  // The outputs are computed anew and compared; what is shown stays until then.
  void compare(const RaceJob& job, const std::vector<BenchRow>& contenders, const compare::PairWish& wish);
  [[nodiscard]] bool busy() const { return runner_.busy() && runner_.kind() == QLatin1String(kKind); }
  // Of the map, which is made anew in the background where there is one.
  void setUnit(compare::ErrorUnit unit);
  [[nodiscard]] compare::ErrorUnit unit() const { return unit_; }
  // Gives back the memory of both results.
  void clear();

  // Null: nothing was compared yet.
  [[nodiscard]] std::shared_ptr<const compare::ResultPair> pair() const { return pair_; }
  // What both are results of.
  [[nodiscard]] const compare::CaseRecipe& recipe() const { return recipe_; }
  struct Map {
    std::shared_ptr<const Volume> values;  // see compare::ErrorMap; null: there is none
    std::array<double, 2> window{0, 1};
    compare::ErrorUnit unit = compare::ErrorUnit::Absolute;
    bool anyError = false;
  };
  [[nodiscard]] const Map& map() const { return map_; }

 Q_SIGNALS:
  void pairChanged();  // the map, too
  void mapChanged();   // of the same pair, in another unit
  void failed(const QString& message);

 private:
  LookRunner& runner_;
  std::shared_ptr<const compare::ResultPair> pair_;
  compare::CaseRecipe recipe_;
  Map map_;
  compare::ErrorUnit unit_ = compare::ErrorUnit::Absolute;
  BackgroundTask remake_;  // of the map
};

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

class ContractModel : public QObject {
  Q_OBJECT
 public:
  static constexpr const char* kKind = "contract";
  // `runner` outlives it.
  explicit ContractModel(LookRunner& runner, QObject* parent = nullptr);

  // What is shown stays until all contenders were probed.
  void probe(const RaceJob& job, const std::vector<BenchRow>& contenders);
  [[nodiscard]] bool busy() const { return runner_.busy() && runner_.kind() == QLatin1String(kKind); }
  // Null: nobody was probed yet.
  [[nodiscard]] std::shared_ptr<const compare::Contract> contract() const { return contract_; }
  // What they were probed at.
  [[nodiscard]] const compare::CaseRecipe& recipe() const { return recipe_; }

 Q_SIGNALS:
  void changed();

 private:
  LookRunner& runner_;
  std::shared_ptr<const compare::Contract> contract_;
  compare::CaseRecipe recipe_;
};

}  // namespace sscope
