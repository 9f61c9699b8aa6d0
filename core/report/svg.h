#pragma once
// Drawings as SVG for the report page. Colors of the theme are variables of the page (page_style).

#include <string>
#include <string_view>

#include "core/base/encoding.h"
#include "core/report/display_list.h"

namespace sscope::report {

// Two decimals, for coordinates.
[[nodiscard]] std::string number(double value);

// Approximates the page's font by average widths of common sans-serif fonts.
class PageFont : public FontMeasure {
 public:
  [[nodiscard]] double line() const override { return 15; }
  [[nodiscard]] double width(std::string_view text, bool bold = false) const override;
};

// One svg element; targets become tooltips. `label` is for screen readers.
[[nodiscard]] std::string toSvg(const DisplayList& list, std::string_view label);

}  // namespace sscope::report
