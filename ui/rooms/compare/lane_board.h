#pragma once
// The lanes of a race, one below the other on common scales: pictures, clocks, quoted times, and what disturbed them.

#include <QColor>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/statistics.h"
#include "core/compare/comparison.h"
#include "core/compare/lane_figures.h"
#include "ui/charts/chart.h"
#include "ui/rooms/compare/lane_state.h"

namespace sscope {

using PartColors = std::array<QColor, compare::kRunParts.size()>;

// A lane as the board draws it: of a race that runs or has ended, or of a capsule.
struct DrawnLane {
  QString name;      // "cpu:avx2 separable"; of a capsule after the name of its machine
  QString hardware;  // may be empty
  PartColors colors;
  QString reason;  // why it has no figures; empty: it has figures, or may get some
  QString status;  // its present stage; empty once it has figures
  bool foreign = false;
  bool running = false;  // its clock runs

  double clock = 0;                // of the first result so far; 0: none
  compare::RunParts firstParts{};  // of what is computed so far
  std::vector<double> totals;      // seconds of each repetition with transfers
  std::optional<Spread> total;     // quoted, or of the repetitions so far
  bool quoted = false;             // the race is over
  compare::RunParts parts{};       // of a quoted run
  double factor = 0;               // to the fastest of its machine; 0: unknown
  bool winner = false, level = false;
  QString numbers;                       // quartiles, the time of a thousand volumes, share of the roof, verification
  QStringList marks;                     // what disturbed it
  const LanePicture* picture = nullptr;  // null: there is none

  // The lane in words, for the tooltip and for screen readers.
  [[nodiscard]] QStringList words() const;
};

// The lanes of a race.
[[nodiscard]] std::vector<DrawnLane> drawnLanes(const std::vector<LaneState>& lanes, bool busy);
// The lanes of a capsule, in gray.
[[nodiscard]] std::vector<DrawnLane> drawnLanes(const compare::Comparison& capsule);

class LaneBoard : public Chart {
  Q_OBJECT
 public:
  // `numbers` makes the text of csv().
  explicit LaneBoard(std::function<std::string()> numbers, QWidget* parent = nullptr);

  // `title`: of the case; `sentences` below it: the winner. `window`: the window of values for all pictures.
  void setLanes(const QString& title, const QStringList& sentences, std::vector<DrawnLane> lanes,
                const LaneWindow& window);
  [[nodiscard]] const std::vector<DrawnLane>& lanes() const { return lanes_; }
  [[nodiscard]] std::string csv() const override { return numbers_(); }
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  // In logical pixels.
  [[nodiscard]] QRectF laneArea(std::size_t lane) const;
  [[nodiscard]] std::optional<std::size_t> chosen() const { return chosen_; }

 Q_SIGNALS:
  void laneShown(const QRect& area);  // a key chose a lane, which must become visible

 protected:
  void draw(QPainter& painter) const override;
  bool event(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  struct Scale;  // of a bar
  void choose(std::optional<std::size_t> lane);
  [[nodiscard]] std::optional<std::size_t> laneAt(const QPointF& at) const;
  [[nodiscard]] double headHeight(double width) const;
  [[nodiscard]] double laneHeight(const DrawnLane& lane, double width) const;
  [[nodiscard]] double footHeight() const;
  [[nodiscard]] Scale scaleOf(bool quoted) const;
  void drawHead(QPainter& painter) const;
  void drawSlim(QPainter& painter, const DrawnLane& lane, const QRectF& area) const;
  void drawLane(QPainter& painter, const DrawnLane& lane, const QRectF& area) const;
  void drawPicture(QPainter& painter, const DrawnLane& lane, const QRectF& area) const;
  void drawQuoted(QPainter& painter, const DrawnLane& lane, const QRectF& area) const;
  void drawFirst(QPainter& painter, const DrawnLane& lane, const QRectF& area) const;
  void drawAxes(QPainter& painter) const;
  [[nodiscard]] QRectF barArea(const QRectF& lane) const;

  std::function<std::string()> numbers_;
  QString title_;
  QStringList sentences_;
  std::vector<DrawnLane> lanes_;
  LaneWindow window_{0, 1};
  std::optional<std::size_t> chosen_;
};

// Sizes on the board, in lines of text.
namespace lane_layout {
inline constexpr double kMargin = 0.6;   // around everything
inline constexpr double kLane = 7;       // least height of a lane
inline constexpr double kPicture = 6.1;  // height of a picture; the widest are kWidest as wide
inline constexpr double kWidest = 1.3;
inline constexpr double kWords = 4.7;    // from the top of a lane to its numbers in words
inline constexpr double kText = 1.15;    // height of a line of text
inline constexpr double kNumbers = 9.5;  // width of the numbers beside the bars
inline constexpr double kBar = 0.75;     // height of a bar
inline constexpr double kDot = 0.16;     // radius of a repetition's dot
}  // namespace lane_layout

}  // namespace sscope
