#pragma once
// What a row of the bank computes, in words: of its taps, or of the stages that it is made of.

#include <QString>

#include "core/filter/families/program.h"
#include "core/filter/recipe.h"

namespace sscope {

// What the picture of the taps does not say; of rows without taps, all there is to say.
[[nodiscard]] QString partWords(const ProgramPart& part);

}  // namespace sscope
