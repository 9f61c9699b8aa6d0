#pragma once
// The panel of the configuration: opens, generates and saves it; shows its description and checks.

#include <QWidget>
#include <array>

#include "core/lattice/job/lattice_job.h"
#include "ui/model/paths.h"
#include "ui/rooms/lattice/lattice_controller.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace sscope {

class ElidedLabel;
class Notice;
class NumberBox;

// Four boxes for the extents along x, y, z and t.
class ExtentsRow : public QWidget {
  Q_OBJECT
 public:
  explicit ExtentsRow(const char* name, QWidget* parent = nullptr);
  void setExtents(const lattice::Extents& extents);
  [[nodiscard]] lattice::Extents extents() const;

 Q_SIGNALS:
  void edited();
  void corrected(const QString& reason, const QString& control);  // as in NumberBox

 private:
  std::array<NumberBox*, 4> boxes_{};
};

// The controls of the heat bath.
class GenerateStrip : public QWidget {
  Q_OBJECT
 public:
  explicit GenerateStrip(QWidget* parent = nullptr);
  [[nodiscard]] GenerateSettings settings() const;
  void setSettings(const GenerateSettings& settings);
  void setBusy(bool busy);

 Q_SIGNALS:
  void generateRequested(const sscope::GenerateSettings& settings);
  void corrected(const QString& reason, const QString& control);  // as of a NumberBox

 private:
  void showSize();

  ExtentsRow* extents_;
  NumberBox* beta_;
  QComboBox* start_;
  NumberBox* sweeps_;
  NumberBox* seed_;
  QPushButton* generate_;
};

class LatticeSetup : public QWidget {
  Q_OBJECT
 public:
  LatticeSetup(LatticeController& controller, RecentFiles& recent, QWidget* parent = nullptr);
  [[nodiscard]] Notice& notice() { return *notice_; }
  // Shows the controls of the heat bath and focuses them.
  void beginGenerating();
  void chooseTarget();

 Q_SIGNALS:
  void openRequested();                     // by a dialog
  void fileRequested(const QString& path);  // one of the recent ones
  void saveRequested(const QString& path);  // of the open configuration; overwriting was not confirmed yet

 private:
  QWidget* buildButtons();
  QWidget* buildExtents();
  QWidget* buildProgress();
  void fillRecent();
  void showConfiguration();
  void showProgressRow();
  // mark: 1 correct, 0 not checked, -1 wrong.
  void addRow(const QString& label, const QString& text, int mark, const QString& tip);

  LatticeController& controller_;
  RecentFiles& recent_;
  QMenu* recentMenu_;
  QToolButton* generate_;
  QToolButton* save_;
  Notice* notice_;
  GenerateStrip* strip_;
  QWidget* extentsBox_;
  ExtentsRow* extents_;
  QPushButton* withExtents_;
  QString withoutExtents_;  // the file that needs them
  QWidget* progressRow_;
  QLabel* progressText_;
  QProgressBar* progress_;
  ElidedLabel* name_;
  QFormLayout* facts_;
  QFormLayout* header_;
  QLabel* headerTitle_;
  QLabel* notices_;
};

}  // namespace sscope
