#include "core/report/display_list.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sscope::report {

namespace {

// The positions at which UTF-8 characters begin, and the end.
std::vector<std::size_t> charactersOf(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) starts.push_back(i);
  starts.push_back(text.size());
  return starts;
}

}  // namespace

void DisplayList::addLine(Point from, Point to, Paint paint, double lineWidth) {
  add(Polyline{{from, to}, paint, lineWidth});
}

void DisplayList::beginTarget(Target target) {
  open_ = targets.size();
  targets.push_back(std::move(target));
}

std::optional<std::size_t> DisplayList::targetAt(Point point) const {
  std::optional<std::size_t> best;
  double distance = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!targets[i].area.contains(point)) continue;
    const Point middle = targets[i].area.center();
    const double away = std::hypot(middle.x - point.x, middle.y - point.y);
    if (best && away > distance) continue;  // items painted later are on top
    best = i;
    distance = away;
  }
  return best;
}

std::string elided(const FontMeasure& font, const std::string& text, double width, bool bold) {
  if (font.width(text, bold) <= width) return text;
  const std::vector<std::size_t> starts = charactersOf(text);
  const std::size_t count = starts.size() - 1;
  for (std::size_t kept = count; kept-- > 1;) {
    const std::size_t head = starts[(kept + 1) / 2], tail = starts[count - kept / 2];
    std::string shorter = text.substr(0, head) + "…" + text.substr(tail);
    if (font.width(shorter, bold) <= width) return shorter;
  }
  return "…";
}

std::uint32_t magnitudeRgb(double share) {
  constexpr std::array<std::array<double, 3>, 9> kStops{{{0x44, 0x01, 0x54},
                                                         {0x47, 0x2D, 0x7B},
                                                         {0x3B, 0x52, 0x8B},
                                                         {0x2C, 0x72, 0x8E},
                                                         {0x21, 0x91, 0x8C},
                                                         {0x28, 0xAE, 0x80},
                                                         {0x5E, 0xC9, 0x62},
                                                         {0xAD, 0xDC, 0x30},
                                                         {0xFD, 0xE7, 0x25}}};
  const double place = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(place), kStops.size() - 2);
  const double t = place - static_cast<double>(below);
  std::uint32_t rgb = 0;
  for (std::size_t c = 0; c < 3; ++c)
    rgb = rgb << 8U |
          static_cast<std::uint32_t>(std::lround(kStops[below][c] + t * (kStops[below + 1][c] - kStops[below][c])));
  return rgb;
}

}  // namespace sscope::report
