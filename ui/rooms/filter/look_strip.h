#pragma once
// Colors and comparison of the slices: a popup with the settings, and a line with their meaning above the views.

#include <QFrame>
#include <QWidget>

#include "ui/controls/setting_controls.h"
#include "ui/model/session_model.h"
#include "ui/views/volume_views.h"

class QLabel;

namespace sscope {

class ColorBar;
class ElidedLabel;

// Colors, inversion, gamma and details of the comparison, below a button of the bar.
class LookPopup : public QFrame {
  Q_OBJECT
 public:
  LookPopup(SessionModel& model, SettingControls& controls, QWidget* parent);
  // Below this widget, inside the screen.
  void showBelow(const QWidget& button);

 Q_SIGNALS:
  void windowChosen(double low, double high);  // a window of computed tomography

 private:
  void followData();

  SessionModel& model_;
  QWidget* windows_;
};

// Shown while source and result are compared or colored: the kind of comparison, the color bar, and the norms of the
// difference.
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
