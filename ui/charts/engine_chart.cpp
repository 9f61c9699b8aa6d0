#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/chart_mark.h"
#include "ui/charts/engine_charts.h"
#include "ui/charts/engine_colors.h"

namespace sscope {

namespace {
constexpr double kDimmed = 0.4;  // opacity of what no longer holds
}

// Where things stand, in logical pixels and multiples of the font's height. Names and numbers have a line of their own
// above each bar: so the bars have the whole width, however narrow the panel is.
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
  f.line = QFontMetricsF(font()).height();
  f.legend = 1.4 * f.line;
  double top = f.legend;
  for (const EngineRow& row : rows_) {
    const double height = (row.absentReason.empty() ? 1.9 : 1.3) * f.line;  // what is absent has no bar
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
  if (hovered_ >= static_cast<int>(rows_.size())) hovered_ = -1;
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

QString EngineChart::tipTitle(const EngineRow& row) {
  const QString engine = QStringLiteral("<b>%1</b>").arg(toQt(row.id).toHtmlEscaped());
  if (!row.absentReason.empty())
    return QStringLiteral("%1<br>%2").arg(engine, tr("absent: %1").arg(toQt(row.absentReason).toHtmlEscaped()));
  if (!row.measured) return QStringLiteral("%1<br>%2").arg(engine, tr("not run yet"));
  const QString title =
      row.variant.empty() ? engine : QStringLiteral("%1 · %2").arg(engine, toQt(row.variant).toHtmlEscaped());
  return row.stale ? QStringLiteral("%1<br><i>%2</i>").arg(title, tr("of an earlier setting")) : title;
}

QString EngineChart::verificationLine(const EngineRow& row) {
  if (row.verification.empty()) return {};
  if (row.measured && !row.check) return toQt(row.verification).toHtmlEscaped();  // "not yet verified"
  return (row.verified ? tr("verified: %1") : tr("not verified: %1")).arg(toQt(row.verification).toHtmlEscaped());
}

std::string EngineChart::checkCells(const EngineRow& row) {
  std::string cells = row.verified ? "true" : "false";
  if (row.check && row.check->compared > 0)
    cells += ',' + csvNumber(row.check->relativeL2) + ',' + csvNumber(row.check->maximumUlp) + ',' +
             std::to_string(row.check->compared) + ',' + csvCell(row.check->coverage);
  else
    cells += ",,,,";
  // An engine that did not run at all says why.
  return cells + ',' + csvCell(row.check ? row.check->failure : row.measured ? std::string() : row.verification);
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
  QColor highlight = palette().color(QPalette::Highlight);
  highlight.setAlphaF(static_cast<int>(index) == hovered_ ? 0.22F : 0.10F);
  if (row.current || static_cast<int>(index) == hovered_) painter.fillRect(f.rows[index], highlight);

  const QColor text = palette().color(QPalette::Text);
  QFont bold = font();
  bold.setBold(row.current);
  const QFontMetricsF metrics(bold), plain(font());
  QRectF words(f.plot.left(), f.rows[index].top() + 0.1 * f.line, f.plot.width(), 1.1 * f.line);
  const QString name = metrics.elidedText(QString::fromStdString(row.id), Qt::ElideMiddle, 0.6 * words.width());
  painter.setPen(absent ? absentColor() : text);
  painter.setFont(bold);
  painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft, name);
  painter.setFont(font());
  words.setLeft(words.left() + metrics.horizontalAdvance(name) + 0.6 * f.line);
  const auto write = [&](const QString& what, const QColor& ink, Qt::Alignment side) {
    painter.setPen(ink);
    painter.drawText(words, Qt::AlignVCenter | side, plain.elidedText(what, Qt::ElideRight, words.width()));
  };
  if (absent) {
    write(tr("absent: %1").arg(toQt(row.absentReason)), absentColor(), Qt::AlignLeft);
  } else if (!row.measured) {
    write(pendingText(row), palette().color(QPalette::PlaceholderText), Qt::AlignRight);
  } else {
    if (row.stale) painter.setOpacity(kDimmed);
    drawBar(painter, row, f.bar(index), scale);
    if (const QColor mark = markOf(row); mark.isValid()) {
      drawMark(painter, {words.right() - 0.4 * f.line, words.center().y()}, 0.28 * f.line, mark,
               palette().color(QPalette::PlaceholderText));
      words.setRight(words.right() - f.line);
    }
    write(valueText(row), text, Qt::AlignRight);
    painter.setOpacity(1);
  }
}

// In smaller letters where the panel is too narrow for it.
void EngineChart::drawLegend(QPainter& painter, const QRectF& area) const {
  const auto entries = legend();
  QFont letters = font();
  const auto widthIn = [&](const QFont& f) {
    const QFontMetricsF metrics(f);
    double sum = 0;
    for (const LegendEntry& entry : entries) sum += metrics.horizontalAdvance(entry.name) + 1.9 * metrics.ascent();
    return sum;
  };
  const double wanted = widthIn(letters);
  if (wanted > area.width()) letters.setPointSizeF(letters.pointSizeF() * std::max(0.75, area.width() / wanted));
  const QFontMetricsF metrics(letters);
  const double side = 0.6 * metrics.ascent();
  double x = area.left();
  painter.save();
  painter.setFont(letters);
  for (const LegendEntry& entry : entries) {
    entry.drawSwatch(painter, QRectF(x, area.center().y() - side / 2, 1.2 * side, side));
    x += 1.6 * side;
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const double width = metrics.horizontalAdvance(entry.name);
    painter.drawText(QRectF(x, area.top(), width + 2, area.height()), Qt::AlignVCenter | Qt::AlignLeft, entry.name);
    x += width + 1.1 * side;
  }
  painter.restore();
}

void EngineChart::draw(QPainter& painter) const {
  const Frame f = frame();
  const QFontMetricsF metrics(font());
  drawLegend(painter, QRectF(0.4 * f.line, 0, width() - 0.8 * f.line, f.legend));

  const Axis scaleAxis = axis();
  const int most = std::clamp(static_cast<int>(f.plot.width() / (3.4 * f.line)), 1, 6);
  const auto ticks = zeroBasedTicks(scaleAxis.highest * scaleAxis.perUnit, most);
  const double scale = f.plot.width() / (ticks.back() / scaleAxis.perUnit);

  QColor grid = palette().color(QPalette::Text);
  const QColor pale = palette().color(QPalette::PlaceholderText);
  const auto xOf = [&](double tick) { return std::round(f.plot.left() + tick / scaleAxis.perUnit * scale) + 0.5; };
  for (const double tick : ticks) {
    grid.setAlphaF(tick == 0 ? 0.55F : 0.13F);
    painter.setPen(QPen(grid, 1));
    painter.drawLine(QPointF(xOf(tick), f.plot.top()), QPointF(xOf(tick), f.plot.bottom() + 0.2 * f.line));
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) drawRow(painter, f, i, scale);

  painter.setPen(pale);
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

void EngineChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  prepare(painter);
  draw(painter);
}

bool EngineChart::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = rowAt(help->pos());
    if (row >= 0) {
      QToolTip::showText(help->globalPos(), tooltip(rows_[static_cast<std::size_t>(row)]), this);
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return Chart::event(event);
}

void EngineChart::mouseMoveEvent(QMouseEvent* event) {
  const int row = rowAt(event->position());
  const bool clickable = row >= 0 && rows_[static_cast<std::size_t>(row)].absentReason.empty();
  setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (row == hovered_) return;
  hovered_ = row;
  update();
}

void EngineChart::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

void EngineChart::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !rect().contains(event->pos())) return;
  const int row = rowAt(event->position());
  if (row < 0 || !rows_[static_cast<std::size_t>(row)].absentReason.empty()) return;
  Q_EMIT engineClicked(QString::fromStdString(rows_[static_cast<std::size_t>(row)].id));
}

}  // namespace sscope

#include "moc_engine_charts.cpp"
