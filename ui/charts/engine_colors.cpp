#include "ui/charts/engine_colors.h"

#include <charconv>

namespace sscope {

namespace {

constexpr QRgb kOrange = 0xE69F00, kSkyBlue = 0x56B4E9, kGreen = 0x009E73, kYellow = 0xF0E442, kBlue = 0x0072B2,
               kVermilion = 0xD55E00, kPurple = 0xCC79A7;

int indexAfterColon(std::string_view id) {
  const auto colon = id.find(':');
  int index = 0;
  if (colon != std::string_view::npos) std::from_chars(id.data() + colon + 1, id.data() + id.size(), index);
  return index;
}

// The second device of a kind is a shade away from the first, the third further, then again.
QColor shaded(QRgb color, int index) {
  static constexpr int kLightness[] = {100, 128, 78, 150};
  return QColor(color).lighter(kLightness[index % 4]);
}

}  // namespace

QColor engineColor(std::string_view engineId) {
  if (engineId == "cpu:scalar") return QColor(kYellow);
  if (engineId == "cpu:sse4") return QColor(kSkyBlue);
  if (engineId == "cpu:avx2") return QColor(kBlue);
  if (engineId == "cpu:avx512") return QColor(kGreen);
  if (engineId.starts_with("opencl:")) return shaded(kOrange, indexAfterColon(engineId));
  if (engineId.starts_with("cuda:")) return shaded(kVermilion, indexAfterColon(engineId));
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
