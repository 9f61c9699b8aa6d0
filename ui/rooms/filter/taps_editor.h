#pragma once
// One slice of dense taps as a table: a number in each cell, colored by sign and magnitude.

#include <QTableWidget>
#include <QWidget>
#include <array>
#include <cstdint>

#include "core/filter/stencil.h"
#include "ui/rooms/filter/taps_files.h"

class QHBoxLayout;
class QLabel;
class QSpinBox;

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

// A grid editor for custom taps, one z slice at a time: size, cells, menus for what is done to all taps, files,
// copying and pasting.

class TapsGrid;

class TapsEditor : public QWidget {
  Q_OBJECT
 public:
  // The largest grid that can be edited cell by cell; larger ones come from files and are shown only in the kernel
  // picture.
  static constexpr int kLargestEdge = 31;

  explicit TapsEditor(const FileTools& tools, QWidget* parent = nullptr);
  void setTaps(const DenseTaps& taps);  // emits nothing
  // Other taps are edited from now on: what is still being read was not for them.
  void forget() { files_->cancel(); }
  [[nodiscard]] TapsFiles& files() { return *files_; }

 Q_SIGNALS:
  // One step of undo each, named `step`.
  void edited(const sscope::DenseTaps& taps, const QString& step);
  void corrected(const QString& reason);
  void failed(const QString& message);

 private:
  QHBoxLayout* buildSizes();
  void showSizes();
  void showFigures(bool small);
  void showSlice();
  void typeCell(int row, int column, const QString& text);
  void resizeTaps();
  void copy(const DenseTaps& taps);
  void paste();
  void doWithFile(TapsMenus::File what);
  // Shows and tells what `make` makes of the taps; or, where it throws, why it cannot be made.
  void change(const QString& step, const TapsMenus::Make& make);

  DenseTaps taps_;
  QSpinBox* size_[3];
  QSpinBox* slice_;
  TapsMenus* menus_;
  TapsGrid* grid_;
  QLabel* note_;
  TapsFiles* files_;
};

}  // namespace sscope
