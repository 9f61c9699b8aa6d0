#pragma once
// Colors, inversion, gamma and details of the comparison, below a button of the bar.

#include <QFrame>
#include <QWidget>

#include "ui/controls/setting_controls.h"
#include "ui/model/session_model.h"
#include "ui/views/volume_views.h"

class QLabel;

namespace sscope {

class LookPopup : public QFrame {
  Q_OBJECT
 public:
  LookPopup(SessionModel& model, SettingControls& controls, QWidget* parent);
  // Below this widget, inside the screen.
  void showBelow(const QWidget& button);

 Q_SIGNALS:
  void windowChosen(double low, double high);  // one of a computed tomography

 private:
  void followData();

  SessionModel& model_;
  QWidget* windows_;
};

// The line between bar and views while source and result are compared, or shown in colors: how they are compared, what
// the colors mean, and the norms of the difference.

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
