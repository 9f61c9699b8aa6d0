#pragma once
// Where the result lives, and what its engine holds of the memory of its device.

#include <QString>

#include "core/engine/engine.h"
#include "core/filter/job/filter_job.h"

namespace sscope {

struct ResultPlace {
  QString text;    // "on CUDA device 0", "in memory"; empty: there is no result
  QString memory;  // what is held of the memory there: "1.2 of 80 GB"
  QString tip;     // what that means, as rich text
};
// `result` may be null.
[[nodiscard]] ResultPlace placeOf(const ResidentFilterResult* result, const EngineSet& engines);

}  // namespace sscope
