#include "ui/charts/engine_colors.h"

#include <map>
#include <string>

namespace sscope {

namespace {

constexpr QRgb kOrange = 0xE69F00, kSkyBlue = 0x56B4E9, kGreen = 0x009E73, kYellow = 0xF0E442, kBlue = 0x0072B2,
               kVermilion = 0xD55E00, kPurple = 0xCC79A7;

// Devices of one kind have different shades, which repeat after four.
QColor shaded(QRgb color, int index) {
  static constexpr int kLightness[] = {100, 128, 78, 150};
  return QColor(color).lighter(kLightness[index % 4]);
}

QColor colorOf(EngineKind kind, std::size_t place) {
  constexpr std::array kLevels{kYellow, kSkyBlue, kBlue, kGreen};
  const int round = static_cast<int>(place);
  switch (kind) {
    case EngineKind::Cpu: return shaded(kLevels[place % kLevels.size()], round / static_cast<int>(kLevels.size()));
    case EngineKind::OpenCl: return shaded(kOrange, round);
    case EngineKind::Cuda: return shaded(kVermilion, round);
    case EngineKind::Peer: break;
  }
  return QColor(kPurple);
}

// Used on the window's thread only.
std::map<std::string, QColor, std::less<>>& colors() {
  static std::map<std::string, QColor, std::less<>> all;
  return all;
}

}  // namespace

void giveEngineColors(std::span<const EngineInfo> engines) {
  colors().clear();
  std::map<EngineKind, std::size_t> places;
  for (const EngineInfo& info : engines) colors()[info.id] = colorOf(info.kind, places[info.kind]++);
}

QColor engineColor(std::string_view engineId) {
  const auto found = colors().find(engineId);
  if (found != colors().end()) return found->second;
  // Joined engines: halfway between the first and the others.
  if (const std::size_t plus = engineId.find('+'); plus != std::string_view::npos) {
    const QColor a = engineColor(engineId.substr(0, plus)), b = engineColor(engineId.substr(plus + 1));
    return {(a.red() + b.red()) / 2, (a.green() + b.green()) / 2, (a.blue() + b.blue()) / 2};
  }
  return QColor(kPurple);
}

QColor phaseColor(std::string_view engineId, Phase phase) {
  const QColor pure = engineColor(engineId);
  switch (phase) {
    case Phase::Compile: return pure.darker(190);
    case Phase::Upload: return pure.darker(138);
    case Phase::Kernel: return pure;
    case Phase::Download: break;
  }
  float h = 0, s = 0, l = 0;
  pure.getHslF(&h, &s, &l);
  return QColor::fromHslF(h, s * 0.8F, l + (1 - l) * 0.5F);
}

QColor absentColor() { return {0x99, 0x99, 0x99}; }

}  // namespace sscope
