#pragma once
// Looks into the figures of a ladder, and into the text of its page.

#include <string>
#include <string_view>
#include <vector>

#include "core/report/figure.h"

namespace sscope::test {

// Null when there is none of this id.
[[nodiscard]] const Figure* findFigure(const std::vector<Figure>& figures, const std::string& id);
// The same; fails the test when there is none.
[[nodiscard]] const Figure& figureNamed(const std::vector<Figure>& figures, std::string_view id);
// The label that a table has there; "nothing" for none.
[[nodiscard]] std::string cellText(const Figure& figure, const std::string& series, const std::string& column);

[[nodiscard]] std::size_t countOf(const std::string& text, const std::string& part);

}  // namespace sscope::test
