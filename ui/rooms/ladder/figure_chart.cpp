#include "ui/rooms/ladder/figure_chart.h"

#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/chart_picture.h"
#include "ui/rooms/ladder/measurement_text.h"

namespace sscope {

namespace {

constexpr double kMargin = 0.6, kCurvesHeight = 16;  // lines

bool hasLegend(const Figure& figure) {
  return figure.kind == FigureKind::Curves || figure.kind == FigureKind::StackedBars;
}

QString escaped(const std::string& text) { return toQt(text).toHtmlEscaped(); }

}  // namespace

FigureChart::FigureChart(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void FigureChart::setFigure(Figure figure, SharedMeasurements measurements) {
  figure_ = std::move(figure);
  measurements_ = std::move(measurements);
  lit_ = -1;
  marks_.clear();
  setAccessibleName(toQt(figure_.title));
  QStringList names;
  for (const FigureSeries& series : figure_.series)
    names << tr("%1: %2 points").arg(toQt(series.name)).arg(series.points.size());
  setAccessibleDescription(names.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

double FigureChart::headHeight(double width) const {
  const double line = QFontMetricsF(font()).height();
  double height = 1.7 * line;
  if (hasLegend(figure_))
    height += layLegend(figure_, font(), palette(), QRectF(0, 0, width - 2 * kMargin * line, 1), nullptr) + 0.3 * line;
  return height;
}

double FigureChart::noteHeight(double width) const {
  if (figure_.note.empty()) return 0;
  const QFontMetricsF metrics(font());
  const double margin = kMargin * metrics.height();
  return metrics.boundingRect(QRectF(0, 0, width - 2 * margin, 1e4), Qt::TextWordWrap, toQt(figure_.note)).height() +
         0.4 * metrics.height();
}

int FigureChart::heightForWidth(int width) const {
  const double line = QFontMetricsF(font()).height(), inner = width - 2 * kMargin * line;
  double content = kCurvesHeight * line;
  if (figure_.kind == FigureKind::StackedBars) content = barsHeight(figure_, line);
  if (figure_.kind == FigureKind::HeatMap) content = heatMapsHeight(figure_, line, inner);
  if (figure_.kind == FigureKind::Table) content = figureTableHeight(figure_, line);
  return static_cast<int>(std::ceil(headHeight(width) + content + noteHeight(width) + 1.2 * line));
}

QSize FigureChart::sizeHint() const {
  const int width = em(this, 34);
  return {width, heightForWidth(width)};
}

QSize FigureChart::minimumSizeHint() const { return {em(this, 18), em(this, 6)}; }

void FigureChart::draw(QPainter& painter, std::vector<FigureMark>& marks) const {
  const QFontMetricsF metrics(font());
  const double line = metrics.height(), margin = kMargin * line;
  painter.setRenderHint(QPainter::Antialiasing);
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  painter.setPen(palette().color(QPalette::Text));
  const double inner = width() - 2 * margin;
  painter.drawText(QRectF(margin, 0.3 * line, inner, 1.2 * line), Qt::AlignVCenter | Qt::AlignLeft,
                   QFontMetricsF(bold).elidedText(toQt(figure_.title), Qt::ElideRight, inner));
  painter.setFont(font());
  if (hasLegend(figure_)) layLegend(figure_, font(), palette(), QRectF(margin, 1.7 * line, inner, 1), &painter);
  const double top = headHeight(width()), note = noteHeight(width());
  marks.clear();
  FigureCanvas canvas{
      painter, QRectF(margin, top, inner, height() - top - note - 0.3 * line),
      figure_, measurements_ ? std::span<const Measurement>(*measurements_) : std::span<const Measurement>(),
      font(),  palette(),
      nullptr, marks};
  const FigureMark lit =
      lit_ >= 0 && lit_ < static_cast<int>(marks_.size()) ? marks_[static_cast<std::size_t>(lit_)] : FigureMark();
  const bool any = lit_ >= 0;
  if (any) canvas.lit = &lit;
  switch (figure_.kind) {
    case FigureKind::Curves: drawCurves(canvas); break;
    case FigureKind::StackedBars: drawBars(canvas); break;
    case FigureKind::HeatMap: drawHeatMaps(canvas); break;
    case FigureKind::Table: drawFigureTable(canvas); break;
  }
  if (note > 0) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QRectF(margin, height() - note - 0.2 * line, inner, note), Qt::TextWordWrap, toQt(figure_.note));
  }
}

void FigureChart::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  std::vector<FigureMark> marks;
  draw(painter, marks);
  marks_ = std::move(marks);
  if (hasFocus()) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

QImage FigureChart::picture(double scale) const {
  std::vector<FigureMark> marks;
  return chartPicture(*this, scale, [this, &marks](QPainter& painter) { draw(painter, marks); });
}

std::string FigureChart::csv() const {
  std::string out = "figure,series,origin,engine,variant,hardware,source,part,category,x,y,value,label\n";
  const bool named = figure_.kind == FigureKind::StackedBars || figure_.kind == FigureKind::Table;
  for (const FigureSeries& series : figure_.series) {
    const std::string head = csvCell(figure_.id) + ',' + csvCell(series.name) + ',' +
                             (series.origin == SeriesOrigin::Published ? "published" : "measured") + ',' +
                             csvCell(series.engine) + ',' + csvCell(series.variant) + ',' + csvCell(series.hardware) +
                             ',' + csvCell(series.source) + ',' + csvCell(series.part) + ',';
    for (const FigurePoint& point : series.points) {
      const auto index = static_cast<std::size_t>(point.x);
      const std::string category = named && index < figure_.categories.size() ? figure_.categories[index] : "";
      out += head + csvCell(category) + ',' + csvNumber(point.x) + ',' + csvNumber(point.y) + ',' +
             csvNumber(point.value) + ',' + csvCell(point.label) + '\n';
    }
    if (series.points.empty() && series.average) out += head + ",,," + csvNumber(*series.average) + ",mean\n";
  }
  return out;
}

const FigurePoint& FigureChart::pointAt(const FigureMark& mark) const {
  return figure_.series[mark.series].points[mark.point];
}

const Measurement* FigureChart::measurementAt(const FigureMark& mark) const {
  const auto index = pointAt(mark).measurement;
  return index && measurements_ && *index < measurements_->size() ? &(*measurements_)[*index] : nullptr;
}

QString FigureChart::tip(const FigureMark& mark) const {
  const FigureSeries& series = figure_.series[mark.series];
  const FigurePoint& point = pointAt(mark);
  const Axis& axis =
      figure_.kind == FigureKind::Curves || figure_.kind == FigureKind::StackedBars ? figure_.y : figure_.value;
  QString where;
  if (figure_.kind == FigureKind::Curves)
    where = QStringLiteral("%1 %2").arg(toQt(figure_.x.label).toHtmlEscaped(),
                                        figureValue({"", figure_.x.unit, false}, point.x));
  if (figure_.kind == FigureKind::HeatMap) where = QStringLiteral("%1 × %2").arg(point.x).arg(point.y);
  if (figure_.kind == FigureKind::StackedBars || figure_.kind == FigureKind::Table) {
    const auto index = static_cast<std::size_t>(point.x);
    if (index < figure_.categories.size()) where = escaped(figure_.categories[index]);
  }
  const QString part = series.part.empty() ? QString() : tr("%1 part: ").arg(escaped(series.part));
  QString text = QStringLiteral("<p style='white-space:pre'>%1 · %2<b>%3</b>")
                     .arg(where, part, figureValue(axis, point.value).toHtmlEscaped());
  if (!point.label.empty()) text += QStringLiteral(" · ") + escaped(point.label);
  text += QStringLiteral("</p>");
  if (const Measurement* m = measurementAt(mark)) return text + measurementTip(*m);
  text += QStringLiteral("<b>%1</b>").arg(escaped(series.name));
  if (series.origin == SeriesOrigin::Published)
    text += tr("<br>published: %1, %2; not measured here").arg(escaped(series.hardware), escaped(series.source));
  return text;
}

int FigureChart::markAt(const QPointF& position) const {
  // Painted last lies on top; of overlapping curve points the nearest.
  int best = -1;
  double distance = 1e300;
  for (int i = static_cast<int>(marks_.size()) - 1; i >= 0; --i) {
    const QRectF& area = marks_[static_cast<std::size_t>(i)].area;
    if (!area.contains(position)) continue;
    const QPointF away = area.center() - position;
    const double d = QPointF::dotProduct(away, away);
    if (d < distance) {
      distance = d;
      best = i;
    }
  }
  return best;
}

// `speak`: for the keyboard the tip comes at once, beside the point.
void FigureChart::light(int mark, bool speak) {
  if (mark != lit_) {
    lit_ = mark;
    update();
  }
  if (!speak || mark < 0) return;
  const FigureMark& chosenMark = marks_[static_cast<std::size_t>(mark)];
  setAccessibleDescription(tip(chosenMark));
  QToolTip::showText(mapToGlobal(chosenMark.area.bottomRight().toPoint()), tip(chosenMark), this);
}

bool FigureChart::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int mark = markAt(help->pos());
    if (mark >= 0) {
      QToolTip::showText(help->globalPos(), tip(marks_[static_cast<std::size_t>(mark)]), this);
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  if (event->type() == QEvent::FontChange) updateGeometry();
  return QWidget::event(event);
}

void FigureChart::mouseMoveEvent(QMouseEvent* event) {
  const int mark = markAt(event->position());
  if (mark != lit_ && mark >= 0)
    QToolTip::showText(event->globalPosition().toPoint(), tip(marks_[static_cast<std::size_t>(mark)]), this);
  if (mark < 0 && lit_ >= 0) QToolTip::hideText();
  light(mark, false);
  setCursor(mark >= 0 && measurementAt(marks_[static_cast<std::size_t>(mark)]) ? Qt::PointingHandCursor
                                                                               : Qt::ArrowCursor);
}

void FigureChart::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const int mark = markAt(event->position());
  if (mark < 0) return;
  if (const Measurement* m = measurementAt(marks_[static_cast<std::size_t>(mark)])) Q_EMIT chosen(*m);
}

void FigureChart::leaveEvent(QEvent* /*event*/) { light(-1, false); }

// Left and right go from point to point, Enter opens the explanation.
void FigureChart::keyPressEvent(QKeyEvent* event) {
  const int count = static_cast<int>(marks_.size());
  const int step = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down ? 1
                   : event->key() == Qt::Key_Left || event->key() == Qt::Key_Up  ? -1
                                                                                 : 0;
  if (step != 0 && count > 0) {
    light(lit_ < 0 ? (step > 0 ? 0 : count - 1) : (lit_ + step + count) % count, true);
    return;
  }
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
  if (enter && lit_ >= 0) {
    if (const Measurement* m = measurementAt(marks_[static_cast<std::size_t>(lit_)])) Q_EMIT chosen(*m);
    return;
  }
  QWidget::keyPressEvent(event);
}

void FigureChart::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

void FigureChart::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  light(-1, false);
  update();
}

void FigureChart::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("Export as PNG…"), this, [this] { Q_EMIT exportRequested(true); });
  menu.addAction(tr("Export as CSV…"), this, [this] { Q_EMIT exportRequested(false); });
  menu.exec(event->globalPos());
}

}  // namespace sscope
