#pragma once
// Which rows of a bank read which.

#include <QString>
#include <QWidget>
#include <string>
#include <vector>

#include "core/filter/recipe.h"

class QListWidget;

namespace sscope {

// Rows by their places in the bank; from -1: the data. Rows that read what stands below them, or what is not there,
// have no arrow for it.
struct BankArrow {
  int from = -1;
  int to = 0;
  bool operator==(const BankArrow&) const = default;
};
[[nodiscard]] std::vector<BankArrow> bankArrows(const FilterBank& bank);

// The names that a row reads; none for a formula that is none.
[[nodiscard]] std::vector<std::string> namesRead(const FilterRecipe& recipe);

// Why the rows of `before` cannot stand in the order of `after`: an arrow would point upward. Empty if they can. What
// was wrong before is no reason.
[[nodiscard]] QString orderRefused(const FilterBank& before, const FilterBank& after);

// A recipe of family "formula" with another text, which is a formula: values of constants that it still has stay,
// within their ranges. Throws FormulaError for a text that is none.
[[nodiscard]] FilterRecipe withFormula(FilterRecipe recipe, const std::string& text);

// The thin gutter beside the list of filters: a line from each row, and from the data at the top, to the rows that read
// it.

class ArrowGutter : public QWidget {
  Q_OBJECT
 public:
  // `list` outlives it and stands right of it. Hidden while no row reads another.
  ArrowGutter(QListWidget& list, QWidget* parent);
  // The arrows of the list's rows, by place; those of rows that are off are dotted.
  void setArrows(std::vector<BankArrow> arrows, std::vector<bool> on);
  // The row whose arrows stand out: that under the mouse, or the selected one while the list has the keyboard; -1 for
  // none.
  [[nodiscard]] int markedRow() const;
  [[nodiscard]] const std::vector<BankArrow>& arrows() const { return arrows_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {sizeHint().width(), 0}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // What one row hands out: all its readers share one upright line.
  struct Trunk {
    int from = -1;
    int last = 0;  // the lowest reader
    int lane = 0;  // 0 is beside the list
  };
  void layTrunks();
  void setHovered(int row);
  [[nodiscard]] double laneWidth() const;
  [[nodiscard]] double xOf(int lane) const;
  // Where lines leave (1) or reach (-1) a row; the data are at the top.
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
