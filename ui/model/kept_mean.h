#pragma once

#include "ui/model/session_model.h"

namespace sscope {

// Whether the shown filter keeps the mean of the data, so that its result is in the same quantity: the taps sum to 1,
// or it chooses one of the values it reads, and so do the rows on the way from the data to it. False where there is
// none.
[[nodiscard]] bool shownFilterKeepsMean(const SessionModel& model);

}  // namespace sscope
