#pragma once
// The line above the Wavelet room's pictures: what is shown, and the layout.

#include "ui/controls/two_row_bar.h"
#include "ui/model/session_model.h"

class QToolButton;

namespace sscope {

class SegmentRow;

class WaveletBar : public TwoRowBar {
  Q_OBJECT
 public:
  explicit WaveletBar(SessionModel& model, QWidget* parent = nullptr);

 private:
  // One change of how the room looks.
  template <class Change>
  void edit(const Change& change);
  void refresh();

  SessionModel& model_;
  SegmentRow* show_;
  SegmentRow* layouts_;
  QToolButton* pyramid_;
};

}  // namespace sscope
