#pragma once
// The models of the looks at contenders: each runs one in the background (LookRunner) and holds its result.

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

// How far two results agree, and the map of their errors.
class AgreementModel : public QObject {
  Q_OBJECT
 public:
  static constexpr const char* kKind = "agreement";
  // `runner` outlives it.
  explicit AgreementModel(LookRunner& runner, QObject* parent = nullptr);

  // Computes the outputs again and compares them; the previous pair stays until then.
  void compare(const RaceJob& job, const std::vector<BenchRow>& contenders, const compare::PairWish& wish);
  [[nodiscard]] bool busy() const { return runner_.busy() && runner_.kind() == QLatin1String(kKind); }
  // Sets the unit of the map, which is made again in the background where there is one.
  void setUnit(compare::ErrorUnit unit);
  [[nodiscard]] compare::ErrorUnit unit() const { return unit_; }
  // Frees the memory of both results.
  void clear();

  // Null: nothing was compared yet.
  [[nodiscard]] std::shared_ptr<const compare::ResultPair> pair() const { return pair_; }
  // The case of the pair.
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

// Which engine wins where.
class BreakEvenModel : public QObject {
  Q_OBJECT
 public:
  static constexpr const char* kKind = "break-even";
  // `runner` outlives it.
  explicit BreakEvenModel(LookRunner& runner, QObject* parent = nullptr);

  // The model fills the map at once. With `measure`, a race in every cell then replaces it, small data first. After a
  // cancel the map stays as it is.
  void fill(const RaceJob& job, const std::vector<BenchRow>& contenders, const compare::BreakEvenAxes& axes,
            bool measure);
  [[nodiscard]] bool busy() const { return runner_.busy() && runner_.kind() == QLatin1String(kKind); }

  [[nodiscard]] const compare::BreakEvenMap& map() const { return map_; }
  // The contenders of the map.
  [[nodiscard]] const std::vector<BenchRow>& contenders() const { return contenders_; }
  // The job at a cell of the map: its noise and its parameter.
  [[nodiscard]] RaceJob jobAt(const compare::BreakEvenCell& cell) const;

  // How the lanes of a cell are timed.
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

// The probes of all contenders.
class ContractModel : public QObject {
  Q_OBJECT
 public:
  static constexpr const char* kKind = "contract";
  // `runner` outlives it.
  explicit ContractModel(LookRunner& runner, QObject* parent = nullptr);

  // The previous contract stays until all contenders were probed.
  void probe(const RaceJob& job, const std::vector<BenchRow>& contenders);
  [[nodiscard]] bool busy() const { return runner_.busy() && runner_.kind() == QLatin1String(kKind); }
  // Null: nothing was probed yet.
  [[nodiscard]] std::shared_ptr<const compare::Contract> contract() const { return contract_; }
  // The case of the probes.
  [[nodiscard]] const compare::CaseRecipe& recipe() const { return recipe_; }

 Q_SIGNALS:
  void changed();

 private:
  LookRunner& runner_;
  std::shared_ptr<const compare::Contract> contract_;
  compare::CaseRecipe recipe_;
};

}  // namespace sscope
