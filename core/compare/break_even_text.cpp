#include <fmt/core.h>

#include <algorithm>

#include "core/base/words.h"
#include "core/compare/agreement.h"
#include "core/compare/break_even.h"
#include "core/compare/lane_figures.h"
#include "core/measure/table.h"
#include "core/report/figure_data.h"
#include "core/report/svg.h"

namespace sscope::compare {

namespace {

constexpr CellTimes kAll[] = {CellTimes::Predicted, CellTimes::Kernel, CellTimes::Total};

const char* titleOf(CellTimes which) {
  switch (which) {
    case CellTimes::Predicted: return "without transfers, as the model expects";
    case CellTimes::Kernel: return "without transfers, measured";
    case CellTimes::Total: break;
  }
  return "with transfers, measured";
}

const char* keyOf(CellTimes which) {
  switch (which) {
    case CellTimes::Predicted: return "predicted_s";
    case CellTimes::Kernel: return "kernel_s";
    case CellTimes::Total: break;
  }
  return "total_s";
}

bool anyWinner(const BreakEvenMap& map, CellTimes which) {
  return std::ranges::any_of(map.cells, [&](const BreakEvenCell& cell) { return winnerOf(cell, which).has_value(); });
}

std::string cellWords(const BreakEvenMap& map, const BreakEvenCell& cell, CellTimes which) {
  const auto winner = winnerOf(cell, which);
  if (!winner) return "-";
  return map.lanes[winner->contender] + (winner->factor > 1 ? " " + shortNumber(winner->factor) : "");
}

// The cells of one value of the parameter.
template <class Each>
void forRows(const BreakEvenMap& map, const Each& each) {
  const std::size_t columns = map.axes.edges.size();
  for (std::size_t first = 0; first + columns <= map.cells.size(); first += columns) each(first, columns);
}

TextRows rowsOf(const BreakEvenMap& map, CellTimes which) {
  TextRows rows{{map.axes.parameter.empty() ? "" : map.axes.parameter}};
  for (const std::int64_t edge : map.axes.edges) rows.front().push_back("edge " + std::to_string(edge));
  forRows(map, [&](std::size_t first, std::size_t columns) {
    std::vector<std::string> row{rowName(map, map.cells[first])};
    for (std::size_t c = 0; c < columns; ++c) row.push_back(cellWords(map, map.cells[first + c], which));
    rows.push_back(std::move(row));
  });
  return rows;
}

// Each reason once.
std::vector<std::string> reasons(const BreakEvenMap& map) {
  std::vector<std::string> lines;
  const auto add = [&](std::string line) {
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  };
  for (const BreakEvenCell& cell : map.cells) {
    if (!cell.reason.empty()) add("edge " + std::to_string(cell.edge) + ": " + cell.reason);
    for (std::size_t i = 0; i < cell.times.size(); ++i)
      if (!cell.times[i].reason.empty()) add(map.lanes[i] + ": " + cell.times[i].reason);
  }
  return lines;
}

std::string colorText(std::uint32_t rgb) { return fmt::format("#{:06x}", rgb); }

std::string tableHtml(const BreakEvenMap& map, CellTimes which, LaneColors& colors) {
  std::string html = "<h3>" + escaped(std::string("The fastest ") + titleOf(which)) +
                     "</h3>\n<div class='wide'><table>\n<tr><th></th>";
  for (const std::int64_t edge : map.axes.edges) html += "<th>edge " + std::to_string(edge) + "</th>";
  html += "</tr>\n";
  forRows(map, [&](std::size_t first, std::size_t columns) {
    html += "<tr><td>" + escaped(rowName(map, map.cells[first])) + "</td>";
    for (std::size_t c = 0; c < columns; ++c) {
      const BreakEvenCell& cell = map.cells[first + c];
      const auto winner = winnerOf(cell, which);
      std::string style;
      if (winner) {
        const std::string color = colorText(colors.of(map.lanes[winner->contender]));
        style = winner->measured ? "border-left:8px solid " + color
                                 : "border-left:8px solid " + color + ";background:repeating-linear-gradient(45deg," +
                                       color + "33 0 3px,transparent 3px 9px)";
      }
      html += "<td style='" + style + "'>" + escaped(cellWords(map, cell, which)) + "</td>";
    }
    html += "</tr>\n";
  });
  return html + "</table></div>\n";
}

std::string secondsCell(double seconds) { return seconds > 0 ? csvNumber(seconds) : std::string(); }

}  // namespace

std::string rowName(const BreakEvenMap& map, const BreakEvenCell& cell) {
  return map.axes.parameter.empty() ? "all" : map.axes.parameter + "=" + plainNumber(cell.value);
}

std::string errorText(const BreakEvenMap& map) {
  const ModelError error = modelError(map);
  if (error.count == 0) return "the model cannot be checked: nothing has both a prediction and a measurement";
  return "the model is off by a factor of " + shortNumber(error.typical) + " typically and " +
         shortNumber(error.largest) + " at most, over " + counted(error.count, "time") + "; it names the winner of " +
         std::to_string(error.sameWinner) + " of " + std::to_string(error.winners) + " cells";
}

std::string toCsv(const BreakEvenMap& map) {
  TextRows rows{{"edge", "parameter", "value", "lane", "predicted_s", "kernel_s", "total_s", "skipped"}};
  for (const BreakEvenCell& cell : map.cells)
    for (std::size_t i = 0; i < cell.times.size(); ++i) {
      const CellTime& time = cell.times[i];
      const bool varies = !map.axes.parameter.empty();
      rows.push_back({std::to_string(cell.edge), map.axes.parameter, varies ? plainNumber(cell.value) : "",
                      map.lanes[i], secondsCell(time.predicted), secondsCell(time.kernel), secondsCell(time.total),
                      cell.reason.empty() ? time.reason : cell.reason});
    }
  return csvTable(rows);
}

std::string toText(const BreakEvenMap& map) {
  std::string text;
  for (const CellTimes which : kAll)
    if (anyWinner(map, which))
      text += std::string("the fastest ") + titleOf(which) + ", and how many times as fast as the next one\n" +
              textTable(rowsOf(map, which));
  text += errorText(map) + "\n";
  for (const std::string& line : reasons(map)) text += "  " + line + "\n";
  return text;
}

std::string toHtml(const BreakEvenMap& map) {
  LaneColors colors;
  for (const std::string& lane : map.lanes) static_cast<void>(colors.of(lane));
  std::string html =
      "<p>The fastest of each cell and how many times as fast as the next one it is. Hatched cells are what the model "
      "expects; the others were measured, every output verified.</p>\n";
  for (const CellTimes which : kAll)
    if (anyWinner(map, which)) html += tableHtml(map, which, colors);
  html += "<p>" + escaped(errorText(map)) + ".</p>\n<ul>\n";
  for (const std::string& line : reasons(map)) html += "<li>" + escaped(line) + "</li>\n";
  return html + "</ul>\n";
}

nlohmann::json toJson(const BreakEvenMap& map) {
  nlohmann::json cells = nlohmann::json::array();
  for (const BreakEvenCell& cell : map.cells) {
    nlohmann::json times = nlohmann::json::array();
    for (std::size_t i = 0; i < cell.times.size(); ++i) {
      const CellTime& time = cell.times[i];
      nlohmann::json value{{"lane", map.lanes[i]}};
      const double seconds[] = {time.predicted, time.kernel, time.total};
      for (std::size_t k = 0; k < std::size(kAll); ++k)
        if (seconds[k] > 0) value[keyOf(kAll[k])] = seconds[k];
      if (!time.reason.empty()) value["skipped"] = time.reason;
      times.push_back(std::move(value));
    }
    nlohmann::json value{{"edge", cell.edge}, {"measured", cell.measured}, {"times", std::move(times)}};
    if (!map.axes.parameter.empty()) value["value"] = cell.value;
    if (!cell.reason.empty()) value["skipped"] = cell.reason;
    cells.push_back(std::move(value));
  }
  const ModelError error = modelError(map);
  return {{"parameter", map.axes.parameter},
          {"cells", std::move(cells)},
          {"model_error",
           {{"count", error.count},
            {"typical_factor", error.typical},
            {"largest_factor", error.largest},
            {"winners", error.winners},
            {"same_winner", error.sameWinner}}}};
}

}  // namespace sscope::compare
