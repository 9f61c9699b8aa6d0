#pragma once
// The line between bar and views while source and result are compared, or shown in colors: how they are compared, what
// the colors mean, and the norms of the difference.

#include <QWidget>

#include "ui/controls/setting_controls.h"
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
  SettingControls controls_;
  ColorBar* colors_;
  QLabel* what_;
  ElidedLabel* norms_;
};

}  // namespace sscope
