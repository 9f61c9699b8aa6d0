#include "ui/rooms/ladder/figure_chart.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/report/axis_scale.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/rooms/ladder/figure_painting.h"
#include "ui/rooms/ladder/rung_details.h"

namespace sscope {

namespace {

constexpr double kMargin = 0.6, kTitle = 1.7, kFoot = 1.2;  // lines

QString richText(const std::string& text) { return toQt(text).toHtmlEscaped(); }

}  // namespace

FigureChart::FigureChart(QWidget* parent) : Chart(parent) {
  setFocusPolicy(Qt::StrongFocus);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void FigureChart::setFigure(Figure figure, SharedMeasurements measurements) {
  figure_ = std::move(figure);
  measurements_ = std::move(measurements);
  highlighted_.reset();
  drawing_.reset();
  setAccessibleName(toQt(figure_.title));
  QStringList names;
  for (const FigureSeries& series : figure_.series)
    names << tr("%1: %2 points").arg(toQt(series.name)).arg(series.points.size());
  setAccessibleDescription(names.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

double FigureChart::noteHeight(double width) const {
  if (figure_.note.empty()) return 0;
  const QRectF space(0, 0, width - 2 * kMargin * line(), 1e4);
  return QFontMetricsF(font()).boundingRect(space, Qt::TextWordWrap, toQt(figure_.note)).height() + 0.4 * line();
}

report::DisplayList FigureChart::laidOut(double width, double height) const {
  const WindowFont font(this->font());
  const auto measurements =
      measurements_ ? std::span<const Measurement>(*measurements_) : std::span<const Measurement>();
  return report::layOut({figure_, measurements, looksOf(figure_), font}, width - 2 * kMargin * line(),
                        height - noteHeight(width) - (kTitle + kFoot) * line());
}

const report::DisplayList& FigureChart::drawing() const {
  if (!drawing_) drawing_ = laidOut(width(), height());
  return *drawing_;
}

QPointF FigureChart::origin() const { return {kMargin * line(), kTitle * line()}; }

int FigureChart::heightForWidth(int width) const {
  return static_cast<int>(std::ceil(laidOut(width, 0).height + noteHeight(width) + (kTitle + kFoot) * line()));
}

QSize FigureChart::sizeHint() const {
  const int width = em(this, 34);
  return {width, heightForWidth(width)};
}

QSize FigureChart::minimumSizeHint() const { return {em(this, 18), em(this, 6)}; }

void FigureChart::draw(QPainter& painter) const {
  const double margin = kMargin * line(), inner = width() - 2 * margin;
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  painter.setPen(ink());
  painter.drawText(QRectF(margin, 0.3 * line(), inner, 1.2 * line()), Qt::AlignVCenter | Qt::AlignLeft,
                   QFontMetricsF(bold).elidedText(toQt(figure_.title), Qt::ElideRight, inner));
  painter.save();
  painter.translate(origin());
  play(drawing(), painter, font(), palette());
  painter.restore();
  if (const double note = noteHeight(width()); note > 0) {
    painter.setFont(font());
    painter.setPen(pale());
    painter.drawText(QRectF(margin, height() - note - 0.2 * line(), inner, note), Qt::TextWordWrap, toQt(figure_.note));
  }
}

void FigureChart::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  prepare(painter);
  draw(painter);
  if (highlighted_) {
    painter.save();
    painter.translate(origin());
    sscope::light(drawing(), *highlighted_, painter, palette());
    painter.restore();
  }
  drawFocus(painter);
}

void FigureChart::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  drawing_.reset();
}

std::string FigureChart::csv() const {
  std::string out = "figure,series,origin,engine,variant,hardware,source,part,category,x,y,value,label\n";
  const bool named = figure_.kind == FigureKind::StackedBars || figure_.kind == FigureKind::Table;
  for (const FigureSeries& series : figure_.series) {
    const std::string origin = series.origin == SeriesOrigin::Published ? "published" : "measured";
    const auto line = [&](const auto&... cells) {
      out += csvLine(figure_.id, series.name, origin, series.engine, series.variant, series.hardware, series.source,
                     series.part, cells...);
    };
    for (const FigurePoint& point : series.points) {
      const auto index = static_cast<std::size_t>(point.x);
      const std::string category = named && index < figure_.categories.size() ? figure_.categories[index] : "";
      line(category, point.x, point.y, point.value, point.label);
    }
    if (series.points.empty() && series.average) line("", "", "", *series.average, "mean");
  }
  return out;
}

const Measurement* FigureChart::measurementAt(const report::Target& target) const {
  if (!target.point) return nullptr;
  const auto index = figure_.series[target.series].points[*target.point].measurement;
  return index && measurements_ && *index < measurements_->size() ? &(*measurements_)[*index] : nullptr;
}

QString FigureChart::tip(const report::Target& target) const {
  const FigureSeries& series = figure_.series[target.series];
  if (!target.point) return QStringLiteral("<b>%1</b><br>%2").arg(richText(series.name), richText(target.text));
  const FigurePoint& point = series.points[*target.point];
  const auto written = [](const Axis& axis, double value) {
    return toQt(report::valueText(axis, value)).toHtmlEscaped();
  };
  const Axis& axis =
      figure_.kind == FigureKind::Curves || figure_.kind == FigureKind::StackedBars ? figure_.y : figure_.value;
  QString where;
  if (figure_.kind == FigureKind::Curves)
    where = QStringLiteral("%1 %2").arg(toQt(figure_.x.label).toHtmlEscaped(),
                                        written({"", figure_.x.unit, false}, point.x));
  if (figure_.kind == FigureKind::HeatMap) where = QStringLiteral("%1 × %2").arg(point.x).arg(point.y);
  if (figure_.kind == FigureKind::StackedBars || figure_.kind == FigureKind::Table) {
    const auto index = static_cast<std::size_t>(point.x);
    if (index < figure_.categories.size()) where = richText(figure_.categories[index]);
  }
  const QString value = QStringLiteral("<b>%1</b>").arg(written(axis, point.value));
  QString text = QStringLiteral("<p style='white-space:pre'>%1 · %2")
                     .arg(where, series.part.empty() ? value : tr("%1 part: %2").arg(richText(series.part), value));
  if (!point.label.empty()) text += QStringLiteral(" · ") + richText(point.label);
  text += QStringLiteral("</p>");
  if (const Measurement* m = measurementAt(target)) return text + measurementTip(*m);
  text += QStringLiteral("<b>%1</b>").arg(richText(series.name));
  if (series.origin == SeriesOrigin::Published)
    text += QStringLiteral("<br>") +
            tr("published: %1, %2; not measured here").arg(richText(series.hardware), richText(series.source));
  return text;
}

std::optional<std::size_t> FigureChart::targetAt(const QPointF& position) const {
  const QPointF at = position - origin();
  return drawing().targetAt({at.x(), at.y()});
}

void FigureChart::highlight(std::optional<std::size_t> target, bool tipAtOnce) {
  if (target != highlighted_) {
    highlighted_ = target;
    update();
  }
  if (!tipAtOnce || !target) return;
  const report::Target& shown = drawing().targets[*target];
  setAccessibleDescription(tip(shown));
  const QPointF corner = origin() + QPointF(shown.area.right(), shown.area.bottom());
  QToolTip::showText(mapToGlobal(corner.toPoint()), tip(shown), this);
}

QString FigureChart::point(const QPointF& position) {
  const auto target = targetAt(position);
  return target ? tip(drawing().targets[*target]) : QString();
}

bool FigureChart::event(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) drawing_.reset();
  return Chart::event(event);
}

void FigureChart::mouseMoveEvent(QMouseEvent* event) {
  const auto target = targetAt(event->position());
  if (target && target != highlighted_)
    QToolTip::showText(event->globalPosition().toPoint(), tip(drawing().targets[*target]), this);
  if (!target && highlighted_) QToolTip::hideText();
  highlight(target, false);
  setCursor(target && measurementAt(drawing().targets[*target]) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void FigureChart::choose(std::optional<std::size_t> target) {
  if (!target) return;
  if (const Measurement* m = measurementAt(drawing().targets[*target])) Q_EMIT chosen(*m);
}

void FigureChart::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) choose(targetAt(event->position()));
}

void FigureChart::leave() { highlight({}, false); }

// To the next point; entries of the legend are skipped.
void FigureChart::step(int by) {
  const auto& targets = drawing().targets;
  const auto count = static_cast<int>(targets.size());
  int at = highlighted_ ? static_cast<int>(*highlighted_) : by > 0 ? -1 : count;
  for (int tried = 0; tried < count; ++tried) {
    at = (at + by + count) % count;
    if (!targets[static_cast<std::size_t>(at)].point) continue;
    highlight(static_cast<std::size_t>(at), true);
    return;
  }
}

void FigureChart::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down: step(1); return;
    case Qt::Key_Left:
    case Qt::Key_Up: step(-1); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: choose(highlighted_); return;
    default: QWidget::keyPressEvent(event);
  }
}

void FigureChart::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

void FigureChart::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  highlight({}, false);
  update();
}

namespace {
constexpr double kLeastWidth = 32;  // of a figure that shares its row, in lines of text
}

FigureBoard::FigureBoard(QWidget* parent) : QScrollArea(parent) {
  setObjectName(QStringLiteral("ladderFigures"));
  setAccessibleName(tr("Figures of the ladder"));
  setFrameShape(NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // the width of the figures does not depend on their height
  setFocusPolicy(Qt::NoFocus);
  setWidget(new QWidget(this));
}

void FigureBoard::setFigures(std::vector<Figure> figures, const SharedMeasurements& measurements) {
  while (charts_.size() > figures.size()) {
    charts_.back()->deleteLater();
    charts_.back()->hide();
    charts_.pop_back();
  }
  while (charts_.size() < figures.size()) {
    auto* chart = new FigureChart(widget());
    const int index = static_cast<int>(charts_.size());
    chart->setObjectName(QStringLiteral("figure-%1").arg(index));
    connect(chart, &FigureChart::chosen, this, &FigureBoard::chosen);
    connect(chart, &FigureChart::exportRequested, this,
            [this, chart](bool png) { Q_EMIT exportRequested(chart, png); });
    chart->show();
    charts_.push_back(chart);
  }
  for (std::size_t i = 0; i < figures.size(); ++i) charts_[i]->setFigure(std::move(figures[i]), measurements);
  arrange();
}

void FigureBoard::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  arrange();
}

// Heat maps and tables take a whole row; the others share one.
void FigureBoard::arrange() {
  const int gap = em(this, 0.5), width = viewport()->width() - 2 * gap;
  const int columns = std::clamp(width / em(this, kLeastWidth), 1, 2);
  int y = gap;
  for (std::size_t i = 0; i < charts_.size();) {
    const auto wide = [&](std::size_t index) {
      const FigureKind kind = charts_[index]->figure().kind;
      return kind == FigureKind::HeatMap || kind == FigureKind::Table;
    };
    std::size_t end = i + 1;
    if (!wide(i))
      while (end < charts_.size() && end - i < static_cast<std::size_t>(columns) && !wide(end)) ++end;
    const auto many = static_cast<int>(end - i);
    const int each = (width - (many - 1) * gap) / many;
    int height = 0;
    for (std::size_t k = i; k < end; ++k) height = std::max(height, charts_[k]->heightForWidth(each));
    for (std::size_t k = i; k < end; ++k)
      charts_[k]->setGeometry(gap + static_cast<int>(k - i) * (each + gap), y, each, height);
    y += height + gap;
    i = end;
  }
  widget()->resize(viewport()->width(), std::max(y, viewport()->height()));
}

}  // namespace sscope

#include "moc_figure_chart.cpp"
