#include "core/report/svg.h"

#include <fmt/core.h>

#include <array>

namespace sscope::report {

namespace {

constexpr double kFontSize = 12, kBaseline = 0.36;  // pixels; of the size, below the middle of a line

std::string colorOf(const Paint& paint) {
  switch (paint.role) {
    case Role::Ink: return "var(--ink)";
    case Role::Pale: return "var(--faint)";
    case Role::Grid: return "var(--grid)";
    case Role::Axis: return "var(--faint)";
    case Role::Paper: return "var(--paper)";
    case Role::Shade: return "var(--shade)";
    case Role::Own: break;
  }
  return fmt::format("#{:06x}", paint.rgb);
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "='" + value + "'";
}

std::string fillOf(Fill fill, const Paint& paint) {
  switch (fill) {
    case Fill::Solid: return attribute("fill", colorOf(paint));
    case Fill::Light: return attribute("fill", colorOf(paint)) + attribute("fill-opacity", "0.3");
    case Fill::Hollow: return attribute("fill", "var(--paper)");
    case Fill::None: break;
  }
  return attribute("fill", "none");
}

std::string written(const Rectangle& rectangle) {
  const Box& box = rectangle.box;
  std::string svg = "<rect" + attribute("x", number(box.left)) + attribute("y", number(box.top)) +
                    attribute("width", number(box.width)) + attribute("height", number(box.height)) +
                    fillOf(rectangle.fill, rectangle.paint);
  if (rectangle.fill != Fill::Solid)
    svg += attribute("stroke", colorOf(rectangle.paint)) + attribute("stroke-dasharray", "4 3");
  return svg + "/>";
}

std::string written(const Polyline& line) {
  constexpr std::array<const char*, 4> kDashes{"6 4", "2 3", "7 3 2 3", "9 3 2 3 2 3"};
  std::string path;
  for (const Point& point : line.points) path += (path.empty() ? "M" : "L") + number(point.x) + " " + number(point.y);
  if (line.fill != Fill::None) path += "z";
  std::string svg = "<path" + attribute("d", path) + fillOf(line.fill, line.paint) +
                    attribute("stroke", colorOf(line.paint)) + attribute("stroke-width", number(line.width));
  if (line.dash > 0) svg += attribute("stroke-dasharray", kDashes[static_cast<std::size_t>(line.dash - 1) % 4]);
  return svg + "/>";
}

std::string written(const Text& text) {
  const std::string x = number(text.at.x), y = number(text.at.y + kBaseline * kFontSize);
  std::string svg = "<text" + attribute("x", x) + attribute("y", y) + attribute("fill", colorOf(text.paint));
  if (text.anchor != Anchor::Start) svg += attribute("text-anchor", text.anchor == Anchor::End ? "end" : "middle");
  if (text.bold) svg += attribute("font-weight", "600");
  if (text.upwards) svg += attribute("transform", "rotate(-90 " + x + " " + number(text.at.y) + ")");
  return svg + ">" + escaped(text.text) + "</text>";
}

}  // namespace

std::string number(double value) { return fmt::format("{:.2f}", value); }

double PageFont::width(std::string_view text, bool bold) const {
  double ems = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80U) continue;  // of a character that was counted
    if (std::string_view("ijlI.,:;'|! ").find(c) != std::string_view::npos) {
      ems += 0.31;
    } else if (std::string_view("frt()[]-/\"").find(c) != std::string_view::npos) {
      ems += 0.4;
    } else if (std::string_view("mwMW@%").find(c) != std::string_view::npos) {
      ems += 0.92;
    } else {
      ems += c >= 'A' && c <= 'Z' ? 0.68 : 0.6;
    }
  }
  return ems * kFontSize * (bold ? 1.08 : 1);
}

std::string toSvg(const DisplayList& list, std::string_view label) {
  std::string svg = "<svg xmlns='http://www.w3.org/2000/svg'" +
                    attribute("viewBox", "0 0 " + number(list.width) + " " + number(list.height)) +
                    attribute("width", number(list.width)) + attribute("height", number(list.height)) + " role='img'" +
                    attribute("aria-label", escaped(label)) + ">\n";
  std::optional<std::size_t> open;
  for (const DisplayItem& item : list.items) {
    if (item.target != open) {
      if (open) svg += "</g>\n";
      if (item.target) svg += "<g><title>" + escaped(list.targets[*item.target].text) + "</title>";
      open = item.target;
    }
    svg += std::visit([](const auto& what) { return written(what); }, item.what);
    if (!open) svg += "\n";
  }
  return svg + (open ? "</g>\n" : "") + "</svg>\n";
}

}  // namespace sscope::report
