#pragma once
// The tabs of the Compare room with analyses besides the race, and their models.

#include <QObject>
#include <QString>
#include <vector>

#include "ui/model/export_offer.h"
#include "ui/model/session_model.h"
#include "ui/rooms/compare/look_models.h"
#include "ui/rooms/compare/look_runner.h"
#include "ui/rooms/compare/race_model.h"

class QTabWidget;

namespace sscope {

class AgreementPage;
class BreakEvenPage;
class ContractPage;
class ExplainPage;
class LoadMonitor;
class RaceSetup;
class UtilizationPage;

class LookPages : public QObject {
  Q_OBJECT
 public:
  // All of them outlive it.
  struct Parts {
    SessionModel& model;
    RaceModel& race;
    LookRunner& runner;
    LoadMonitor& load;
    RaceSetup& setup;
  };
  LookPages(const Parts& parts, QTabWidget& tabs);

  [[nodiscard]] AgreementModel& agreement() { return agreement_; }
  [[nodiscard]] AgreementPage& agreementPage() { return *agreementPage_; }
  [[nodiscard]] BreakEvenModel& breakEven() { return breakEven_; }
  [[nodiscard]] BreakEvenPage& breakEvenPage() { return *breakEvenPage_; }
  [[nodiscard]] ContractModel& contract() { return contract_; }
  [[nodiscard]] ContractPage& contractPage() { return *contractPage_; }
  void addOffers(std::vector<ExportOffer>& offers, double scale) const;

 Q_SIGNALS:
  void failed(const QString& message);
  void raceRequested(const sscope::RaceJob& job);  // of a cell of the map
  void exportRequested(const QString& suffix);
  void offersChanged();

 private:
  // Runs `start` with the present job, or reports why it cannot.
  template <class Start>
  void begin(const Start& start);
  void compareResults();
  void fillMap(bool measure);
  void probe();
  // The checked contenders. Throws Error(Usage) if there is none.
  [[nodiscard]] std::vector<BenchRow> contenders() const;
  // Connects the signals that all pages have.
  template <class Page>
  void follow(Page& page, const QString& title);
  void refresh();
  void jump(const std::array<std::int64_t, 3>& voxel);

  Parts parts_;
  AgreementModel agreement_;
  BreakEvenModel breakEven_;
  ContractModel contract_;
  QTabWidget& tabs_;
  AgreementPage* agreementPage_;
  BreakEvenPage* breakEvenPage_;
  ContractPage* contractPage_;
  UtilizationPage* utilizationPage_;
  ExplainPage* explainPage_;
};

}  // namespace sscope
