#include "ui/charts/display_painter.h"

#include <QPolygonF>

#include "ui/base/text.h"

namespace sscope {

namespace {

QFont bolder(QFont font) {
  font.setBold(true);
  return font;
}

QRectF toQt(const report::Box& box) { return {box.left, box.top, box.width, box.height}; }

class Player {
 public:
  Player(QPainter& painter, const QFont& font, const QPalette& palette)
      : painter_(painter), normal_(font), bold_(bolder(font)), palette_(palette) {}

  void operator()(const report::Rectangle& rectangle) {
    painter_.setRenderHint(QPainter::Antialiasing, false);
    const QRectF box = toQt(rectangle.box);
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
    // Flat ends: a line ends where the layout says.
    painter_.setPen(QPen(colorOf(line.paint), line.width, style, Qt::FlatCap, Qt::RoundJoin));
    trace(line);
  }

  void operator()(const report::Text& text) {
    const QFont& font = text.bold ? bold_ : normal_;
    const QFontMetricsF metrics(font);
    const QString words = sscope::toQt(text.text);
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

  // Around the shapes of a target, in ink on a rim of paper.
  void light(const report::DisplayList& list, std::size_t target) {
    bool shapes = false;
    for (const report::Role role : {report::Role::Paper, report::Role::Ink})
      for (const report::DisplayItem& item : list.items) {
        if (item.target != target) continue;
        painter_.setRenderHint(QPainter::Antialiasing);
        painter_.setPen(QPen(colorOf({role}), role == report::Role::Paper ? 3.5 : 1.5));
        painter_.setBrush(Qt::NoBrush);
        if (const auto* rectangle = std::get_if<report::Rectangle>(&item.what)) {
          painter_.drawRect(toQt(rectangle->box));
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
    painter_.fillRect(toQt(list.targets[target].area), wash);
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

}  // namespace sscope
