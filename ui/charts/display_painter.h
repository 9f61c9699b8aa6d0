#pragma once
// Plays drawings of core/report with QPainter, in the system's font and palette.

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QPalette>
#include <optional>

#include "core/report/display_list.h"

namespace sscope {

class WindowFont : public report::FontMeasure {
 public:
  explicit WindowFont(const QFont& font);
  [[nodiscard]] double line() const override { return normal_.height(); }
  [[nodiscard]] double width(std::string_view text, bool bold = false) const override;

 private:
  QFontMetricsF normal_, bold_;
};

// `lit` is the target under the mouse or the keyboard.
void play(const report::DisplayList& list, QPainter& painter, const QFont& font, const QPalette& palette,
          std::optional<std::size_t> lit);

}  // namespace sscope
