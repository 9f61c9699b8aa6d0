#pragma once
// Above the lanes: the button that races, whether to race again on every change, capsules and exports.

#include "ui/controls/two_row_bar.h"

class QPushButton;
class QToolButton;

namespace sscope {

class ElidedLabel;
class SettingControls;

class RaceBar : public TwoRowBar {
  Q_OBJECT
 public:
  // `controls` has the switch for racing again.
  RaceBar(SettingControls& controls, QWidget* parent);

  void showBusy(bool busy);
  void showDoing(const QString& text);
  void showCapsules(int count);

 Q_SIGNALS:
  void raceClicked();  // or Cancel, while a race runs
  void addRequested();
  void clearRequested();
  void exportRequested();

 private:
  QToolButton* button(const char* iconName, const QString& text, const QString& tip, const char* name);

  QPushButton* race_;
  ElidedLabel* doing_;
  QToolButton* clear_;
};

}  // namespace sscope
