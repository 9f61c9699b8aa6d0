#pragma once
// The controls of a look: what it is about, and what it does; one below the other where there is no room.

#include "ui/controls/two_row_bar.h"

namespace sscope {

class LookBar : public TwoRowBar {
 public:
  using TwoRowBar::first, TwoRowBar::second, TwoRowBar::TwoRowBar;
};

}  // namespace sscope
