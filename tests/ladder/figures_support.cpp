#include "tests/ladder/figures_support.h"

#include <algorithm>

#include "tests/support/catch.h"

namespace sscope::test {

const Figure* findFigure(const std::vector<Figure>& figures, const std::string& id) {
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const Figure& one) { return one.id == id; });
  return found == figures.end() ? nullptr : &*found;
}

const Figure& figureNamed(const std::vector<Figure>& figures, std::string_view id) {
  for (const Figure& one : figures)
    if (one.id == id) return one;
  FAIL("there is no figure " << id);
  return figures.front();
}

std::string cellText(const Figure& figure, const std::string& series, const std::string& column) {
  const auto at = std::find(figure.categories.begin(), figure.categories.end(), column) - figure.categories.begin();
  for (const FigureSeries& one : figure.series)
    if (one.name == series)
      for (const FigurePoint& point : one.points)
        if (point.x == static_cast<double>(at)) return point.label;
  return "nothing";
}

std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

}  // namespace sscope::test
