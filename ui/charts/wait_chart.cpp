#include "ui/charts/wait_chart.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

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
  const double line = QFontMetricsF(font()).height();
  std::vector<Part> parts{
      {tr("rest"),
       tr("from the slider\u2019s event to the engine, between threads, and waiting for what ran before"),
       {},
       std::max(0.0, w.rest()),
       {}},
      {tr("kernel"), tr("computing %n slice(s)", nullptr, w.slices), phaseColor(w.engine, Phase::Kernel), w.kernel, {}},
      {tr("copies"), tr("data to the device, and slices from it"), phaseColor(w.engine, Phase::Upload), w.copies, {}},
      {tr("pictures"),
       tr("from values to grays, painted and handed to the screen"),
       phaseColor(w.engine, Phase::Download),
       w.pictures,
       {}}};
  double sum = 0;
  for (const Part& part : parts) sum += part.seconds;
  const double scale = sum > 0 ? (width() - 0.5 * line) / sum : 0;
  double x = 0.25 * line;
  for (Part& part : parts) {
    part.box = {x, 1.15 * line, part.seconds * scale, 0.55 * line};
    x += part.box.width();
  }
  return parts;
}

void WaitChart::draw(QPainter& painter) const {
  if (!wait_) return;
  const double line = QFontMetricsF(font()).height();
  const QRectF words(0.25 * line, 0.05 * line, width() - 0.5 * line, 1.1 * line);
  const QString steps = wait_->steps > 1 ? tr("median of %1 steps").arg(wait_->steps) : tr("one step");
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft, formatSeconds(wait_->total));
  painter.setPen(palette().color(QPalette::PlaceholderText));
  painter.drawText(words, Qt::AlignVCenter | Qt::AlignRight, steps);
  painter.setRenderHint(QPainter::Antialiasing, false);
  const std::vector<Part> shown = parts();
  for (const Part& part : shown) drawPart(painter, part.box, part.color);
  // In smaller letters where there is no room.
  double wanted = 0;
  for (const Part& part : shown) wanted += QFontMetricsF(font()).horizontalAdvance(part.name) + 1.45 * line;
  QFont letters = font();
  const double fitting = (words.width() + 0.6 * line) / wanted;
  const double factor = fitting < 1 ? std::max(0.75, 0.94 * fitting) : 1;  // widths of letters follow sizes in steps
  letters.setPointSizeF(letters.pointSizeF() * factor);
  painter.setFont(letters);
  double left = words.left();
  for (const Part& part : shown) {
    drawPart(painter, {left, 2.05 * line, 0.6 * factor * line, 0.45 * line}, part.color);
    left += 0.85 * factor * line;
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const double wide = QFontMetricsF(letters).horizontalAdvance(part.name);
    painter.drawText(QRectF(left, 1.75 * line, wide + 2, 1.05 * line), Qt::AlignVCenter | Qt::AlignLeft, part.name);
    left += wide + 0.6 * factor * line;
  }
}

// In its color, or as an outline.
void WaitChart::drawPart(QPainter& painter, const QRectF& box, const QColor& color) const {
  if (color.isValid()) {
    painter.fillRect(box, color);
    return;
  }
  painter.setPen(QPen(engineColor(wait_->engine), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(box.adjusted(0, 0, -1, -1));
}

QString WaitChart::tipAt(const QPointF& position) const {
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

bool WaitChart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return Chart::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
  return true;
}

void WaitChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  prepare(painter);
  draw(painter);
}

std::string WaitChart::csv() const {
  std::string out = "engine,slices,steps,rest_s,kernel_s,copies_s,pictures_s,total_s\n";
  if (!wait_) return out;
  out += csvCell(wait_->engine) + ',' + std::to_string(wait_->slices) + ',' + std::to_string(wait_->steps);
  for (const double seconds : {wait_->rest(), wait_->kernel, wait_->copies, wait_->pictures, wait_->total})
    out += ',' + csvNumber(seconds);
  return out + '\n';
}

QSize WaitChart::sizeHint() const {
  const double line = QFontMetricsF(font()).height();
  return {static_cast<int>(22 * line), static_cast<int>(std::ceil(2.9 * line))};
}

QSize WaitChart::minimumSizeHint() const {
  return {static_cast<int>(12 * QFontMetricsF(font()).height()), sizeHint().height()};
}

}  // namespace sscope

#include "moc_wait_chart.cpp"
