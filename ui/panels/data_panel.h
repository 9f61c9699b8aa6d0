#pragma once
// The Data panel: opening files, recent files and samples, the file's description, and the histogram.

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

#include "ui/base/background_task.h"
#include "ui/base/toolbox.h"
#include "ui/model/data_loader.h"
#include "ui/model/paths.h"
#include "ui/model/session_model.h"

class QFormLayout;
class QLabel;
class QMenu;
class QProgressBar;
class QToolButton;

namespace sscope {

class ElidedLabel;
class FactLabel;
class HistogramView;
class Notice;
class ResidentArray;
class SegmentRow;

class DataPanel : public QWidget {
  Q_OBJECT
 public:
  DataPanel(const Toolbox& toolbox, SessionModel& model, DataLoader& loader, RecentFiles& recent,
            QWidget* parent = nullptr);

  [[nodiscard]] HistogramView& histogram() { return *histogram_; }
  [[nodiscard]] HistogramView& resultHistogram() { return *resultHistogram_; }
  [[nodiscard]] Notice& notice() { return *notice_; }
  // Whether the panel can show the histogram of a result instead of the source's.
  void offerResult(bool offered);
  // The result, counted where it is stored and only while its histogram is shown. Null: none.
  void setResult(const std::shared_ptr<ResidentArray>& result);
  // Stops for more urgent work; setResult() counts again.
  void stopCounting();

 Q_SIGNALS:
  void openRequested();

 private:
  QWidget* buildButtons(const Toolbox& toolbox);
  QWidget* buildProgress();
  void fillRecent();
  void showData();
  FactLabel* addRow(const QString& label, const QString& text, const QString& tip = {});
  // Makes a row edit this key of corrections. `typed`: the text of its field at first.
  void makeEditable(FactLabel* row, const char* key, const QString& name, const QString& typed);
  void showAxes(const OpenData& open);
  void askFor(const std::string& name, const VolumeInfo* info, const std::function<void(const QString&)>& use);
  void countValues();
  void showLarge(const reach::LargeVolume& large);
  void showStatistics(const VolumeStatistics& found, std::int64_t elements);
  QWidget* buildChoice();
  void correct();
  void showMade();
  void useFilters();
  void openRaw();
  void countResult();
  void showRange();

  VolumeIo& io_;
  SessionModel& model_;
  DataLoader& loader_;
  RecentFiles& recent_;
  QMenu* recentMenu_;
  ElidedLabel* name_;
  QFormLayout* facts_;
  QLabel* range_ = nullptr;
  QLabel* mean_ = nullptr;
  QLabel* notices_;
  QToolButton* correct_;
  QToolButton* useFilters_;
  std::optional<FilterBank> madeBy_;  // the bank by which the open file was made
  SegmentRow* choice_;                // source or result
  QWidget* choiceRow_;
  QLabel* resultRange_;
  HistogramView* histogram_;
  HistogramView* resultHistogram_;
  std::weak_ptr<ResidentArray> result_, counted_;
  bool resultOffered_ = false, resultChosen_ = false;
  Notice* notice_;
  QWidget* progressRow_;
  QProgressBar* progress_;
  ElidedLabel* progressText_;
  BackgroundTask counting_;
};

}  // namespace sscope
