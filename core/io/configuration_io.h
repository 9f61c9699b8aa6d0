#pragma once
// Files to gauge fields and back.

#include <memory>

#include "core/lattice/configuration.h"

namespace sscope {

[[nodiscard]] std::unique_ptr<lattice::ConfigurationIo> makeConfigurationIo();

}  // namespace sscope
