#pragma once
// One color per engine, the same everywhere: Okabe and Ito's palette, distinguishable by color-blind people.

#include <array>
#include <string_view>

#include <QColor>

namespace sscope {

enum class Phase { Compile, Upload, Kernel, Download };
inline constexpr std::array kPhases{Phase::Compile, Phase::Upload, Phase::Kernel, Phase::Download};

// Stable: depends on the id alone ("cpu:avx2", "opencl:0", "cuda:1").
[[nodiscard]] QColor engineColor(std::string_view engineId);
// A shade of the engine's color; the kernel is the pure color.
[[nodiscard]] QColor phaseColor(std::string_view engineId, Phase phase);
// Of engines that are absent on this machine.
[[nodiscard]] QColor absentColor();

}  // namespace sscope
