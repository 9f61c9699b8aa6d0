#pragma once
// Norms of a difference in words.

#include <QString>

#include "core/volume/slice_difference.h"

namespace sscope {

// "RMS 2.31 · max 20.4", for a corner of a view.
[[nodiscard]] QString shortNorms(const DifferenceNorms& norms);
// All of them; the ratio of signal to noise only where `decibels` asks for it.
[[nodiscard]] QString allNorms(const DifferenceNorms& norms, bool decibels);
// What they mean, for a tooltip.
[[nodiscard]] QString normsHelp();

}  // namespace sscope
