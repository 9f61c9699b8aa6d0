#pragma once
// What the contenders promise: runs the probes in the background and holds their outcomes.

#include <QObject>
#include <memory>
#include <vector>

#include "core/compare/contract.h"
#include "ui/rooms/compare/look_runner.h"
#include "ui/rooms/compare/race_job.h"

namespace sscope {

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
