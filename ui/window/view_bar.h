#pragma once
// The line above the views: source, result or both, which filter, which component, the window, the layout.

#include <QWidget>
#include <map>

#include "ui/model/session_model.h"
#include "ui/views/volume_views.h"

class QButtonGroup;
class QComboBox;
class QLabel;
class QToolButton;

namespace sscope {

class NumberBox;

class ViewBar : public QWidget {
  Q_OBJECT
 public:
  ViewBar(SessionModel& model, VolumeViews& views, QWidget* parent = nullptr);

  // In a narrow window the words beside the number boxes go; their tips say the same.
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] int wordsWidth() const;
  void fillFilters();
  void fillComponents();
  void refresh();
  void refreshWindow();
  void editWindow();
  void setAutomatic();
  [[nodiscard]] bool windowOfResult() const;

  SessionModel& model_;
  VolumeViews& views_;
  QButtonGroup* show_;
  QButtonGroup* layouts_;
  QComboBox* filter_;
  QComboBox* component_;
  QLabel* windowLabel_;
  QLabel* levelLabel_;
  NumberBox* width_;
  NumberBox* level_;
  QToolButton* automatic_;
};

}  // namespace sscope
