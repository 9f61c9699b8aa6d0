#pragma once
// One function per sample. `size` is at least 1; the seed matters only to samples with noise.

#include <cstdint>

#include "core/base/control.h"
#include "core/volume/volume.h"

namespace sscope::generate {

[[nodiscard]] Volume marschnerLobb(std::int64_t size, std::uint64_t seed, const Control& control);
[[nodiscard]] Volume sheppLogan(std::int64_t size, std::uint64_t seed, const Control& control);
[[nodiscard]] Volume gyroid(std::int64_t size, std::uint64_t seed, const Control& control);
[[nodiscard]] Volume hydrogen(std::int64_t size, std::uint64_t seed, const Control& control);
[[nodiscard]] Volume foam(std::int64_t size, std::uint64_t seed, const Control& control);
[[nodiscard]] Volume zonePlate(std::int64_t size, std::uint64_t seed, const Control& control);
[[nodiscard]] Volume siemensStar(std::int64_t size, std::uint64_t seed, const Control& control);
[[nodiscard]] Volume calibration(std::int64_t size, std::uint64_t seed, const Control& control);

}  // namespace sscope::generate
