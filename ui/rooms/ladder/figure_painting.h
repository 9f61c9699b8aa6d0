#pragma once
// Paints drawings of core/report with QPainter in the font and palette of a widget, and chooses the looks of series.

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QPalette>
#include <vector>

#include "core/report/display_list.h"
#include "core/report/figure_layout.h"

namespace sscope {

class WindowFont : public report::FontMeasure {
 public:
  explicit WindowFont(const QFont& font);
  [[nodiscard]] double line() const override { return normal_.height(); }
  [[nodiscard]] double width(std::string_view text, bool bold = false) const override;

 private:
  QFontMetricsF normal_, bold_;
};

void play(const report::DisplayList& list, QPainter& painter, const QFont& font, const QPalette& palette);
// Highlights the target under the mouse or keyboard, on top of the painted drawing.
void light(const report::DisplayList& list, std::size_t target, QPainter& painter, const QPalette& palette);

// Measured series have their engine's color, with a shade and marker for the rung; published ones are gray, dashed or
// hollow, with the marker of their rung.
[[nodiscard]] std::vector<report::SeriesLook> looksOf(const Figure& figure);

}  // namespace sscope
