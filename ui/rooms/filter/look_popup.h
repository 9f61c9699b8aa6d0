#pragma once
// Colors, inversion, gamma and details of the comparison, below a button of the bar.

#include <QFrame>

#include "ui/controls/setting_controls.h"
#include "ui/model/session_model.h"

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

}  // namespace sscope
