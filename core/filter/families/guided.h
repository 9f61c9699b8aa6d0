#pragma once
// The guided filter: smooth where another image is even.

#include "core/filter/families/family.h"

namespace sscope {

[[nodiscard]] FilterFamily guidedFamily();

}  // namespace sscope
