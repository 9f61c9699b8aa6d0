#pragma once
// The laboratory below the views: impulse response, spectrum and figures of the shown filter, coverage of the bank.

#include <QElapsedTimer>
#include <QWidget>
#include <vector>

#include "core/filter/laboratory/laboratory.h"
#include "ui/base/background_task.h"
#include "ui/controls/setting_controls.h"
#include "ui/model/export_offer.h"
#include "ui/model/session_model.h"
#include "ui/rooms/filter/laboratory_plots.h"

class QLabel;
class QScrollArea;
class QToolButton;

namespace sscope {

class CurveChart;
class HeatChart;
class SegmentRow;

// Computes on another thread, again whenever the bank, the data or its settings change; newer requests replace long
// ones.
class LaboratoryPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LaboratoryPanel(SessionModel& model, QWidget* parent = nullptr);
  ~LaboratoryPanel() override;
  void toggle();
  // Computes nothing while paused; the last request follows.
  void setPaused(bool paused);
  [[nodiscard]] bool busy() const { return task_.busy(); }
  void cancel() { task_.cancel(); }
  // Finishes the computation before it returns. For screenshots.
  void finish();
  // The charts and figures that are visible.
  void addOffers(std::vector<ExportOffer>& offers, double scale);

 Q_SIGNALS:
  void busyChanged(bool busy);
  void shownChanged();  // addOffers() adds others now
  void exportRequested(const QString& stem, bool png);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void build();
  void follow();
  void chooseFields();
  void refresh();
  void start();
  void setPlots(LaboratoryPlots plots);
  void show(const LaboratoryAnswer& answer);
  void say(const QString& note);
  void showFigures(const FigureList& figures, const QString& words);
  [[nodiscard]] bool volume() const;
  [[nodiscard]] QString unit() const;
  [[nodiscard]] LaboratoryWish wish() const;

  SessionModel& model_;
  SettingControls controls_;
  SegmentRow* pages_;
  QLabel* doing_;
  HeatChart *first_, *second_;
  CurveChart *curves_, *phase_;
  QLabel* figures_;
  QScrollArea* figuresArea_;
  FigureList shownFigures_;
  std::optional<LaboratoryAnswer> answer_;
  MeasuredRow measured_;
  bool wanted_ = false, paused_ = false;
  QElapsedTimer since_;
  BackgroundTask task_;  // last member, so that it ends before the others are destroyed
};

}  // namespace sscope
