#include <algorithm>
#include <cmath>

#include <QPainter>

#include "ui/charts/chart_format.h"
#include "ui/charts/engine_charts.h"
#include "ui/charts/engine_colors.h"

namespace sscope {

namespace {

QString percentOf(const EngineRow& row) {
  return QStringLiteral("%1\u202F%").arg(std::lround(100 * row.gflops / row.ceilingGflops));
}

void drawCeiling(QPainter& painter, const QRectF& box, const QColor& color, bool estimated) {
  QColor ink = color;
  ink.setAlphaF(0.9F);
  painter.setBrush(estimated ? QBrush(ink, Qt::BDiagPattern) : QBrush(Qt::NoBrush));
  painter.setPen(QPen(ink, 1, estimated ? Qt::DashLine : Qt::SolidLine));
  painter.drawRect(box);
}

}  // namespace

ThroughputChart::ThroughputChart(QWidget* parent) : EngineChart(parent) {
  setAccessibleName(tr("Throughput against the measured ceiling"));
}

EngineChart::Axis ThroughputChart::axis() const {
  double highest = 0;
  for (const EngineRow& row : rows_)
    if (row.measured) highest = std::max(highest, barEnd(row));
  return {highest > 0 ? highest : 1, QStringLiteral("GFLOP/s"), 1};
}

double ThroughputChart::barEnd(const EngineRow& row) const { return std::max(row.gflops, row.ceilingGflops); }

void ThroughputChart::drawBar(QPainter& painter, const EngineRow& row, const QRectF& area, double scale) const {
  painter.save();
  const QColor color = engineColor(row.id);
  if (row.ceilingGflops > 0) {
    const QRectF box(area.left(), area.top() + 0.5, row.ceilingGflops * scale, area.height() - 1);
    drawCeiling(painter, box, color, row.ceilingEstimated);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
  const QRectF reached(area.left(), area.top(), row.gflops * scale, area.height());
  if (row.provisional) {
    QColor light = color;
    light.setAlphaF(0.35F);
    painter.fillRect(reached, light);
    painter.fillRect(reached, QBrush(color, Qt::BDiagPattern));
  } else {
    painter.fillRect(reached, color);
  }
  painter.restore();
}

QString ThroughputChart::valueText(const EngineRow& row) const {
  QString text = formatNumber(row.gflops);
  if (row.ceilingGflops > 0) text += QStringLiteral(" · ") + percentOf(row);
  return text;
}

QString ThroughputChart::tooltip(const EngineRow& row) const {
  QStringList lines{tipTitle(row)};
  if (!row.measured) return lines.front();
  lines << tr("%1 of counted work in kernel time, n=%2")
               .arg(formatGflops(row.gflops))
               .arg(std::max<std::size_t>(row.samples.size(), 1));
  if (row.ceilingGflops > 0) {
    lines << (row.ceilingEstimated ? tr("%1 of the estimated ceiling, %2") : tr("%1 of the measured ceiling, %2"))
                 .arg(percentOf(row), formatGflops(row.ceilingGflops));
  } else {
    lines << tr("ceiling not measured yet");
  }
  lines << verificationLine(row);
  lines.removeAll(QString());
  return lines.join(QStringLiteral("<br>"));
}

std::vector<EngineChart::LegendEntry> ThroughputChart::legend() const {
  const QColor ink = palette().color(QPalette::PlaceholderText);
  std::vector<LegendEntry> entries{
      {tr("reached"), [ink](QPainter& painter, const QRectF& box) { painter.fillRect(box, ink); }},
      {tr("measured ceiling"), [ink](QPainter& painter, const QRectF& box) { drawCeiling(painter, box, ink, false); }}};
  if (std::ranges::any_of(rows_, [](const EngineRow& row) { return row.measured && row.ceilingEstimated; }))
    entries.push_back(
        {tr("estimated"), [ink](QPainter& painter, const QRectF& box) { drawCeiling(painter, box, ink, true); }});
  return entries;
}

std::string ThroughputChart::csv() const {
  std::string out =
      std::string("engine,variant,status,gflops,ceiling_gflops,ceiling_estimated,utilization,") + kCheckColumns + '\n';
  for (const EngineRow& row : rows_) {
    const std::string status = !row.absentReason.empty() ? "absent: " + row.absentReason
                               : !row.measured           ? std::string("not run")
                               : row.stale               ? std::string("of an earlier setting")
                               : row.provisional         ? std::string("provisional")
                                                         : std::string("measured");
    out += csvCell(row.id) + ',' + csvCell(row.variant) + ',' + csvCell(status) + ',';
    if (row.measured) out += csvNumber(row.gflops);
    out += ',';
    if (row.measured && row.ceilingGflops > 0)
      out += csvNumber(row.ceilingGflops) + ',' + (row.ceilingEstimated ? "true" : "false") + ',' +
             csvNumber(row.gflops / row.ceilingGflops);
    else
      out += ",,";
    out += ',' + checkCells(row) + '\n';
  }
  return out;
}

}  // namespace sscope
