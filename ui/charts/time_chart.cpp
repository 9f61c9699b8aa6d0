#include <algorithm>
#include <array>
#include <utility>

#include <QPainter>

#include "ui/charts/chart_format.h"
#include "ui/charts/chart_mark.h"
#include "ui/charts/engine_charts.h"
#include "ui/charts/engine_colors.h"

namespace sscope {

namespace {

struct Part {
  Phase phase;
  QString name;
  double seconds;
};

std::array<Part, 3> partsOf(const Phases& phases) {
  return {{{Phase::Upload, TimeChart::tr("upload"), phases.upload},
           {Phase::Kernel, TimeChart::tr("kernel"), phases.kernel},
           {Phase::Download, TimeChart::tr("download"), phases.download}}};
}

// The wall time may hold more than the phases.
double lengthOf(const EngineRow& row) { return std::max(row.phases.total, row.phases.together()); }

// Of the bar of a part whose time is 1: phases that overlap take turns in the bar, each with its share of their time.
double shareInBar(const Phases& phases) {
  const double together = phases.together();
  return phases.overlap > 0 ? together / (together + phases.overlap) : 1;
}

bool hasSpread(const EngineRow& row) { return row.samples.size() >= 3; }

}  // namespace

TimeChart::TimeChart(QWidget* parent) : EngineChart(parent) { setAccessibleName(tr("Time per run")); }

QString TimeChart::pendingText(const EngineRow& row) const {
  return row.predicted > 0 ? tr("predicted %1").arg(formatSeconds(row.predicted)) : EngineChart::pendingText(row);
}

EngineChart::Axis TimeChart::axis() const {
  double longest = 0;
  for (const EngineRow& row : rows_)
    if (row.measured) longest = std::max(longest, barEnd(row));
  const TimeUnit unit = timeUnit(longest > 0 ? longest : 1e-3);
  return {longest > 0 ? longest : 1e-3, tr("%1 per run").arg(unit.name), unit.perSecond};
}

double TimeChart::barEnd(const EngineRow& row) const {
  return hasSpread(row) ? std::max(lengthOf(row), spreadOf(row.samples).thirdQuartile) : lengthOf(row);
}

void TimeChart::drawBar(QPainter& painter, const EngineRow& row, const QRectF& area, double scale) const {
  double x = area.left();
  painter.save();
  painter.setPen(Qt::NoPen);
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (const Part& part : partsOf(row.phases)) {
    const double width = part.seconds * shareInBar(row.phases) * scale;
    const QRectF box(x, area.top(), width, area.height());
    const QColor color = phaseColor(row.id, part.phase);
    if (row.provisional) {
      QColor light = color;
      light.setAlphaF(0.35F);
      painter.fillRect(box, light);
      painter.fillRect(box, QBrush(color, Qt::BDiagPattern));
    } else {
      painter.fillRect(box, color);
    }
    x += width;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  const double rest = area.left() + lengthOf(row) * scale - x;
  if (rest > 1) {  // wall time outside the phases
    painter.setPen(QPen(engineColor(row.id), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(x, area.top() + 0.5, rest, area.height() - 1));
  }
  if (hasSpread(row)) {
    const Spread q = spreadOf(row.samples);
    const double y = area.center().y(), tick = 0.28 * area.height();
    const double from = area.left() + q.firstQuartile * scale, to = area.left() + q.thirdQuartile * scale;
    painter.setPen(QPen(palette().color(QPalette::Text), 1.2));
    painter.drawLine(QPointF(from, y), QPointF(to, y));
    for (const double end : {from, to}) painter.drawLine(QPointF(end, y - tick), QPointF(end, y + tick));
  }
  painter.restore();
}

// "12.4 ms  n=5", with "!" where samples were disturbed.
QString TimeChart::valueText(const EngineRow& row) const {
  QString text =
      QStringLiteral("%1  n=%2").arg(formatSeconds(lengthOf(row))).arg(std::max<std::size_t>(row.samples.size(), 1));
  if (row.disturbed > 0) text += QLatin1Char('!');
  return text;
}

QColor TimeChart::markOf(const EngineRow& row) const {
  return row.phases.compile > 0 ? phaseColor(row.id, Phase::Compile) : QColor();
}

QString TimeChart::tooltip(const EngineRow& row) const {
  QStringList lines{tipTitle(row)};
  if (!row.measured) {
    if (row.predicted > 0) lines << tr("its kernel is expected to take %1").arg(formatSeconds(row.predicted));
    return lines.join(QStringLiteral("<br>"));
  }
  const auto n = row.samples.size();
  if (row.provisional) {
    lines << tr("%1, one run while the window was in use (n=1): provisional").arg(formatSeconds(lengthOf(row)));
  } else if (hasSpread(row)) {
    const Spread q = spreadOf(row.samples);
    lines << tr("median %1, quartiles %2 to %3, n=%4")
                 .arg(formatSeconds(lengthOf(row)), formatSeconds(q.firstQuartile), formatSeconds(q.thirdQuartile))
                 .arg(n);
  } else {
    lines << tr("total %1, n=%2").arg(formatSeconds(lengthOf(row))).arg(std::max<std::size_t>(n, 1));
  }
  if (row.disturbed > 0) lines << tr("%1 of %2 runs shared the processor with other work").arg(row.disturbed).arg(n);
  for (const Part& part : partsOf(row.phases))
    if (part.seconds > 0) lines << QStringLiteral("%1 %2").arg(part.name, formatSeconds(part.seconds));
  if (row.phases.overlap > 0) lines << tr("of these %1 beside one another").arg(formatSeconds(row.phases.overlap));
  if (row.predicted > 0 && row.phases.kernel > 0)
    lines << tr("kernel: %1").arg(formatPrediction(row.predicted, row.phases.kernel));
  if (row.phases.compile > 0)
    lines << tr("compiled once in %1, not part of the time").arg(formatSeconds(row.phases.compile));
  if (row.uploadedOnce > 0) lines << tr("data copied to the device once in %1").arg(formatSeconds(row.uploadedOnce));
  lines << verificationLine(row);
  lines.removeAll(QString());
  return lines.join(QStringLiteral("<br>"));
}

std::vector<EngineChart::LegendEntry> TimeChart::legend() const {
  // In the shades of the engine that is shown, so that the legend looks like the bars.
  std::string id = rows_.empty() ? std::string() : rows_.front().id;
  for (const EngineRow& row : rows_)
    if (row.current) id = row.id;
  std::vector<LegendEntry> entries;
  for (const Part& part : partsOf({}))
    entries.push_back({part.name, [color = phaseColor(id, part.phase)](QPainter& painter, const QRectF& box) {
                         painter.fillRect(box, color);
                       }});
  if (std::ranges::any_of(rows_, [](const EngineRow& row) { return row.measured && row.phases.compile > 0; }))
    entries.push_back(
        {tr("compile, once"),
         [color = phaseColor(id, Phase::Compile), rim = palette().color(QPalette::PlaceholderText)](
             QPainter& painter, const QRectF& box) { drawMark(painter, box.center(), box.height() / 2, color, rim); }});
  return entries;
}

std::string TimeChart::csv() const {
  std::string out =
      std::string(
          "engine,variant,status,compile_once_s,upload_s,kernel_s,download_s,overlap_s,total_s,samples,disturbed,q1_s,"
          "median_s,q3_s,predicted_s,") +
      kCheckColumns + '\n';
  for (const EngineRow& row : rows_) {
    const Spread q = spreadOf(row.samples);
    const std::string status = !row.absentReason.empty() ? "absent: " + row.absentReason
                               : !row.measured           ? std::string("not run")
                               : row.stale               ? std::string("of an earlier setting")
                               : row.provisional         ? std::string("provisional")
                                                         : std::string("measured");
    out += csvCell(row.id) + ',' + csvCell(row.variant) + ',' + csvCell(status);
    if (row.measured) {
      for (const double value : {row.phases.compile, row.phases.upload, row.phases.kernel, row.phases.download,
                                 row.phases.overlap, lengthOf(row)})
        out += ',' + csvNumber(value);
      out += ',' + std::to_string(row.samples.size()) + ',' + std::to_string(row.disturbed);
      for (const double value : {q.firstQuartile, q.median, q.thirdQuartile})
        out += row.samples.empty() ? "," : ',' + csvNumber(value);
      out += row.predicted > 0 ? ',' + csvNumber(row.predicted) : ",";
    } else {
      out += ",,,,,,,,,,,,";
    }
    out += ',' + checkCells(row) + '\n';
  }
  return out;
}

}  // namespace sscope
