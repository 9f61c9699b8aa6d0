#pragma once
// The line above the Wavelet room's pictures: what is shown, and the layout.

#include <QWidget>

#include "ui/model/session_model.h"

class QButtonGroup;
class QToolButton;

namespace sscope {

class WaveletBar : public QWidget {
  Q_OBJECT
 public:
  explicit WaveletBar(SessionModel& model, QWidget* parent = nullptr);

 private:
  void refresh();

  SessionModel& model_;
  QButtonGroup* show_;
  QButtonGroup* layouts_;
  QToolButton* pyramid_;
};

}  // namespace sscope
