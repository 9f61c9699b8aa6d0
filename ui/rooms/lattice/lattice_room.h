#pragma once
// The Lattice room: gauge configurations, their fields, and solvers on them.

#include <QElapsedTimer>
#include <functional>
#include <optional>

#include "core/lattice/job/lattice_settings.h"
#include "ui/rooms/lattice/lattice_controller.h"
#include "ui/rooms/room.h"

namespace sscope {

class LatticePage;
class LatticeSetup;
class SolvePanel;

class LatticeRoom : public Room {
  Q_OBJECT
 public:
  static constexpr const char* kKey = "lattice";
  explicit LatticeRoom(const Desk& desk, QObject* parent = nullptr);

  [[nodiscard]] LatticeController& controller() { return controller_; }
  [[nodiscard]] LatticePage& latticePage() { return *page_; }
  void openConfiguration(const QString& path);

  [[nodiscard]] RoomSign sign() const override;
  [[nodiscard]] QWidget& page() override;
  [[nodiscard]] RoomPanels panels() const override;
  void setShown(bool shown) override;
  void hold(bool timed, bool elsewhere) override;
  [[nodiscard]] bool computes() const override { return true; }
  [[nodiscard]] bool computing() const override { return controller_.busy(); }
  [[nodiscard]] bool timing() const override;
  void othersBegan() override;
  void runAgain() override {}
  void cancel() override;
  [[nodiscard]] std::vector<ExportOffer> exportOffers(double scale) override;
  [[nodiscard]] QString exportStem() const override;
  void finishDrawing() override;
  bool takeKey(int key) override;
  [[nodiscard]] QString document() const override;
  [[nodiscard]] std::optional<OpenWords> openWords() const override;
  void openingHere(const QString& path) override { opening_ = path; }
  void addOpenFiles(InputFiles& files) const override;
  void keep() override;
  void restore(const Session& session) override;

 private:
  void follow();
  void followOpening();
  void followSolve();
  void showStatus(const QString& text);
  void showField();  // in the status line
  void sendField(bool all);
  void saveAs(const QString& path);
  void followSettings();
  // Changes the present settings as one undo step.
  void edit(const std::function<void(LatticeSettings&)>& change, const QString& gesture);

  Desk desk_;
  LatticeController controller_;
  LatticePage* page_;
  LatticeSetup* setup_;
  Panel *setupPanel_, *fieldPanel_;
  QElapsedTimer since_;
  std::optional<qint64> milliseconds_;  // for the shown field; empty: it was not computed from links
  LatticeSettings known_;               // the settings that were stored last
  bool applying_ = false;               // settings are being applied to the room, or stored
  bool restoring_ = false;              // a session that has settings of this room is being opened
  QString opening_;                     // what is being opened from this room
};

}  // namespace sscope
