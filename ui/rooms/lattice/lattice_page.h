#pragma once
// The page of the Lattice room: its fields and solves, or what to begin with while nothing is open.

#include <QTimer>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/lattice/job/lattice_settings.h"
#include "ui/base/toolbox.h"
#include "ui/model/export_offer.h"
#include "ui/rooms/lattice/lattice_controller.h"
#include "ui/rooms/lattice/lattice_fields.h"

class QLabel;
class QSlider;
class QStackedLayout;
class QTabWidget;
class QToolButton;

namespace sscope {

class NumberBox;
class SolvePanel;
enum class SolveField;

// Chooses the time slice with a slider, and plays all slices.
class TimePlayer : public QWidget {
  Q_OBJECT
 public:
  explicit TimePlayer(QWidget* parent = nullptr);
  // slices >= 1; keeps the current slice if it still exists.
  void setSlices(int slices);
  // For fields without time: shows `why` instead of a slice.
  void setTimeless(const QString& why);
  [[nodiscard]] int slices() const { return slices_; }
  [[nodiscard]] int slice() const;
  void setSlice(int slice);
  [[nodiscard]] bool playing() const { return timer_.isActive(); }
  void setPlaying(bool playing);
  void step(int by);  // wraps around
  [[nodiscard]] int framesPerSecond() const { return framesPerSecond_; }

 Q_SIGNALS:
  // `playing`: more slices will follow soon.
  void sliceChanged(int slice, bool playing);

 private:
  void showSlice();

  QTimer timer_;
  QToolButton* play_;
  QSlider* slider_;
  QLabel* label_;
  NumberBox* rate_;
  QLabel* unit_;
  std::optional<QString> timeless_;
  int slices_ = 1, framesPerSecond_ = 8;
};

class LatticePage : public QWidget {
  Q_OBJECT
 public:
  LatticePage(const Toolbox& toolbox, LatticeController& controller, QWidget* parent = nullptr);
  [[nodiscard]] LatticeFields& fields() { return *fields_; }
  [[nodiscard]] SolvePanel& solve() { return *solve_; }
  [[nodiscard]] bool solving() const;  // whether the Solve tab is open
  [[nodiscard]] QTabWidget& tabs() { return *tabs_; }
  // What the open tab can export. Fields: the field, this slice and all, pictures, then PNG and CSV of each chart.
  // `scale`: pixels per logical pixel.
  [[nodiscard]] std::vector<ExportOffer> exportOffers(double scale);
  // The present settings of the room. What it does not know is as in `before`: a file that could not be opened, or the
  // field that was shown before one that sessions do not store.
  [[nodiscard]] LatticeSettings settings(const LatticeSettings& before) const;
  // Applies field, flow time and the settings of the solve, and opens the Solve tab if those change. Keeps what is open
  // and the time slice.
  void apply(const LatticeSettings& settings);
  // Opens or generates the configuration; keeps what is open if the settings have none.
  void restore(const LatticeSettings& settings);
  // How suggested file names begin: "atb_nersc".
  [[nodiscard]] QString exportStem() const;
  // Handles Space, 0 to 4, comma and period; returns false for other keys.
  bool takeKey(int key);

 Q_SIGNALS:
  void openRequested();
  void generateRequested();
  void exportRequested(const QString& suffix);  // of an offer
  void offersChanged();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* buildBeginning();
  void showStack();
  void followSolve();
  void offerFields();
  void showField(SolveField field);
  void applyChoices(const LatticeSettings& settings);

  const Toolbox& toolbox_;
  LatticeController& controller_;
  QStackedLayout* stack_;
  QTabWidget* tabs_;
  LatticeFields* fields_;
  SolvePanel* solve_;
};

}  // namespace sscope
