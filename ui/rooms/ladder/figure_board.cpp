#include "ui/rooms/ladder/figure_board.h"

#include <algorithm>

#include "ui/base/look.h"

namespace sscope {

namespace {
constexpr double kLeastWidth = 32;  // lines; below it a row holds one figure less
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

#include "moc_figure_board.cpp"
