#pragma once
// The settings of the 3D view below the views: kind, preset, transfer function over the histogram, level, crop.

#include <QWidget>
#include <vector>

#include "ui/controls/setting_controls.h"
#include "ui/rooms/filter/view_link.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QMenu;
class QStackedWidget;
class QToolButton;

namespace sscope {

class ElidedLabel;
class Gesture;
class NumberBox;
class TransferEditor;
class ValueSlider;

class VolumePanel : public QWidget {
  Q_OBJECT
 public:
  VolumePanel(SessionModel& model, VolumeViews& views, VolumeLink& link, QWidget* parent = nullptr);
  void toggle();
  // Entries for kinds and looks of the 3D view, and for showing this panel.
  void addToMenu(QMenu& menu);

 private:
  struct Choice {
    QString title, name, tip;
    bool ofData = true;  // suits the kind of the data
  };
  [[nodiscard]] std::vector<Choice> choices() const;
  void buildHead(QHBoxLayout* row);
  void buildLevel(QHBoxLayout* row);
  [[nodiscard]] QWidget* buildCrop();
  void follow();
  void refresh();
  void refreshPresets();
  void refreshLevel();
  void refreshEditor();
  // 0 source, 1 result.
  [[nodiscard]] std::size_t side() const;
  [[nodiscard]] std::shared_ptr<const VolumeInsight> insight() const;
  void choosePreset(const QString& name);
  void takePoints(const QString& gesture);
  void chooseColor();
  void takeLevel(std::optional<double> level, const QString& gesture);
  void reset();
  // Edits a copy of the settings, as a step of undo.
  template <class Change>
  void change(const Change& change, const QString& gesture = {});

  SessionModel& model_;
  VolumeViews& views_;
  VolumeLink& link_;
  SettingControls controls_;
  QComboBox* side_;
  QComboBox* preset_;
  QToolButton* cut_;
  QWidget* levelLine_;
  QLabel* levelUnit_;
  ValueSlider* levelSlider_;
  NumberBox* levelBox_;
  QToolButton* levelAuto_;
  Gesture* levelGesture_;
  ElidedLabel* why_;
  QStackedWidget* pages_;
  TransferEditor* editor_;
};

}  // namespace sscope
