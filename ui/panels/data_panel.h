#pragma once
// The Data panel: opening files, recent files and samples, the file's description, and the histogram.

#include <QWidget>

#include "ui/base/background_task.h"
#include "ui/model/data_loader.h"
#include "ui/model/recent_files.h"
#include "ui/model/session_model.h"
#include "ui/toolbox.h"

class QFormLayout;
class QLabel;
class QMenu;
class QProgressBar;

namespace sscope {

class ElidedLabel;
class HistogramView;
class Notice;

class DataPanel : public QWidget {
  Q_OBJECT
 public:
  DataPanel(const Toolbox& toolbox, SessionModel& model, DataLoader& loader, RecentFiles& recent,
            QWidget* parent = nullptr);

  [[nodiscard]] HistogramView& histogram() { return *histogram_; }
  [[nodiscard]] Notice& notice() { return *notice_; }

 Q_SIGNALS:
  void openRequested();

 private:
  QWidget* buildButtons(const Toolbox& toolbox);
  QWidget* buildProgress();
  void fillRecent();
  void showData();
  QLabel* addRow(const QString& label, const QString& text, const QString& tip = {});
  void countValues();

  SessionModel& model_;
  DataLoader& loader_;
  RecentFiles& recent_;
  QMenu* recentMenu_;
  ElidedLabel* name_;
  QFormLayout* facts_;
  QLabel* range_ = nullptr;
  QLabel* mean_ = nullptr;
  QLabel* notices_;
  HistogramView* histogram_;
  Notice* notice_;
  QWidget* progressRow_;
  QProgressBar* progress_;
  ElidedLabel* progressText_;
  BackgroundTask counting_;
};

}  // namespace sscope
