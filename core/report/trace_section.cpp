#include "core/report/trace_section.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <vector>

#include "core/measure/text_table.h"

namespace sscope::report {

namespace {

constexpr double kTraceLabels = 210, kTraceWidth = 640, kTraceRow = 22, kTraceBar = 15, kTraceFoot = 40,
                 kLegendLine = 18, kLegendColumn = 160;
constexpr double kTraceLane = 17, kSliver = 0.75;
constexpr int kLegendColumns = 5;
constexpr double kLabeled = 0.06;  // smaller shares have no room for their number

std::string colorOf(Palette& palette, const std::string& kernel) {
  FigureSeries series;
  series.name = kernel;
  return palette.colorOf(series);
}

std::string percent(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", 100 * share);
  return text.data();
}

// A bar of the shares' chart.
struct ShareRow {
  std::string name;
  std::vector<KernelShare> shares;
  std::string source;  // published: where it stands; then the rest is not stated
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

std::string shareBar(const ShareRow& row, double top, Palette& palette) {
  const double y = top + (kTraceRow - kTraceBar) / 2;
  std::string svg = textAt(kTraceLabels - 10, y + kTraceBar - 3, "end", row.name) + "\n";
  double from = 0;
  for (const KernelShare& share : row.shares) {
    const double left = kTraceLabels + kTraceWidth * from, width = kTraceWidth * share.share;
    svg += "<g><title>" + escaped(shareTitle(row, share)) + "</title>" +
           rectangle(left, y, width, kTraceBar, "fill='" + colorOf(palette, share.kernel) + "'");
    if (share.share >= kLabeled) svg += textAt(left + 4, y + kTraceBar - 4, "start", percent(share.share), "ondark1");
    svg += "</g>\n";
    from += share.share;
  }
  if (!row.source.empty() && from < 1)
    svg += "<g><title>" + escaped("the rest is not stated (" + row.source + ")") + "</title>" +
           rectangle(kTraceLabels + kTraceWidth * from, y, kTraceWidth * (1 - from), kTraceBar,
                     "class='hollow axis' stroke-dasharray='4 3'") +
           "</g>\n";
  return svg;
}

std::string legend(const std::vector<ShareRow>& rows, Palette& palette, double& bottom) {
  std::vector<std::string> kernels;
  for (const ShareRow& row : rows)
    for (const KernelShare& share : row.shares)
      if (std::find(kernels.begin(), kernels.end(), share.kernel) == kernels.end()) kernels.push_back(share.kernel);
  std::string svg;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const double x = kLegendColumn * static_cast<double>(k % kLegendColumns) + 20;
    bottom = kLegendLine * (static_cast<double>(k / kLegendColumns) + 1);
    svg += rectangle(x, bottom - 10, 12, 12, "fill='" + colorOf(palette, kernels[k]) + "'") +
           textAt(x + 18, bottom, "start", kernels[k]) + "\n";
  }
  return svg;
}

std::string sharesChart(const std::vector<ShareRow>& rows, Palette& palette) {
  double top = 0;
  std::string body = legend(rows, palette, top);
  top += 10;
  for (const ShareRow& row : rows) {
    body += shareBar(row, top, palette);
    top += kTraceRow;
  }
  return svgOpen(kTraceLabels + kTraceWidth + 20, top + 6, "Shares of the kernels") + body + "</svg>\n";
}

// The spans of one iteration in the middle, when everything has warmed up.
std::vector<KernelSpan> oneIteration(const KernelTrace& trace, int& iteration) {
  int last = 0;
  for (const KernelSpan& span : trace.spans) last = std::max(last, span.iteration);
  iteration = (last + 1) / 2;
  std::vector<KernelSpan> spans;
  for (const KernelSpan& span : trace.spans)
    if (span.iteration == iteration) spans.push_back(span);
  return spans;
}

// A lane a kernel, in the order in which they first start.
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
  const Scale scale(0, 1e3 * (end - begin), false, kTraceLabels, kTraceLabels + kTraceWidth);
  std::string body = textAt(0, 12, "start", one.name + ", iteration " + std::to_string(iteration), "label") + "\n";
  for (const double tick : scale.ticks())
    body += "<path class='grid' d='M" + number(scale.at(tick)) + " " + number(top) + "V" + number(bottom) + "'/>" +
            textAt(scale.at(tick), bottom + 15, "middle", tickText(tick)) + "\n";
  for (std::size_t k = 0; k < lanes.size(); ++k)
    body += textAt(kTraceLabels - 10, top + kTraceLane * (static_cast<double>(k) + 0.5) + 4, "end", lanes[k]) + "\n";
  for (const KernelSpan& span : spans) {
    const auto lane = static_cast<double>(std::find(lanes.begin(), lanes.end(), span.kernel) - lanes.begin());
    const double from = scale.at(1e3 * (span.start - begin)), to = scale.at(1e3 * (span.end - begin));
    body += "<g><title>" +
            escaped(span.kernel + ": " + shortNumber(1e3 * (span.end - span.start)) + " ms from " +
                    shortNumber(1e3 * (span.start - begin)) + " ms on") +
            "</title>" +
            rectangle(from, top + kTraceLane * lane + 2, std::max(kSliver, to - from), kTraceLane - 4,
                      "fill='" + colorOf(palette, span.kernel) + "'") +
            "</g>\n";
  }
  body += textAt(kTraceLabels + kTraceWidth / 2, bottom + 32, "middle", "time [ms]", "label") + "\n";
  return svgOpen(kTraceLabels + kTraceWidth + 20, bottom + kTraceFoot, "Timeline of " + one.name) + body + "</svg>\n";
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
                "Of the sum of all kernels' times in one traced run, which is not a timed one: telling every kernel's "
                "time costs some. The paper states one share of its figure 9 and two of its figure 10.") +
         figure("trace-timeline", "Timeline of one iteration (figures 9 and 10)", timelines,
                "A kernel's times on the clock of its device; gaps are launches and waits. Loops on processors count "
                "as kernels.") +
         "</section>\n";
}

}  // namespace sscope::report
