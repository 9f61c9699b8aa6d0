#pragma once
// The Compare room: engines race each other at one case.

#include <QTimer>

#include "ui/rooms/compare/load_monitor.h"
#include "ui/rooms/compare/look_runner.h"
#include "ui/rooms/compare/race_model.h"
#include "ui/rooms/room.h"

namespace sscope {

class ComparePage;
class RaceSetup;

class CompareRoom : public Room {
  Q_OBJECT
 public:
  static constexpr const char* kKey = "compare";
  explicit CompareRoom(const Desk& desk, QObject* parent = nullptr);

  [[nodiscard]] RaceModel& model() { return model_; }
  [[nodiscard]] LookRunner& looks() { return looks_; }
  [[nodiscard]] LoadMonitor& load() { return load_; }
  [[nodiscard]] ComparePage& comparePage() { return *page_; }
  // Starts a race, or shows in the panel why it cannot.
  void race();

  [[nodiscard]] RoomSign sign() const override;
  [[nodiscard]] QWidget& page() override;
  [[nodiscard]] RoomPanels panels() const override;
  void setShown(bool shown) override;
  void hold(bool timed, bool elsewhere) override;
  [[nodiscard]] bool computes() const override { return true; }
  [[nodiscard]] bool computing() const override { return model_.busy() || looks_.busy(); }
  [[nodiscard]] bool timing() const override { return model_.busy() || looks_.busy(); }
  [[nodiscard]] bool alone() const override { return model_.busy() || looks_.busy(); }
  [[nodiscard]] bool usesData() const override { return true; }
  [[nodiscard]] bool showsSettingsOf(const QString& room) const override;
  void runAgain() override { race(); }
  void repeatTiming() override { race(); }
  void cancel() override;
  [[nodiscard]] std::vector<ExportOffer> exportOffers(double scale) override;
  void takeFocus() override;
  [[nodiscard]] std::function<std::vector<EngineRow>()> engineRows() override;
  [[nodiscard]] QString document() const override;
  [[nodiscard]] QString exportStem() const override;
  void addOpenFiles(InputFiles& files) const override;

 private:
  [[nodiscard]] Panel* bankPanel() const;
  void follow();
  void followLooks();
  // Starts a race at this job.
  void raceAt(const RaceJob& job);
  // Why nothing can be computed now; empty: something can.
  [[nodiscard]] QString refusal() const;
  // Races again where that is switched on, once no control is held.
  void changed();
  [[nodiscard]] bool stale() const;
  // Races the engines that are checked in the Engines panel, at the bank.
  void compareThese();
  void tellProgress();

  Desk desk_;
  RaceModel model_;
  LookRunner looks_;
  LoadMonitor load_;
  RaceSetup* setup_;
  Panel* setupPanel_;
  ComparePage* page_;
  QTimer rest_;         // after the last change
  bool due_ = false;    // something changed since the last race
  bool timed_ = false;  // another room times something
  QString outcome_;     // of the last race or look
};

}  // namespace sscope
