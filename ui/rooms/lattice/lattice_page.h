#pragma once
// Chooses the time slice: a slider, and a button that plays all slices.

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
  void tell();

  QTimer timer_;
  QToolButton* play_;
  QSlider* slider_;
  QLabel* label_;
  NumberBox* rate_;
  QLabel* unit_;
  std::optional<QString> timeless_;
  int slices_ = 1, framesPerSecond_ = 8;
};

// The middle of the Lattice room: its fields in pictures; what to begin with while nothing is open.

class SolvePanel;
enum class SolveField;

class LatticePage : public QWidget {
  Q_OBJECT
 public:
  LatticePage(const Toolbox& toolbox, LatticeController& controller, QWidget* parent = nullptr);
  [[nodiscard]] LatticeFields& fields() { return *fields_; }
  [[nodiscard]] SolvePanel& solve() { return *solve_; }
  [[nodiscard]] bool solving() const;  // that tab is open
  [[nodiscard]] QTabWidget& tabs() { return *tabs_; }
  // Of the open tab. Fields: the field, this slice and all, pictures, then PNG and CSV of each chart. `scale`: pixels
  // for each logical one.
  [[nodiscard]] std::vector<ExportOffer> exportOffers(double scale);
  // As the room stands now; of what it does not know, as `before`: a file that could not be opened, the field shown
  // before one that is in no session.
  [[nodiscard]] LatticeSettings settings(const LatticeSettings& before) const;
  // Field, flow time and solve, which is seen then where it changes; what is open and the time slice stay as they are.
  void apply(const LatticeSettings& settings);
  // Opens or generates the configuration; what is open stays when the settings name none. A file that cannot be opened
  // is told where the others are.
  void restore(const LatticeSettings& settings);
  // Begins the suggested names of files: "atb_nersc".
  [[nodiscard]] QString exportStem() const;
  // Space, 0 to 4, comma and period; false: another key.
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
