#pragma once

#include "app/setup/setup.h"

namespace sscope::cli {

// All engines and variants, including peers if they were built.
[[nodiscard]] Workshop makeBenchWorkshop();

}  // namespace sscope::cli
