#pragma once
// The line below the views that says what their colors mean, and the norms of the difference where one is shown.

#include <QWidget>

#include "ui/model/session_model.h"
#include "ui/views/volume_views.h"

class QLabel;

namespace sscope {

class ColorBar;
class ElidedLabel;

class LookStrip : public QWidget {
  Q_OBJECT
 public:
  LookStrip(SessionModel& model, VolumeViews& views, QWidget* parent = nullptr);

 private:
  void refresh();
  void showDifference(const ShownDifference& difference);

  SessionModel& model_;
  VolumeViews& views_;
  ColorBar* colors_;
  QLabel* what_;
  ElidedLabel* norms_;
};

}  // namespace sscope
