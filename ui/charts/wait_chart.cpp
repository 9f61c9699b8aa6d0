#include "ui/charts/wait_chart.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"

namespace sscope {

WaitChart::WaitChart(QWidget* parent) : Chart(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setAccessibleName(tr("Time from the slider to the pixels"));
}

void WaitChart::setWait(const std::optional<Wait>& wait) {
  wait_ = wait;
  setAccessibleDescription(wait_ ? formatSeconds(wait_->total) : QString());
  update();
}

std::vector<WaitChart::Part> WaitChart::parts() const {
  if (!wait_) return {};
  const Wait& w = *wait_;
  const double em = line();
  std::vector<Part> parts{
      {tr("rest"),
       tr("from the slider\u2019s event to the engine, between threads, and waiting for earlier work"),
       {},
       std::max(0.0, w.rest()),
       {}},
      {tr("kernel"), tr("computing %n slice(s)", nullptr, w.slices), phaseColor(w.engine, Phase::Kernel), w.kernel, {}},
      {tr("copies"), tr("data to the device, and slices from it"), phaseColor(w.engine, Phase::Upload), w.copies, {}},
      {tr("pictures"),
       tr("from values to gray levels, painted and passed to the screen"),
       phaseColor(w.engine, Phase::Download),
       w.pictures,
       {}}};
  double sum = 0;
  for (const Part& part : parts) sum += part.seconds;
  const double scale = sum > 0 ? (width() - 0.5 * em) / sum : 0;
  double x = 0.25 * em;
  for (Part& part : parts) {
    part.box = {x, 1.15 * em, part.seconds * scale, 0.55 * em};
    x += part.box.width();
  }
  return parts;
}

void WaitChart::draw(QPainter& painter) const {
  if (!wait_) return;
  const double em = line();
  const QRectF words(0.25 * em, 0.05 * em, width() - 0.5 * em, 1.1 * em);
  const QString steps = wait_->steps > 1 ? tr("median of %1 steps").arg(wait_->steps) : tr("one step");
  painter.setPen(ink());
  painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft, formatSeconds(wait_->total));
  painter.setPen(pale());
  painter.drawText(words, Qt::AlignVCenter | Qt::AlignRight, steps);
  painter.setRenderHint(QPainter::Antialiasing, false);
  const std::vector<Part> shown = parts();
  for (const Part& part : shown) drawPart(painter, part.box, part.color);
  std::vector<LegendEntry> legend;
  for (const Part& part : shown)
    legend.push_back(
        {part.name, [this, color = part.color](QPainter& p, const QRectF& box) { drawPart(p, box, color); }});
  drawLegend(painter, QRectF(words.left(), 1.75 * em, words.width(), 1.05 * em), legend);
}

void WaitChart::drawPart(QPainter& painter, const QRectF& box, const QColor& color) const {
  if (color.isValid()) {
    painter.fillRect(box, color);
    return;
  }
  painter.setPen(QPen(engineColor(wait_->engine), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(box.adjusted(0, 0, -1, -1));
}

QString WaitChart::point(const QPointF& position) {
  if (!wait_) return {};
  QStringList lines{tr("<b>%1</b> from the slider to the pixels, slices from %2")
                        .arg(formatSeconds(wait_->total), toQt(wait_->engine).toHtmlEscaped())};
  for (const Part& part : parts()) {
    const bool under = position.x() >= part.box.left() && position.x() < part.box.right() &&
                       position.y() >= part.box.top() && position.y() < part.box.bottom();
    const QString text = QStringLiteral("%1 %2: %3").arg(part.name, formatSeconds(part.seconds), part.meaning);
    lines << (under ? QStringLiteral("<b>%1</b>").arg(text) : text);
  }
  return lines.join(QStringLiteral("<br>"));
}

std::string WaitChart::csv() const {
  std::string out = "engine,slices,steps,rest_s,kernel_s,copies_s,pictures_s,total_s\n";
  if (!wait_) return out;
  const Wait& w = *wait_;
  return out + csvLine(w.engine, w.slices, w.steps, w.rest(), w.kernel, w.copies, w.pictures, w.total);
}

QSize WaitChart::sizeHint() const {
  const double em = line();
  return {static_cast<int>(22 * em), static_cast<int>(std::ceil(2.9 * em))};
}

QSize WaitChart::minimumSizeHint() const { return {static_cast<int>(12 * line()), sizeHint().height()}; }

}  // namespace sscope

#include "moc_wait_chart.cpp"
