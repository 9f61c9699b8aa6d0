#pragma once

#include "app/setup.h"

namespace sscope::cli {

// All engines and variants, those of the peers among them where they were built.
[[nodiscard]] Workshop makeBenchWorkshop();

}  // namespace sscope::cli
