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

// Assigns a color to every engine of the machine, by its kind and its position among engines of that kind, absent ones
// included. All functions here are for the window's thread.
void giveEngineColors(std::span<const EngineInfo> engines);
// One color for all engines without an assigned one.
[[nodiscard]] QColor engineColor(std::string_view engineId);
// A shade of the engine's color; the kernel is the pure color.
[[nodiscard]] QColor phaseColor(std::string_view engineId, Phase phase);
// Of engines that are absent on this machine.
[[nodiscard]] QColor absentColor();

}  // namespace sscope
