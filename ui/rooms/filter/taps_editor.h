#pragma once
// A grid editor for custom taps, one z slice at a time, with size, loading from a file, and pasting.

#include <QWidget>

#include "core/filter/stencil.h"
#include "ui/base/background_task.h"

class QLabel;
class QSpinBox;
class QTableWidget;

namespace sscope {

class TapsEditor : public QWidget {
  Q_OBJECT
 public:
  // The largest grid that can be edited; larger ones come from files and are shown only in the kernel picture.
  static constexpr int kLargestEdge = 31;

  explicit TapsEditor(QWidget* parent = nullptr);
  void setTaps(const DenseTaps& taps);  // emits nothing
  // Loads a file {"size":[nx,ny,nz],"taps":[...]}, with "anchor" if it is not the middle.
  void load(const QString& path);

 Q_SIGNALS:
  void edited(const sscope::DenseTaps& taps);
  void corrected(const QString& reason);
  void failed(const QString& message);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void showSlice();
  void cellEdited(int row, int column);
  void resizeTaps();
  void paste();
  void chooseFile();

  DenseTaps taps_;
  QSpinBox* size_[3];
  QSpinBox* slice_;
  QTableWidget* grid_;
  QLabel* note_;
  BackgroundTask loading_;
  bool showing_ = false;
};

}  // namespace sscope
