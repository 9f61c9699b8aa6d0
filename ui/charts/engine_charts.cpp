#include "ui/charts/engine_charts.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"

namespace sscope {

namespace {

constexpr double kDimmed = 0.4;  // opacity of results of an earlier setting

// A small diamond for information next to a bar.
void drawMark(QPainter& painter, const QPointF& center, double radius, const QColor& color, const QColor& rim) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(rim, 1));  // keeps dark shades visible in dark palettes
  painter.setBrush(color);
  painter.drawPolygon(QPolygonF({center - QPointF(radius, 0), center - QPointF(0, radius), center + QPointF(radius, 0),
                                 center + QPointF(0, radius)}));
  painter.restore();
}

// A bar of one run of the window is lighter and hatched.
void fillBar(QPainter& painter, const QRectF& box, const QColor& color, bool provisional) {
  if (!provisional) {
    painter.fillRect(box, color);
    return;
  }
  QColor light = color;
  light.setAlphaF(0.35F);
  painter.fillRect(box, light);
  painter.fillRect(box, QBrush(color, Qt::BDiagPattern));
}

std::string statusOf(const EngineRow& row) {
  if (!row.absentReason.empty()) return "absent: " + row.absentReason;
  if (!row.measured) return "not run";
  if (row.stale) return "of an earlier setting";
  return row.provisional ? "provisional" : "measured";
}

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

// The wall time may be longer than the phases.
double lengthOf(const EngineRow& row) { return std::max(row.phases.total, row.phases.together()); }

// The length in the bar of a phase that takes 1: overlapping phases are drawn one after the other, and their lengths
// add up to the time that they take together.
double shareInBar(const Phases& phases) {
  const double together = phases.together();
  return phases.overlap > 0 ? together / (together + phases.overlap) : 1;
}

bool hasSpread(const EngineRow& row) { return row.samples.size() >= 3; }

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

// The layout in logical pixels. Names and numbers have a line of their own above each bar, so that bars get the whole
// width of a narrow panel.
struct EngineChart::Frame {
  double line = 0;           // height of a line of text
  double legend = 0;         // height of the line above
  std::vector<QRectF> rows;  // whole rows
  QRectF plot;               // right of the zero line, all rows

  [[nodiscard]] QRectF bar(std::size_t index) const {
    const QRectF& row = rows[index];
    return {plot.left(), row.top() + 1.15 * line, plot.width(), 0.55 * line};
  }
};

QString EngineChart::pendingText(const EngineRow& /*row*/) const { return tr("not run yet"); }

EngineChart::EngineChart(QWidget* parent) : Chart(parent) { setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); }

EngineChart::Frame EngineChart::frame() const {
  Frame f;
  f.line = line();
  f.legend = 1.4 * f.line;
  double top = f.legend;
  for (const EngineRow& row : rows_) {
    const double height = (row.absentReason.empty() ? 1.9 : 1.3) * f.line;  // an absent engine has no bar
    f.rows.emplace_back(0, top, width(), height);
    top += height;
  }
  const double left = 0.25 * f.line;
  f.plot = QRectF(left, f.legend, std::max(4 * f.line, width() - 2 * left), std::max(top - f.legend, 1.9 * f.line));
  return f;
}

void EngineChart::setRows(std::vector<EngineRow> rows) {
  const bool resized = rows.size() != rows_.size();
  rows_ = std::move(rows);
  if (lit() >= static_cast<int>(rows_.size())) light(-1);
  QStringList summary;
  for (const EngineRow& row : rows_)
    summary << QStringLiteral("%1: %2").arg(toQt(row.id),
                                            !row.absentReason.empty() ? tr("absent: %1").arg(toQt(row.absentReason))
                                            : !row.measured           ? pendingText(row)
                                            : row.stale ? tr("%1, of an earlier setting").arg(valueText(row))
                                                        : valueText(row));
  setAccessibleDescription(summary.join(QStringLiteral("; ")));
  if (resized) updateGeometry();
  update();
}

// Engine and variant, or the reason why there is no number.
QString EngineChart::tipTitle(const EngineRow& row) const {
  const QString engine = QStringLiteral("<b>%1</b>").arg(toQt(row.id).toHtmlEscaped());
  if (!row.absentReason.empty())
    return QStringLiteral("%1<br>%2").arg(engine, tr("absent: %1").arg(toQt(row.absentReason).toHtmlEscaped()));
  if (!row.measured) return QStringLiteral("%1<br>%2").arg(engine, tr("not run yet"));
  const QString title =
      row.variant.empty() ? engine : QStringLiteral("%1 · %2").arg(engine, toQt(row.variant).toHtmlEscaped());
  return row.stale ? QStringLiteral("%1<br><i>%2</i>").arg(title, tr("of an earlier setting")) : title;
}

QString EngineChart::tooltip(const EngineRow& row) const {
  QStringList lines = QStringList{tipTitle(row)} + tipLines(row);
  if (row.measured && !row.verification.empty()) {
    const QString verification = toQt(row.verification).toHtmlEscaped();
    lines << (!row.check     ? verification  // "not yet verified"
              : row.verified ? tr("verified: %1").arg(verification)
                             : tr("not verified: %1").arg(verification));
  }
  return lines.join(QStringLiteral("<br>"));
}

std::string EngineChart::csv() const {
  // The last columns have the names and words of the JSON of a benchmark (docs/manual/measurement.md).
  std::string out = "engine,variant,status," + columns() + ",verified,rel_l2,max_ulp,compared,coverage,failed\n";
  for (const EngineRow& row : rows_) {
    out += csvCell(row.id) + ',' + csvCell(row.variant) + ',' + csvCell(statusOf(row)) + ',' + cells(row) + ',';
    const std::string verified = row.verified ? "true" : "false";
    // An engine that did not run has its reason in `verification`.
    const std::string failed = row.check ? row.check->failure : row.measured ? std::string() : row.verification;
    if (row.check && row.check->compared > 0)
      out += csvLine(verified, row.check->relativeL2, row.check->maximumUlp, row.check->compared, row.check->coverage,
                     failed);
    else
      out += csvLine(verified, "", "", "", "", failed);
  }
  return out;
}

QSize EngineChart::sizeHint() const {
  const Frame f = frame();
  return {static_cast<int>(22 * f.line), static_cast<int>(std::ceil(f.plot.bottom() + 2.6 * f.line))};
}

QSize EngineChart::minimumSizeHint() const { return {static_cast<int>(12 * frame().line), sizeHint().height()}; }

QRectF EngineChart::barArea(int index) const { return frame().bar(static_cast<std::size_t>(index)); }

QRectF EngineChart::rowArea(int index) const { return frame().rows.at(static_cast<std::size_t>(index)); }

int EngineChart::rowAt(const QPointF& position) const {
  const Frame f = frame();
  for (std::size_t i = 0; i < f.rows.size(); ++i)
    if (position.y() >= f.rows[i].top() && position.y() < f.rows[i].bottom()) return static_cast<int>(i);
  return -1;
}

void EngineChart::drawRow(QPainter& painter, const Frame& f, std::size_t index, double scale) const {
  const EngineRow& row = rows_[index];
  const bool absent = !row.absentReason.empty();
  const bool hovered = static_cast<int>(index) == lit();
  if (row.current || hovered) painter.fillRect(f.rows[index], wash(hovered ? 0.22F : 0.10F));

  QFont bold = font();
  bold.setBold(row.current);
  const QFontMetricsF metrics(bold), plain(font());
  QRectF words(f.plot.left(), f.rows[index].top() + 0.1 * f.line, f.plot.width(), 1.1 * f.line);
  const QString name = metrics.elidedText(QString::fromStdString(row.id), Qt::ElideMiddle, 0.6 * words.width());
  painter.setPen(absent ? absentColor() : ink());
  painter.setFont(bold);
  painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft, name);
  painter.setFont(font());
  words.setLeft(words.left() + metrics.horizontalAdvance(name) + 0.6 * f.line);
  const auto write = [&](const QString& what, const QColor& color, Qt::Alignment side) {
    painter.setPen(color);
    painter.drawText(words, Qt::AlignVCenter | side, plain.elidedText(what, Qt::ElideRight, words.width()));
  };
  if (absent) {
    write(tr("absent: %1").arg(toQt(row.absentReason)), absentColor(), Qt::AlignLeft);
  } else if (!row.measured) {
    write(pendingText(row), pale(), Qt::AlignRight);
  } else {
    if (row.stale) painter.setOpacity(kDimmed);
    drawBar(painter, row, f.bar(index), scale);
    if (const QColor mark = markOf(row); mark.isValid()) {
      drawMark(painter, {words.right() - 0.4 * f.line, words.center().y()}, 0.28 * f.line, mark, pale());
      words.setRight(words.right() - f.line);
    }
    write(valueText(row), ink(), Qt::AlignRight);
    painter.setOpacity(1);
  }
}

void EngineChart::draw(QPainter& painter) const {
  const Frame f = frame();
  const QFontMetricsF metrics(font());
  drawLegend(painter, QRectF(0.4 * f.line, 0, width() - 0.8 * f.line, f.legend), legend());

  double highest = 0;
  for (const EngineRow& row : rows_)
    if (row.measured) highest = std::max(highest, barEnd(row));
  const Axis scaleAxis = axis(highest);
  const int most = std::clamp(static_cast<int>(f.plot.width() / (3.4 * f.line)), 1, 6);
  const auto ticks = zeroBasedTicks(scaleAxis.highest * scaleAxis.perUnit, most);
  const double scale = f.plot.width() / (ticks.back() / scaleAxis.perUnit);

  const auto xOf = [&](double tick) { return std::round(f.plot.left() + tick / scaleAxis.perUnit * scale) + 0.5; };
  for (const double tick : ticks) {
    painter.setPen(QPen(ink(tick == 0 ? kAxis : kGrid), 1));
    painter.drawLine(QPointF(xOf(tick), f.plot.top()), QPointF(xOf(tick), f.plot.bottom() + 0.2 * f.line));
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) drawRow(painter, f, i, scale);

  painter.setPen(pale());
  for (const double tick : ticks) {
    const QString label = QString::number(tick, 'g', 6);
    const double half = metrics.horizontalAdvance(label) / 2;
    const double x = std::clamp(xOf(tick), half + 1, std::max(half + 1, width() - half - 1));
    painter.drawText(QRectF(x - half - 1, f.plot.bottom() + 0.25 * f.line, 2 * half + 2, f.line), Qt::AlignCenter,
                     label);
  }
  painter.drawText(QRectF(f.plot.left(), f.plot.bottom() + 1.25 * f.line, f.plot.width(), 1.2 * f.line),
                   Qt::AlignCenter,
                   std::ranges::any_of(rows_, [](const EngineRow& row) { return row.stale; })
                       ? tr("%1 (pale: earlier setting)").arg(scaleAxis.title)
                       : scaleAxis.title);
}

QString EngineChart::point(const QPointF& position) {
  const int row = rowAt(position);
  return row >= 0 ? tooltip(rows_[static_cast<std::size_t>(row)]) : QString();
}

void EngineChart::mouseMoveEvent(QMouseEvent* event) {
  const int row = rowAt(event->position());
  const bool clickable = row >= 0 && rows_[static_cast<std::size_t>(row)].absentReason.empty();
  setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
  light(row);
}

void EngineChart::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !rect().contains(event->pos())) return;
  const int row = rowAt(event->position());
  if (row < 0 || !rows_[static_cast<std::size_t>(row)].absentReason.empty()) return;
  Q_EMIT engineClicked(QString::fromStdString(rows_[static_cast<std::size_t>(row)].id));
}

TimeChart::TimeChart(QWidget* parent) : EngineChart(parent) { setAccessibleName(tr("Time per run")); }

QString TimeChart::pendingText(const EngineRow& row) const {
  return row.predicted > 0 ? tr("predicted %1").arg(formatSeconds(row.predicted)) : EngineChart::pendingText(row);
}

EngineChart::Axis TimeChart::axis(double longest) const {
  if (longest <= 0) longest = 1e-3;
  const TimeUnit unit = timeUnit(longest);
  return {longest, tr("%1 per run").arg(unit.name), unit.perSecond};
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
    fillBar(painter, box, color, row.provisional);
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
    painter.setPen(QPen(ink(), 1.2));
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

QStringList TimeChart::tipLines(const EngineRow& row) const {
  QStringList lines;
  if (!row.measured) {
    if (row.predicted > 0) lines << tr("expected kernel time: %1").arg(formatSeconds(row.predicted));
    return lines;
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
  if (row.phases.overlap > 0) lines << tr("of these, %1 at the same time").arg(formatSeconds(row.phases.overlap));
  if (row.predicted > 0 && row.phases.kernel > 0)
    lines << tr("kernel: %1").arg(formatPrediction(row.predicted, row.phases.kernel));
  if (row.phases.compile > 0)
    lines << tr("compiled once in %1, not part of the time").arg(formatSeconds(row.phases.compile));
  if (row.uploadedOnce > 0) lines << tr("data copied to the device once in %1").arg(formatSeconds(row.uploadedOnce));
  return lines;
}

std::vector<Chart::LegendEntry> TimeChart::legend() const {
  // In the colors of the engine whose result is shown.
  std::string id = rows_.empty() ? std::string() : rows_.front().id;
  for (const EngineRow& row : rows_)
    if (row.current) id = row.id;
  std::vector<LegendEntry> entries;
  for (const Part& part : partsOf({}))
    entries.push_back({part.name, [color = phaseColor(id, part.phase)](QPainter& painter, const QRectF& box) {
                         painter.fillRect(box, color);
                       }});
  if (std::ranges::any_of(rows_, [](const EngineRow& row) { return row.measured && row.phases.compile > 0; }))
    entries.push_back({tr("compile, once"),
                       [color = phaseColor(id, Phase::Compile), rim = pale()](QPainter& painter, const QRectF& box) {
                         drawMark(painter, box.center(), box.height() / 2, color, rim);
                       }});
  return entries;
}

std::string TimeChart::columns() const {
  return "compile_once_s,upload_s,kernel_s,download_s,overlap_s,total_s,samples,disturbed,q1_s,median_s,q3_s,predicted_"
         "s";
}

std::string TimeChart::cells(const EngineRow& row) const {
  if (!row.measured) return ",,,,,,,,,,,";
  std::string out;
  for (const double value : {row.phases.compile, row.phases.upload, row.phases.kernel, row.phases.download,
                             row.phases.overlap, lengthOf(row)})
    out += csvNumber(value) + ',';
  out += std::to_string(row.samples.size()) + ',' + std::to_string(row.disturbed) + ',';
  const Spread q = spreadOf(row.samples);
  for (const double value : {q.firstQuartile, q.median, q.thirdQuartile})
    out += row.samples.empty() ? "," : csvNumber(value) + ',';
  return row.predicted > 0 ? out + csvNumber(row.predicted) : out;
}

ThroughputChart::ThroughputChart(QWidget* parent) : EngineChart(parent) {
  setAccessibleName(tr("Throughput against the measured ceiling"));
}

EngineChart::Axis ThroughputChart::axis(double highest) const {
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
  fillBar(painter, reached, color, row.provisional);
  painter.restore();
}

QString ThroughputChart::valueText(const EngineRow& row) const {
  QString text = formatNumber(row.gflops);
  if (row.ceilingGflops > 0) text += QStringLiteral(" · ") + percentOf(row);
  return text;
}

QStringList ThroughputChart::tipLines(const EngineRow& row) const {
  if (!row.measured) return {};
  QStringList lines;
  lines << tr("%1 of counted work in kernel time, n=%2")
               .arg(formatGflops(row.gflops))
               .arg(std::max<std::size_t>(row.samples.size(), 1));
  if (row.ceilingGflops > 0) {
    lines << (row.ceilingEstimated ? tr("%1 of the estimated ceiling, %2") : tr("%1 of the measured ceiling, %2"))
                 .arg(percentOf(row), formatGflops(row.ceilingGflops));
  } else {
    lines << tr("ceiling not measured yet");
  }
  return lines;
}

std::vector<Chart::LegendEntry> ThroughputChart::legend() const {
  std::vector<LegendEntry> entries{
      {tr("reached"), [ink = pale()](QPainter& painter, const QRectF& box) { painter.fillRect(box, ink); }},
      {tr("measured ceiling"),
       [ink = pale()](QPainter& painter, const QRectF& box) { drawCeiling(painter, box, ink, false); }}};
  if (std::ranges::any_of(rows_, [](const EngineRow& row) { return row.measured && row.ceilingEstimated; }))
    entries.push_back({tr("estimated"),
                       [ink = pale()](QPainter& painter, const QRectF& box) { drawCeiling(painter, box, ink, true); }});
  return entries;
}

std::string ThroughputChart::columns() const { return "gflops,ceiling_gflops,ceiling_estimated,utilization"; }

std::string ThroughputChart::cells(const EngineRow& row) const {
  if (!row.measured) return ",,,";
  if (row.ceilingGflops <= 0) return csvNumber(row.gflops) + ",,,";
  return csvNumber(row.gflops) + ',' + csvNumber(row.ceilingGflops) + ',' + (row.ceilingEstimated ? "true" : "false") +
         ',' + csvNumber(row.gflops / row.ceilingGflops);
}

}  // namespace sscope

#include "moc_engine_charts.cpp"
