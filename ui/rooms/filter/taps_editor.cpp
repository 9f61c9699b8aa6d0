#include "ui/rooms/filter/taps_editor.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/taps_edit.h"
#include "core/filter/taps_text.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/rooms/filter/taps_grid.h"

namespace sscope {

TapsEditor::TapsEditor(const FileTools& tools, QWidget* parent) : QWidget(parent) {
  files_ = new TapsFiles(tools, this);
  slice_ = named(new QSpinBox(this), "tapsSlice", tr("z slice of the grid"));
  connect(slice_, &QSpinBox::valueChanged, this, &TapsEditor::showSlice);
  menus_ = new TapsMenus(this);
  grid_ = new TapsGrid(this);
  note_ = quietLabel({}, this);
  note_->setObjectName(QStringLiteral("tapsNote"));
  note_->setWordWrap(true);

  auto* column = bareLayout<QVBoxLayout>(this, em(this, 0.25));
  column->addLayout(buildSizes());
  column->addWidget(menus_);
  column->addWidget(slice_);
  column->addWidget(grid_);
  column->addWidget(note_);
  connect(menus_, &TapsMenus::chosen, this, &TapsEditor::change);
  connect(menus_, &TapsMenus::fileChosen, this, &TapsEditor::doWithFile);
  connect(grid_, &TapsGrid::typed, this, &TapsEditor::typeCell);
  connect(grid_, &TapsGrid::copyRequested, this, [this] { copy(grid_->selectedTaps()); });
  connect(grid_, &TapsGrid::pasteRequested, this, &TapsEditor::paste);
  connect(grid_, &TapsGrid::cleared, this, [this] {
    change(tr("Clear taps"), [this](const DenseTaps& taps) {
      DenseTaps cleared = taps;
      const int z = slice_->value() - 1;
      for (const QModelIndex& cell : grid_->selectionModel()->selectedIndexes())
        cleared.weights[static_cast<std::size_t>((z * taps.size[1] + cell.row()) * taps.size[0] + cell.column())] = 0;
      return cleared;
    });
  });
  connect(files_, &TapsFiles::failed, this, &TapsEditor::failed);
  connect(files_, &TapsFiles::read, this, [this](const DenseTaps& taps, const QString& step) {
    change(step, [&taps](const DenseTaps& /*old*/) { return taps; });
  });
}

QHBoxLayout* TapsEditor::buildSizes() {
  auto* sizes = new QHBoxLayout;
  sizes->setSpacing(em(this, 0.2));
  sizes->addWidget(new QLabel(tr("Size"), this));
  const QString axes[] = {tr("x"), tr("y"), tr("z")};
  for (int a = 0; a < 3; ++a) {
    size_[a] = new QSpinBox(this);
    size_[a]->setRange(1, kLargestEdge);
    size_[a]->setAccessibleName(tr("Taps along %1").arg(axes[a]));
    size_[a]->setToolTip(tr("Taps along %1, 1 to %2; load longer ones (up to %3) from a file")
                             .arg(axes[a])
                             .arg(kLargestEdge)
                             .arg(kMaximumAxisTaps));
    size_[a]->setObjectName(QStringLiteral("tapsSize-%1").arg(axes[a]));
    // 15 is not 1 on the way: what is typed counts when it is finished.
    size_[a]->setKeyboardTracking(false);
    sizes->addWidget(size_[a], 1);
    connect(size_[a], &QSpinBox::valueChanged, this, &TapsEditor::resizeTaps);
  }
  return sizes;
}

void TapsEditor::setTaps(const DenseTaps& taps) {
  if (taps == taps_ && grid_->rowCount() > 0) return;
  const bool resized = taps_.size != taps.size;
  taps_ = taps;
  const bool small = std::all_of(taps.size.begin(), taps.size.end(), [](std::int64_t n) { return n <= kLargestEdge; });
  menus_->follow(taps);
  showSizes();
  grid_->setVisible(small);
  slice_->setVisible(small && taps.size[2] > 1);
  showFigures(small);
  if (!small) return;
  showSlice();
  // A larger grid begins with zeros; what matters is around the anchor.
  if (resized)
    grid_->scrollToItem(grid_->item(static_cast<int>(taps.anchor[1]), static_cast<int>(taps.anchor[0])),
                        QAbstractItemView::PositionAtCenter);
}

void TapsEditor::showSizes() {
  for (std::size_t a = 0; a < 3; ++a) {
    const QSignalBlocker block(size_[a]);
    size_[a]->setValue(static_cast<int>(std::min<std::int64_t>(taps_.size[a], kLargestEdge)));
    size_[a]->setEnabled(*std::ranges::max_element(taps_.size) <= kLargestEdge);
  }
  const QSignalBlocker block(slice_);
  const int last = static_cast<int>(taps_.size[2]);
  const bool fresh = slice_->maximum() != last;
  slice_->setRange(1, last);
  // What stands before and after the number.
  const QStringList around = tr("slice # of %1").arg(last).split(QLatin1Char('#'));
  slice_->setPrefix(around.value(0));
  slice_->setSuffix(around.value(1));
  if (fresh) slice_->setValue(static_cast<int>(taps_.anchor[2]) + 1);
}

void TapsEditor::showFigures(bool small) {
  const TapsFigures figures = figuresOf(taps_);
  // A sum that rounding alone keeps from 0 is shown as 0.
  constexpr double kRounding = 1e-14;
  const double sum = std::abs(figures.sum) <= kRounding * figures.magnitude ? 0 : figures.sum;
  QStringList parts{tr("sum %1").arg(numberText(sum)), tr("min %1").arg(numberText(figures.smallest)),
                    tr("max %1").arg(numberText(figures.largest)),
                    tr("%1 of %2 nonzero").arg(figures.nonzero).arg(taps_.count()),
                    tr("anchor (%1, %2, %3) from 0").arg(taps_.anchor[0]).arg(taps_.anchor[1]).arg(taps_.anchor[2])};
  if (!small)
    parts << tr("%1 x %2 x %3 taps; the grid edits up to %4 along each axis")
                 .arg(taps_.size[0])
                 .arg(taps_.size[1])
                 .arg(taps_.size[2])
                 .arg(kLargestEdge);
  note_->setText(parts.join(QStringLiteral(" · ")));
}

void TapsEditor::showSlice() {
  grid_->showSlice(taps_, std::clamp(slice_->value() - 1, 0, static_cast<int>(taps_.size[2]) - 1));
}

void TapsEditor::change(const QString& step, const TapsMenus::Make& make) {
  DenseTaps changed;
  try {
    changed = make(taps_);
  } catch (const Error& error) {
    Q_EMIT corrected(toQt(error.what()));
    return;
  }
  Q_EMIT corrected({});
  if (changed == taps_) return;  // no step without a change
  setTaps(changed);
  Q_EMIT edited(taps_, step);
}

void TapsEditor::typeCell(int row, int column, const QString& text) {
  const int z = slice_->value() - 1;
  double tap = 0;
  try {
    tap = tapFromText(fromQt(text));
  } catch (const Error&) {
    Q_EMIT corrected(tr("“%1” is not a number; kept %2").arg(text, numberText(taps_.at(column, row, z))));
    showSlice();
    return;
  }
  change(tr("Change a tap"), [&](const DenseTaps& taps) {
    DenseTaps changed = taps;
    changed.weights[static_cast<std::size_t>((z * taps.size[1] + row) * taps.size[0] + column)] = tap;
    return changed;
  });
  showSlice();  // a fraction as its value, also where that was there before
}

void TapsEditor::resizeTaps() {
  change(tr("Resize the taps"), [this](const DenseTaps& taps) {
    return resized(taps, {size_[0]->value(), size_[1]->value(), size_[2]->value()});
  });
}

void TapsEditor::copy(const DenseTaps& taps) { QApplication::clipboard()->setText(toQt(tapsText(taps))); }

// Rows of numbers, as from a spreadsheet or a text: they take the place of as many selected cells, or of one slice of
// several, or become the grid.
void TapsEditor::paste() {
  change(tr("Paste taps"), [this](const DenseTaps& taps) {
    DenseTaps pasted = tapsFromText(fromQt(QApplication::clipboard()->text()), kLargestEdge);
    if (!grid_->isVisibleTo(this)) return pasted;
    const auto [x, y] = grid_->selectedPlace();
    const int z = slice_->value() - 1;
    if (pasted.size == grid_->selectedTaps().size) return withBlock(taps, {x, y, z}, pasted);
    const bool slice = taps.size[2] > 1 && pasted.size == std::array<std::int64_t, 3>{taps.size[0], taps.size[1], 1};
    return slice ? withBlock(taps, {0, 0, z}, pasted) : pasted;
  });
}

void TapsEditor::doWithFile(TapsMenus::File what) {
  switch (what) {
    case TapsMenus::File::Load: files_->chooseTaps(); break;
    case TapsMenus::File::Import: files_->chooseImage(); break;
    case TapsMenus::File::Save: files_->chooseTarget(taps_); break;
    case TapsMenus::File::Copy: copy(taps_); break;
    case TapsMenus::File::Paste: paste(); break;
  }
}

}  // namespace sscope

#include "moc_taps_editor.cpp"
