#pragma once
// Chooses the time point of the open file; shown above the pictures if the file has several.

#include <QWidget>

#include "ui/model/frame_loader.h"
#include "ui/model/session_model.h"

class QLabel;
class QSlider;
class QToolButton;

namespace sscope {

class TimeBar : public QWidget {
  Q_OBJECT
 public:
  TimeBar(SessionModel& model, FrameLoader& frames, QWidget* parent = nullptr);
  // Whether the room shows data at all.
  void setOffered(bool offered);

 private:
  void refresh();

  SessionModel& model_;
  FrameLoader& frames_;
  QSlider* slider_;
  QLabel* text_;
  QToolButton* all_;
  bool offered_ = true;
};

}  // namespace sscope
