#pragma once
// One color per engine, the same everywhere: Okabe and Ito's palette, distinguishable by color-blind people.

#include <array>
#include <span>
#include <string_view>

#include <QColor>

#include "core/engine/engine.h"

namespace sscope {

enum class Phase { Compile, Upload, Kernel, Download };
inline constexpr std::array kPhases{Phase::Compile, Phase::Upload, Phase::Kernel, Phase::Download};

// Gives every engine of the machine its color, by its kind and its place among those of its kind; absent ones keep
// their places. On the window's thread, as all that follows.
void giveEngineColors(std::span<const EngineInfo> engines);
// One color for all engines that got none.
[[nodiscard]] QColor engineColor(std::string_view engineId);
// A shade of the engine's color; the kernel is the pure color.
[[nodiscard]] QColor phaseColor(std::string_view engineId, Phase phase);
// Of engines that are absent on this machine.
[[nodiscard]] QColor absentColor();

}  // namespace sscope
