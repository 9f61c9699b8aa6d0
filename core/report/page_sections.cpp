#include "core/report/page_sections.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include <fmt/core.h>

#include "core/measure/table.h"
#include "core/report/axis_scale.h"
#include "core/report/svg.h"

namespace sscope::report {

namespace {

// The parameters in which rows differ.
std::set<std::string> varying(std::span<const Measurement* const> rows) {
  std::map<std::string, std::set<std::string>> values;
  for (const Measurement* m : rows)
    for (const auto& [name, value] : m->params.items()) values[name].insert(value.dump());
  std::set<std::string> names;
  for (const auto& [name, list] : values) {
    std::size_t with = 0;
    for (const Measurement* m : rows) with += m->params.contains(name) ? 1 : 0;
    if (list.size() > 1 || with < rows.size()) names.insert(name);
  }
  return names;
}

std::string parametersOf(const Measurement& m, const std::set<std::string>& names) {
  std::string text;
  for (const auto& [name, value] : m.params.items())
    if (names.contains(name))
      text += (text.empty() ? "" : ", ") + name + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

void addFigures(std::vector<std::string>& row, const Measurement& m) {
  const Spread spread = m.spread();
  const bool twin = !m.twinOf.empty();
  for (std::string text : {std::to_string(m.threads), inMilliseconds(spread.median), quartilesText(spread, " to "),
                           std::to_string(m.samples.size()), twin ? "-" : shortNumber(m.gflops()), shortNumber(m.gbs()),
                           twin ? "-" : shareText(m), twin ? "memory only" : errorText(m), m.verification.coverage})
    row.push_back(std::move(text));
}

}  // namespace

std::string resultsTable(std::span<const Measurement* const> rows) {
  const std::set<std::string> names = varying(rows);
  TextRows table{{"engine", "variant", "parameters", "threads", "median ms", "quartiles ms", "repetitions", "GFLOP/s",
                  "GB/s", "of ceiling", "relative error", "compared"}};
  const bool counted =
      std::any_of(rows.begin(), rows.end(), [](const Measurement* m) { return !m->counters.values.empty(); });
  if (counted)
    for (const PerfEvent& event : hardwareEvents()) table.front().push_back("M " + event.name);
  std::set<std::string> reasons;
  for (const Measurement* m : rows) {
    std::vector<std::string>& row = table.emplace_back();
    row = {m->engine, m->variant.empty() ? "-" : labelOf(*m), parametersOf(*m, names)};
    if (m->hasFigures()) {
      addFigures(row, *m);
      if (counted) std::ranges::copy(eventTexts(*m), std::back_inserter(row));
      if (!m->counters.unavailable.empty()) reasons.insert(m->counters.unavailable);
    } else {
      row.push_back(m->skipped.empty() ? "FAILED: " + m->failed : "skipped: " + m->skipped);
    }
  }
  std::string html = htmlTable(table);
  for (const std::string& reason : reasons) html += "<p>Hardware counters: unavailable: " + escaped(reason) + ".</p>\n";
  return html;
}

std::string ceilingsTable(const BenchReport& report) {
  std::map<std::string, Ceilings> known;
  for (const Measurement& m : report.results)
    if (m.ceilings) known[m.ceilingsOf.empty() ? m.engine : m.ceilingsOf] = *m.ceilings;
  TextRows table{{"engine", "device", "driver", "f32 GFLOP/s", "f64 GFLOP/s", "GB/s", "measured"}};
  for (const EngineInfo& info : report.devices) {
    if (const auto found = known.find(info.id); found != known.end()) {
      const Ceilings& ceilings = found->second;
      table.push_back({info.id, info.name, info.driver, shortNumber(ceilings.gflopsF32),
                       info.fp64 ? shortNumber(ceilings.gflopsF64) : "-", shortNumber(ceilings.gbs), ceilings.date});
    } else {
      table.push_back({info.id, info.name, info.driver,
                       info.available() ? "not part of this report" : "absent: " + info.absentReason});
    }
  }
  return htmlTable(table);
}

namespace {

constexpr double kTraceLabels = 210, kTraceWidth = 640, kTraceRow = 22, kTraceBar = 15, kTraceFoot = 40,
                 kLegendLine = 18, kLegendColumn = 160;
constexpr double kTraceLane = 17, kSliver = 0.75;
constexpr std::size_t kLegendColumns = 5;
constexpr double kLabeled = 0.06;  // smaller shares have no room for their number

std::uint32_t colorOf(Palette& palette, const std::string& kernel) {
  FigureSeries series;
  series.name = kernel;
  return palette.colorOf(series);
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// A bar of the shares' chart.
struct ShareRow {
  std::string name;
  std::vector<KernelShare> shares;
  std::string source;  // published: the place in the paper; then the rest is not stated
};

std::vector<ShareRow> rowsOf(std::span<const NamedTrace> traces, std::span<const PublishedValue> published) {
  std::vector<ShareRow> rows;
  for (const NamedTrace& one : traces) rows.push_back({one.name, kernelShares(one.trace), {}});
  std::map<std::string, ShareRow> stated;
  for (const PublishedValue& value : published) {
    if (value.quantity != "kernel_share") continue;
    ShareRow& row = stated[value.variant];
    row.name = value.variant + ", published";
    row.source = value.source + "; " + value.hardware;
    row.shares.push_back({value.params.value("kernel", std::string()), 0, 0, value.value});
  }
  for (auto& [variant, row] : stated) rows.push_back(std::move(row));
  return rows;
}

std::string shareTitle(const ShareRow& row, const KernelShare& share) {
  std::string text = row.name + ": " + share.kernel + " " + percent(share.share);
  if (!row.source.empty()) return text + " (" + row.source + ")";
  return text + ", " + shortNumber(1e3 * share.seconds) + " ms in " + std::to_string(share.launches) + " launches";
}

void layBar(DisplayList& list, const ShareRow& row, Palette& palette) {
  const double y = list.height + (kTraceRow - kTraceBar) / 2, middle = list.height + kTraceRow / 2;
  list.add(Text{{kTraceLabels - 10, middle}, Anchor::End, row.name, {}});
  double from = 0;
  const auto part = [&](double share, std::string title, const Rectangle& look, const std::string& label) {
    const Box box{kTraceLabels + kTraceWidth * from, y, kTraceWidth * share, kTraceBar};
    list.beginTarget({box, 0, {}, std::move(title)});
    list.add(Rectangle{box, look.paint, look.fill});
    if (share >= kLabeled && !label.empty())
      list.add(Text{{box.left + 4, middle}, Anchor::Start, label, own(0xffffff)});
    list.endTarget();
    from += share;
  };
  for (const KernelShare& share : row.shares)
    part(share.share, shareTitle(row, share), {{}, own(colorOf(palette, share.kernel))}, percent(share.share));
  if (!row.source.empty() && from < 1)
    part(1 - from, "the rest is not stated (" + row.source + ")", {{}, {Role::Pale}, Fill::Hollow}, "");
  list.height += kTraceRow;
}

void layLegend(DisplayList& list, const std::vector<ShareRow>& rows, Palette& palette) {
  std::vector<std::string> kernels;
  for (const ShareRow& row : rows)
    for (const KernelShare& share : row.shares)
      if (std::find(kernels.begin(), kernels.end(), share.kernel) == kernels.end()) kernels.push_back(share.kernel);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const double x = kLegendColumn * static_cast<double>(k % kLegendColumns) + 20;
    if (k % kLegendColumns == 0) list.height += kLegendLine;
    list.add(Rectangle{{x, list.height - 10, 12, 12}, own(colorOf(palette, kernels[k]))});
    list.add(Text{{x + 18, list.height - 4}, Anchor::Start, kernels[k], {}});
  }
  list.height += 10;
}

std::string sharesChart(const std::vector<ShareRow>& rows, Palette& palette) {
  DisplayList list;
  list.width = kTraceLabels + kTraceWidth + 20;
  layLegend(list, rows, palette);
  for (const ShareRow& row : rows) layBar(list, row, palette);
  list.height += 6;
  return toSvg(list, "Shares of the kernels");
}

// The spans of an iteration in the middle, after the warm-up.
std::vector<KernelSpan> oneIteration(const KernelTrace& trace, int& iteration) {
  int last = 0;
  for (const KernelSpan& span : trace.spans) last = std::max(last, span.iteration);
  iteration = (last + 1) / 2;
  std::vector<KernelSpan> spans;
  for (const KernelSpan& span : trace.spans)
    if (span.iteration == iteration) spans.push_back(span);
  return spans;
}

// One lane per kernel, in the order of their first starts.
std::string timelineChart(const NamedTrace& one, Palette& palette) {
  int iteration = 0;
  const std::vector<KernelSpan> spans = oneIteration(one.trace, iteration);
  if (spans.empty()) return {};
  double begin = spans.front().start, end = spans.front().end;
  std::vector<std::string> lanes;
  for (const KernelSpan& span : spans) {
    begin = std::min(begin, span.start);
    end = std::max(end, span.end);
    if (std::find(lanes.begin(), lanes.end(), span.kernel) == lanes.end()) lanes.push_back(span.kernel);
  }
  const double top = 20, bottom = top + kTraceLane * static_cast<double>(lanes.size());
  DisplayList list;
  list.width = kTraceLabels + kTraceWidth + 20;
  list.height = bottom + kTraceFoot;
  const AxisScale scale =
      scaleFor({"time", "ms", false}, {1e3 * (end - begin)}, false, kTraceLabels, kTraceLabels + kTraceWidth, 8);
  list.add(Text{{0, 8}, Anchor::Start, one.name + ", iteration " + std::to_string(iteration), {}, true});
  for (const double tick : scale.ticks) {
    list.addLine({scale.at(tick), top}, {scale.at(tick), bottom}, {Role::Grid});
    list.add(Text{{scale.at(tick), bottom + 11}, Anchor::Middle, scale.label(tick), {Role::Pale}});
  }
  const auto middleOf = [&](std::size_t lane) { return top + kTraceLane * (static_cast<double>(lane) + 0.5); };
  for (std::size_t k = 0; k < lanes.size(); ++k)
    list.add(Text{{kTraceLabels - 10, middleOf(k)}, Anchor::End, lanes[k], {}});
  for (const KernelSpan& span : spans) {
    const auto lane = static_cast<std::size_t>(std::find(lanes.begin(), lanes.end(), span.kernel) - lanes.begin());
    const double from = scale.at(1e3 * (span.start - begin)), to = scale.at(1e3 * (span.end - begin));
    const Box box{from, middleOf(lane) - kTraceLane / 2 + 2, std::max(kSliver, to - from), kTraceLane - 4};
    list.beginTarget({box,
                      0,
                      {},
                      span.kernel + ": " + shortNumber(1e3 * (span.end - span.start)) + " ms from " +
                          shortNumber(1e3 * (span.start - begin)) + " ms on"});
    list.add(Rectangle{box, own(colorOf(palette, span.kernel))});
    list.endTarget();
  }
  list.add(Text{{kTraceLabels + kTraceWidth / 2, bottom + 28}, Anchor::Middle, scale.title, {Role::Pale}});
  return toSvg(list, "Timeline of " + one.name);
}

std::string figure(const std::string& id, const std::string& title, const std::string& body, const std::string& note) {
  return "<figure id='" + id + "'>\n<h3>" + escaped(title) + "</h3>\n<div class='wide'>" + body +
         "</div>\n<figcaption>" + escaped(note) + "</figcaption>\n</figure>\n";
}

}  // namespace

std::string traceSection(std::span<const NamedTrace> traces, std::span<const PublishedValue> published) {
  if (traces.empty()) return {};
  Palette palette;  // of kernels, not of rungs
  std::string timelines;
  for (const NamedTrace& one : traces) timelines += timelineChart(one, palette);
  return "<section>\n<h2>Traces: where the time went</h2>\n" +
         figure("trace-shares", "Share of each kernel (figures 9 and 10)",
                sharesChart(rowsOf(traces, published), palette),
                "Shares of the sum of all kernel times in one traced run, which is not a timed run: recording every "
                "kernel's "
                "time takes time itself. The paper states one share of its figure 9 and two of its figure 10.") +
         figure("trace-timeline", "Timeline of one iteration (figures 9 and 10)", timelines,
                "A kernel's times on the clock of its device; gaps are launches and waits. Loops on processors count "
                "as kernels.") +
         "</section>\n";
}

}  // namespace sscope::report
