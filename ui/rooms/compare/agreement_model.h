#pragma once
// How far two results agree: runs the comparison in the background and holds what came of it.

#include <QObject>
#include <array>
#include <memory>

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

}  // namespace sscope
