#pragma once
// The controls of the heat bath.

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
  void tellSize();

  ExtentsRow* extents_;
  NumberBox* beta_;
  QComboBox* start_;
  NumberBox* sweeps_;
  NumberBox* seed_;
  QPushButton* generate_;
};

// Opens, generates and saves configurations; shows the file's description and checks.

class ExtentsRow;
class GenerateStrip;
class ElidedLabel;
class Notice;

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
  void showWork();
  // mark: 1 right, 0 not said, -1 wrong.
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
  QString unnamed_;  // the file that needs its extents
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
