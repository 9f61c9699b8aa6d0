#pragma once
// A table as a picture: cells with a color and words, under names along both sides. The arrow keys move from cell to
// cell; a click, Enter or Space activates one.

#include <QColor>
#include <QString>
#include <QStringList>
#include <optional>
#include <string>
#include <vector>

#include "ui/charts/chart.h"

namespace sscope {

struct GridCell {
  enum class Fill { None, Hatched, Solid };
  QString title{}, detail{};  // in the cell, on two lines if there is space
  QColor color{};             // not valid: none
  Fill fill = Fill::None;
  QString words{};  // all of it, for the tooltip and for screen readers
};

struct GridPlot {
  QString title, stem;            // "Contract", "contract"
  QString note{};                 // below the title; may be empty
  QString corner{};               // above the names of the rows: the meaning of rows and columns
  QStringList across{}, down{};   // names of columns and rows
  QStringList explanations{};     // of the rows, for their tooltips; empty: none
  std::vector<GridCell> cells{};  // row by row
  QString empty{};                // what is shown without cells
  std::string csv{};
};

class GridChart : public Plot {
  Q_OBJECT
 public:
  explicit GridChart(QWidget* parent = nullptr);
  // Keeps the chosen cell if it still exists.
  void setPlot(GridPlot plot);
  [[nodiscard]] const GridPlot& plot() const { return plot_; }
  [[nodiscard]] std::string csv() const override { return plot_.csv; }
  // In logical pixels.
  [[nodiscard]] QRectF cellArea(std::size_t cell) const;
  [[nodiscard]] std::optional<std::size_t> chosen() const { return chosen_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void cellActivated(int column, int row);

 protected:
  void draw(QPainter& painter) const override;
  QString point(const QPointF& position) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] std::size_t columns() const { return static_cast<std::size_t>(plot_.across.size()); }
  [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(plot_.down.size()); }
  [[nodiscard]] double namesWidth() const;
  [[nodiscard]] double noteHeight() const;
  [[nodiscard]] double headHeight() const;  // of the names of columns
  [[nodiscard]] QRectF grid() const;        // the cells
  [[nodiscard]] std::optional<std::size_t> cellAt(const QPointF& position) const;
  void choose(std::size_t cell);
  void activate();
  void drawNames(QPainter& painter) const;
  void drawCell(QPainter& painter, const GridCell& cell, const QRectF& area) const;

  GridPlot plot_;
  std::optional<std::size_t> chosen_;
};

}  // namespace sscope
