#pragma once
// The bar above the views: source, result or comparison, filter, component, window, layout.

#include "ui/controls/setting_controls.h"
#include "ui/controls/two_row_bar.h"
#include "ui/model/session_model.h"
#include "ui/views/volume_views.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace sscope {

class LookPopup;
class NumberBox;
class SegmentRow;

class ViewBar : public TwoRowBar {
  Q_OBJECT
 public:
  ViewBar(SessionModel& model, VolumeViews& views, QWidget* parent = nullptr);

 Q_SIGNALS:
  void profileRequested();  // to show or hide the line profile
  void laboratoryRequested();
  void volumeRequested();

 protected:
  // In a narrow window, letters replace the texts beside the number boxes.
  [[nodiscard]] int wordsWidth() const override;
  void showWords(bool shown) override;
  [[nodiscard]] QString windowWord(bool whole) const;
  [[nodiscard]] static QString levelWord(bool whole);

 private:
  void buildChoice(QHBoxLayout* row);
  void buildWindow(QHBoxLayout* row);
  void buildLook(QHBoxLayout* row);
  void follow();
  void fillFilters();
  void fillComponents();
  void refresh();
  void refreshWindow();
  void editWindow();
  void setAutomatic();
  void chooseWindow(double low, double high);
  // The boxes show the range of the difference.
  [[nodiscard]] bool differs() const;
  void setRange(double range);
  [[nodiscard]] bool windowOfResult() const;

  SessionModel& model_;
  VolumeViews& views_;
  SettingControls controls_;
  SegmentRow* show_;
  SegmentRow* layouts_;
  QComboBox* filter_;
  QComboBox* component_;
  QLabel* windowLabel_;
  QLabel* levelLabel_;
  NumberBox* width_;
  NumberBox* level_;
  QToolButton* automatic_;
  QToolButton* look_;
  QToolButton* profile_;
  QToolButton* laboratory_;
  QToolButton* volume_;
  LookPopup* popup_;
  bool wholeWords_ = true;
};

}  // namespace sscope
