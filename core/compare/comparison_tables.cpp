#include "core/compare/comparison_tables.h"

#include <fmt/core.h>

#include <charconv>

#include <cmath>

#include "core/report/svg.h"

namespace sscope::compare {

namespace {

std::string exact(ElementType type, double value) {
  const int digits = type == ElementType::f64 ? 17 : isInteger(type) ? 12 : 9;
  return fmt::format("{:.{}g}", value, digits);
}

}  // namespace

std::string htmlTable(const TextRows& rows) {
  std::string html = "<div class='wide'><table>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::string tag = r == 0 ? "th" : "td";
    html += "<tr>";
    for (const std::string& cell : rows[r]) html += "<" + tag + ">" + escaped(cell) + "</" + tag + ">";
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string placeText(ElementType type, const std::optional<ElementAt>& at) {
  if (!at) return "-";
  std::string text = "(" + std::to_string(at->voxel[0]) + ", " + std::to_string(at->voxel[1]) + ", " +
                     std::to_string(at->voxel[2]) + ")";
  if (at->component > 0) text += " component " + std::to_string(at->component);
  return text + ": " + exact(type, at->first) + " for " + exact(type, at->second);
}

nlohmann::json finiteOrText(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

nlohmann::json toJson(const ElementAt& at) {
  return {{"voxel", at.voxel},
          {"component", at.component},
          {"value", finiteOrText(at.first)},
          {"wanted", finiteOrText(at.second)},
          {"ulps", finiteOrText(at.ulps)}};
}

std::string csvCell(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csvCell(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc{} ? std::string(text, end) : std::string();
}

}  // namespace sscope::compare
