#pragma once
// The editor of custom taps: a grid of one z slice at a time, sizes, menus, files, copy and paste.

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

// One slice of dense taps as a table: a number in each cell, colored by sign and magnitude.
class TapsGrid : public QTableWidget {
  Q_OBJECT
 public:
  explicit TapsGrid(QWidget* parent = nullptr);

  // Shows slice z; emits nothing. Keeps the current cell if it still exists.
  void showSlice(const DenseTaps& taps, std::int64_t z);
  // The selected rectangle, or the whole slice if no cell is selected; anchored in its middle.
  [[nodiscard]] DenseTaps selectedTaps() const;
  // The first cell of that rectangle, x and y.
  [[nodiscard]] std::array<std::int64_t, 2> selectedPlace() const;

 Q_SIGNALS:
  void typed(int row, int column, const QString& text);
  void cleared();  // the selected cells, by the Delete key
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

class TapsEditor : public QWidget {
  Q_OBJECT
 public:
  // The largest grid with editable cells; larger ones come from files and appear only in the kernel picture.
  static constexpr int kLargestEdge = 31;

  explicit TapsEditor(const FileTools& tools, QWidget* parent = nullptr);
  void setTaps(const DenseTaps& taps);  // emits nothing
  // Other taps are edited now: drops files that are still being read.
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
  // Shows the result of `make` and emits edited(); if it throws, emits corrected() with the reason.
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
