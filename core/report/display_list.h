#pragma once
// A drawing laid out once: rectangles, lines and texts in the order in which they are painted, and what can be pointed
// at. core/report writes it as SVG, ui/charts plays it with QPainter.

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

// Colors of the theme, light or dark, and colors of data, which are the same in both.
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
  Hollow  // the paper, with an edge
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
  int dash = 0;            // 0: solid; 1 to 4: patterns, then again
  Fill fill = Fill::None;  // of a closed shape; None leaves the line open
};

enum class Anchor { Start, Middle, End };

struct Text {
  Point at;  // y: the middle of the line
  Anchor anchor = Anchor::Start;
  std::string text;  // UTF-8
  Paint paint;
  bool bold = false;
  bool upwards = false;  // reads from below, turned about `at`
};

// Something to point at.
struct Target {
  Box area;
  std::size_t series = 0;
  std::optional<std::size_t> point{};  // none: the series as a whole, in the legend
  std::string text;                    // what is said about it, plain
};

struct DisplayItem {
  std::variant<Rectangle, Polyline, Text> what;
  std::optional<std::size_t> target{};  // index into DisplayList::targets
};

struct DisplayList {
  double width = 0, height = 0;
  std::vector<DisplayItem> items;
  std::vector<Target> targets;

  void add(Rectangle rectangle) { items.push_back({std::move(rectangle), open_}); }
  void add(Polyline line) { items.push_back({std::move(line), open_}); }
  void add(Text text) { items.push_back({std::move(text), open_}); }
  void addLine(Point from, Point to, Paint paint, double lineWidth = 1);
  // What is added from here to endTarget() belongs to the target.
  void beginTarget(Target target);
  void endTarget() { open_.reset(); }
  // The one at the point; of overlapping ones that whose middle is nearest.
  [[nodiscard]] std::optional<std::size_t> targetAt(Point point) const;

 private:
  std::optional<std::size_t> open_;
};

// The font that the painter will use.
class FontMeasure {
 public:
  FontMeasure() = default;
  virtual ~FontMeasure() = default;
  FontMeasure(const FontMeasure&) = delete;
  FontMeasure& operator=(const FontMeasure&) = delete;
  [[nodiscard]] virtual double line() const = 0;  // height of a line
  [[nodiscard]] virtual double width(std::string_view text, bool bold = false) const = 0;
};

// The text with an ellipsis in its middle, where it is wider than `width`.
[[nodiscard]] std::string elided(const FontMeasure& font, const std::string& text, double width, bool bold = false);

// Dark violet to yellow (viridis of matplotlib, S. van der Walt and N. Smith), share 0..1; 0xRRGGBB.
[[nodiscard]] std::uint32_t magnitudeRgb(double share);

}  // namespace sscope::report
