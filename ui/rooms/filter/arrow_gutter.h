#pragma once
// Which rows of a bank read which, and the gutter that shows it beside the list of filters.

#include <QString>
#include <QWidget>
#include <string>
#include <vector>

#include "core/filter/recipe.h"

class QListWidget;

namespace sscope {

// Rows by their index in the bank; from -1: the data. There are no arrows for inputs below a row or missing ones.
struct BankArrow {
  int from = -1;
  int to = 0;
  bool operator==(const BankArrow&) const = default;
};
[[nodiscard]] std::vector<BankArrow> bankArrows(const FilterBank& bank);

// The names that a row reads; none for an invalid formula.
[[nodiscard]] std::vector<std::string> namesRead(const FilterRecipe& recipe);

// The reason why the rows of `before` cannot have the order of `after`: an arrow would point upward. Empty if they can.
// Arrows that were wrong before do not count.
[[nodiscard]] QString orderRefused(const FilterBank& before, const FilterBank& after);

// A recipe of family "formula" with another text. Keeps the values of constants that the text still has, within their
// ranges. Throws FormulaError for an invalid text.
[[nodiscard]] FilterRecipe withFormula(FilterRecipe recipe, const std::string& text);

// The gutter beside the list of filters: a line from each row, and from the data at the top, to the rows that read it.
class ArrowGutter : public QWidget {
  Q_OBJECT
 public:
  // `list` outlives the gutter and is right of it. Hidden while no row reads another.
  ArrowGutter(QListWidget& list, QWidget* parent);
  // The arrows of the rows, by index; those of disabled rows are dotted.
  void setArrows(std::vector<BankArrow> arrows, std::vector<bool> on);
  // The row with highlighted arrows: the one under the mouse, or the selected one while the list has the keyboard
  // focus; -1: none.
  [[nodiscard]] int markedRow() const;
  [[nodiscard]] const std::vector<BankArrow>& arrows() const { return arrows_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {sizeHint().width(), 0}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // One vertical line from a row to all its readers.
  struct Trunk {
    int from = -1;
    int last = 0;  // the lowest reader
    int lane = 0;  // 0 is beside the list
  };
  void layTrunks();
  void setHovered(int row);
  [[nodiscard]] double laneWidth() const;
  [[nodiscard]] double xOf(int lane) const;
  // The position where lines leave (1) or reach (-1) a row; the data are at the top.
  [[nodiscard]] double yOf(int row, int side) const;
  void paintArrow(QPainter& painter, const BankArrow& arrow, bool marked) const;

  QListWidget& list_;
  std::vector<BankArrow> arrows_;
  std::vector<bool> on_;
  std::vector<Trunk> trunks_;
  int lanes_ = 0;
  int hovered_ = -1;
};

}  // namespace sscope
