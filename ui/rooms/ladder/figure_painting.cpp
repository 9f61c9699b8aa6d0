#include "ui/rooms/ladder/figure_painting.h"

#include <QPolygonF>
#include <algorithm>
#include <array>

#include "ui/base/text.h"
#include "ui/charts/engine_colors.h"

namespace sscope {

namespace {

QFont bolder(QFont font) {
  font.setBold(true);
  return font;
}

QRectF rectOf(const report::Box& box) { return {box.left, box.top, box.width, box.height}; }

class Player {
 public:
  Player(QPainter& painter, const QFont& font, const QPalette& palette)
      : painter_(painter), normal_(font), bold_(bolder(font)), palette_(palette) {}

  void operator()(const report::Rectangle& rectangle) {
    painter_.setRenderHint(QPainter::Antialiasing, false);
    const QRectF box = rectOf(rectangle.box);
    if (rectangle.fill == report::Fill::Solid) {
      painter_.fillRect(box, colorOf(rectangle.paint));
      return;
    }
    painter_.setPen(QPen(colorOf(rectangle.paint), 1));
    painter_.setBrush(brushOf(rectangle.fill, rectangle.paint));
    painter_.drawRect(box.adjusted(0, 0, -1, -1));
  }

  void operator()(const report::Polyline& line) {
    static constexpr Qt::PenStyle kDashes[] = {Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};
    const Qt::PenStyle style = line.dash > 0 ? kDashes[(line.dash - 1) % 4] : Qt::SolidLine;
    // Flat, because lines must end where the layout says.
    painter_.setPen(QPen(colorOf(line.paint), line.width, style, Qt::FlatCap, Qt::RoundJoin));
    trace(line);
  }

  void operator()(const report::Text& text) {
    const QFont& font = text.bold ? bold_ : normal_;
    const QFontMetricsF metrics(font);
    const QString words = toQt(text.text);
    const double width = metrics.horizontalAdvance(words);
    const double left = text.anchor == report::Anchor::Start ? 0
                        : text.anchor == report::Anchor::End ? -width
                                                             : -width / 2;
    painter_.setFont(font);
    painter_.setPen(colorOf(text.paint));
    painter_.save();
    painter_.translate(text.at.x, text.at.y);
    if (text.upwards) painter_.rotate(-90);
    painter_.drawText(QPointF(left, (metrics.ascent() - metrics.descent()) / 2), words);
    painter_.restore();
  }

  // Outlines the shapes of a target.
  void light(const report::DisplayList& list, std::size_t target) {
    bool shapes = false;
    for (const report::Role role : {report::Role::Paper, report::Role::Ink})
      for (const report::DisplayItem& item : list.items) {
        if (item.target != target) continue;
        painter_.setRenderHint(QPainter::Antialiasing);
        painter_.setPen(QPen(colorOf({role}), role == report::Role::Paper ? 3.5 : 1.5));
        painter_.setBrush(Qt::NoBrush);
        if (const auto* rectangle = std::get_if<report::Rectangle>(&item.what)) {
          painter_.drawRect(rectOf(rectangle->box));
          shapes = true;
        }
        const auto* line = std::get_if<report::Polyline>(&item.what);
        if (line && line->fill != report::Fill::None) {
          report::Polyline rim = *line;
          rim.fill = report::Fill::None;
          rim.points.push_back(rim.points.front());
          trace(rim);
          shapes = true;
        }
      }
    if (shapes) return;
    QColor wash = palette_.color(QPalette::Highlight);
    wash.setAlphaF(0.2F);
    painter_.fillRect(rectOf(list.targets[target].area), wash);
  }

 private:
  [[nodiscard]] QColor colorOf(const report::Paint& paint) const {
    QColor ink = palette_.color(QPalette::Text);
    switch (paint.role) {
      case report::Role::Ink: return ink;
      case report::Role::Pale: return palette_.color(QPalette::PlaceholderText);
      case report::Role::Grid: ink.setAlphaF(0.13F); return ink;
      case report::Role::Axis: ink.setAlphaF(0.55F); return ink;
      case report::Role::Paper: return palette_.color(QPalette::Base);
      case report::Role::Shade: return palette_.color(QPalette::AlternateBase);
      case report::Role::Own: break;
    }
    return QColor(static_cast<QRgb>(paint.rgb));
  }

  [[nodiscard]] QBrush brushOf(report::Fill fill, const report::Paint& paint) const {
    if (fill == report::Fill::None) return Qt::NoBrush;
    if (fill == report::Fill::Hollow) return palette_.color(QPalette::Base);
    QColor color = colorOf(paint);
    if (fill == report::Fill::Light) color.setAlphaF(0.3F * color.alphaF());
    return color;
  }

  void trace(const report::Polyline& line) {
    painter_.setRenderHint(QPainter::Antialiasing);
    QPolygonF points;
    for (const report::Point& point : line.points) points << QPointF(point.x, point.y);
    if (line.fill == report::Fill::None) {
      painter_.drawPolyline(points);
      return;
    }
    painter_.setBrush(brushOf(line.fill, line.paint));
    painter_.drawPolygon(points);
  }

  QPainter& painter_;
  QFont normal_, bold_;
  QPalette palette_;
};

}  // namespace

WindowFont::WindowFont(const QFont& font) : normal_(font), bold_(bolder(font)) {}

double WindowFont::width(std::string_view text, bool bold) const {
  return (bold ? bold_ : normal_)
      .horizontalAdvance(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
}

void play(const report::DisplayList& list, QPainter& painter, const QFont& font, const QPalette& palette) {
  Player player(painter, font, palette);
  for (const report::DisplayItem& item : list.items) std::visit(player, item.what);
}

void light(const report::DisplayList& list, std::size_t target, QPainter& painter, const QPalette& palette) {
  Player(painter, painter.font(), palette).light(list, target);
}

namespace {

// Rungs are numbered in the order in which they first appear, over all engines and publications, so that a rung has
// the same marker everywhere in the figure.
int rungNumber(const Figure& figure, const std::string& variant) {
  std::vector<std::string> seen;
  for (const FigureSeries& series : figure.series)
    if (std::find(seen.begin(), seen.end(), series.variant) == seen.end()) seen.push_back(series.variant);
  return static_cast<int>(std::find(seen.begin(), seen.end(), variant) - seen.begin());
}

// How many other series of the same engine (or, published, of the same kind) come before this one.
int siblingNumber(const Figure& figure, std::size_t index) {
  const FigureSeries& series = figure.series[index];
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < index; ++i) {
    const FigureSeries& other = figure.series[i];
    const bool sibling = other.origin == series.origin && other.engine == series.engine;
    const std::string& key = series.origin == SeriesOrigin::Published ? other.hardware : other.variant;
    const std::string& mine = series.origin == SeriesOrigin::Published ? series.hardware : series.variant;
    if (sibling && key != mine && std::find(seen.begin(), seen.end(), key) == seen.end()) seen.push_back(key);
  }
  return static_cast<int>(seen.size());
}

// Measured series of one rung on one engine that differ in parameters only: how many come before this one.
int variationNumber(const Figure& figure, std::size_t index) {
  const FigureSeries& series = figure.series[index];
  return static_cast<int>(std::count_if(figure.series.begin(),
                                        figure.series.begin() + static_cast<std::ptrdiff_t>(index),
                                        [&](const FigureSeries& other) {
                                          return other.origin == SeriesOrigin::Measured &&
                                                 other.engine == series.engine && other.variant == series.variant;
                                        }));
}

report::SeriesLook lookOf(const Figure& figure, std::size_t index) {
  constexpr std::array<int, 6> kLightness{100, 145, 70, 180, 55, 120};
  const FigureSeries& series = figure.series[index];
  const bool curves = figure.kind == FigureKind::Curves, bars = figure.kind == FigureKind::StackedBars;
  const bool memory = series.part == "memory";
  report::SeriesLook look;
  look.marker = rungNumber(figure, series.variant);
  if (series.origin == SeriesOrigin::Published) {
    look.paint = {report::Role::Pale};
    look.dash = 1 + siblingNumber(figure, index);
    look.fill = bars && !memory ? report::Fill::Light : report::Fill::Hollow;
    return look;
  }
  const int variation = curves ? variationNumber(figure, index) : 0;
  look.marker += variation;
  if (series.engine.empty()) return look;
  const int shade = bars ? 0 : siblingNumber(figure, index) + variation;
  const QColor color = memory ? phaseColor(series.engine, Phase::Download)
                              : engineColor(series.engine).lighter(kLightness[static_cast<std::size_t>(shade) % 6]);
  look.paint = report::own(color.rgb() & 0xFFFFFFU);
  return look;
}

}  // namespace

std::vector<report::SeriesLook> looksOf(const Figure& figure) {
  std::vector<report::SeriesLook> looks;
  for (std::size_t i = 0; i < figure.series.size(); ++i) looks.push_back(lookOf(figure, i));
  return looks;
}

}  // namespace sscope
