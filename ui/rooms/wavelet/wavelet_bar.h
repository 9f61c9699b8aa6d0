#pragma once
// The line above the Wavelet room's pictures: what is shown, and the layout.

#include "ui/controls/two_row_bar.h"
#include "ui/model/session_model.h"

class QButtonGroup;
class QToolButton;

namespace sscope {

class WaveletBar : public TwoRowBar {
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
