#include "core/measure/table.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/encoding.h"

namespace sscope {

namespace {

std::size_t widthOf(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool numeric(const std::string& text) {
  return text.empty() || text[0] == '-' || text[0] == '+' || (text[0] >= '0' && text[0] <= '9');
}

}  // namespace

std::string textTable(const TextRows& rows) {
  if (rows.empty()) return {};
  const std::size_t columns = rows[0].size();
  std::vector<std::size_t> width(columns, 0);
  std::vector<bool> right(columns, rows.size() > 1);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < std::min(columns, rows[r].size()); ++c) {
      if (rows[r].size() < columns && c + 1 == rows[r].size()) continue;  // a last cell of any length
      width[c] = std::max(width[c], widthOf(rows[r][c]));
      right[c] = right[c] && (r == 0 || numeric(rows[r][c]));
    }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool shortRow = row.size() < columns && c + 1 == row.size();
      const std::size_t fill = !shortRow && c < columns && width[c] > widthOf(row[c]) ? width[c] - widthOf(row[c]) : 0;
      if (c > 0) line += "  ";
      const bool flush = c < columns && right[c] && !shortRow;
      line += flush ? std::string(fill, ' ') + row[c] : row[c] + std::string(fill, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string htmlTable(const TextRows& rows) {
  std::string html = "<div class='wide'><table>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::string tag = r == 0 ? "th" : "td";
    html += "<tr>";
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::size_t span = c + 1 == rows[r].size() && rows[r].size() < rows[0].size() ? rows[0].size() - c : 1;
      html += span > 1 ? fmt::format("<{} colspan='{}' class='none'>", tag, span) : "<" + tag + ">";
      html += escaped(rows[r][c]) + "</" + tag + ">";
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string csvTable(const TextRows& rows) {
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t c = 0; c < std::max(row.size(), rows[0].size()); ++c)
      text += (c == 0 ? "" : ",") + (c < row.size() ? csvCell(row[c]) : std::string());
    text += '\n';
  }
  return text;
}

std::string csvCell(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csvNumber(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc{} ? std::string(text, end) : std::string();
}

std::string shortNumber(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::abs(value);
  constexpr double kWhole = 99.95;  // three digits from here on
  return size >= kWhole && size < 1e7 ? fmt::format("{:.0f}", value) : fmt::format("{:#.3g}", value);
}

std::string inMilliseconds(double seconds) { return shortNumber(1e3 * seconds); }

std::string quartilesText(const Spread& seconds, std::string_view between) {
  return inMilliseconds(seconds.firstQuartile) + std::string(between) + inMilliseconds(seconds.thirdQuartile);
}

std::string inPercent(double share) { return shortNumber(100 * share) + " %"; }

}  // namespace sscope
