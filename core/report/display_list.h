#pragma once
// A drawing as data: rectangles, lines and texts in painting order, and targets for the mouse. core/report writes it as
// SVG, ui/charts paints it with QPainter.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sscope::report {

struct Point {
  double x = 0, y = 0;
};

// Pixels, y downwards.
struct Box {
  double left = 0, top = 0, width = 0, height = 0;
  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
  [[nodiscard]] Point center() const { return {left + width / 2, top + height / 2}; }
  [[nodiscard]] bool contains(Point p) const { return p.x >= left && p.x <= right() && p.y >= top && p.y <= bottom(); }
};

// Colors of the light or dark theme, and Own for colors of data, which are the same in both.
enum class Role { Own, Ink, Pale, Grid, Axis, Paper, Shade };
struct Paint {
  Role role = Role::Ink;
  std::uint32_t rgb = 0;  // 0xRRGGBB, of Own
  friend bool operator==(const Paint&, const Paint&) = default;
};
[[nodiscard]] inline Paint own(std::uint32_t rgb) { return {Role::Own, rgb}; }

enum class Fill {
  None,
  Solid,
  Light,  // with an edge
  Hollow  // filled with the background, with an edge
};

struct Rectangle {
  Box box;
  Paint paint;
  Fill fill = Fill::Solid;
};

struct Polyline {
  std::vector<Point> points;
  Paint paint;
  double width = 1;
  int dash = 0;            // 0: solid; 1 to 4: dash patterns; larger values repeat them
  Fill fill = Fill::None;  // of a closed shape; None leaves the line open
};

enum class Anchor { Start, Middle, End };

struct Text {
  Point at;  // y: the middle of the line
  Anchor anchor = Anchor::Start;
  std::string text;  // UTF-8
  Paint paint;
  bool bold = false;
  bool upwards = false;  // reads upward, rotated about `at`
};

// Something that can be hovered over.
struct Target {
  Box area;
  std::size_t series = 0;
  std::optional<std::size_t> point{};  // none: the whole series, in the legend
  std::string text;                    // the tooltip, as plain text
};

struct DisplayItem {
  std::variant<Rectangle, Polyline, Text> what;
  std::optional<std::size_t> target{};  // index into DisplayList::targets
};

struct DisplayList {
  double width = 0, height = 0;
  std::vector<DisplayItem> items;
  std::vector<Target> targets;

  void add(Rectangle rectangle) { addItem(std::move(rectangle)); }
  void add(Polyline line) { addItem(std::move(line)); }
  void add(Text text) { addItem(std::move(text)); }
  void addLine(Point from, Point to, Paint paint, double lineWidth = 1);
  // Everything added until endTarget() belongs to this target.
  void beginTarget(Target target);
  void endTarget() { open_.reset(); }
  // The target at the point; if several overlap, the one with the nearest center.
  [[nodiscard]] std::optional<std::size_t> targetAt(Point point) const;

 private:
  template <class Shape>
  void addItem(Shape shape) {
    DisplayItem& item = items.emplace_back();
    item.what.emplace<Shape>(std::move(shape));
    item.target = open_;
  }

  std::optional<std::size_t> open_;
};

// Text measurements in the painter's font.
class FontMeasure {
 public:
  FontMeasure() = default;
  virtual ~FontMeasure() = default;
  FontMeasure(const FontMeasure&) = delete;
  FontMeasure& operator=(const FontMeasure&) = delete;
  [[nodiscard]] virtual double line() const = 0;  // height of a line
  [[nodiscard]] virtual double width(std::string_view text, bool bold = false) const = 0;
};

// The text, shortened by an ellipsis in the middle if it is wider than `width`.
[[nodiscard]] std::string elided(const FontMeasure& font, const std::string& text, double width, bool bold = false);

// Dark violet to yellow (viridis of matplotlib, S. van der Walt and N. Smith), share 0..1; 0xRRGGBB.
[[nodiscard]] std::uint32_t magnitudeRgb(double share);

}  // namespace sscope::report
