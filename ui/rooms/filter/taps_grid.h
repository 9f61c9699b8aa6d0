#pragma once
// One slice of dense taps as a table: a number in each cell, colored by sign and magnitude.

#include <QTableWidget>
#include <array>
#include <cstdint>

#include "core/filter/stencil.h"

namespace sscope {

class TapsGrid : public QTableWidget {
  Q_OBJECT
 public:
  explicit TapsGrid(QWidget* parent = nullptr);

  // Shows slice z; emits nothing. The cell that the keys go to stays, where the slice still has it.
  void showSlice(const DenseTaps& taps, std::int64_t z);
  // The selected rectangle of the slice, or the slice where no cell is selected; anchored in its middle.
  [[nodiscard]] DenseTaps selectedTaps() const;
  // The first place of that rectangle, x and y.
  [[nodiscard]] std::array<std::int64_t, 2> selectedPlace() const;

 Q_SIGNALS:
  void typed(int row, int column, const QString& text);
  void cleared();  // the selected cells, by Delete
  void copyRequested();
  void pasteRequested();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void paintCells();
  void fit();

  DenseTaps taps_;
  std::int64_t slice_ = 0;
  bool showing_ = false;
};

}  // namespace sscope
