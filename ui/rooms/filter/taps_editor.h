#pragma once
// A grid for taps of one's own, one z slice at a time, with size, load from file and paste.

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
  // Grids up to this edge are edited by hand; larger ones, which the engines run as well, come from files and are shown
  // by the kernel picture alone.
  static constexpr int kLargestEdge = 31;

  explicit TapsEditor(QWidget* parent = nullptr);
  void setTaps(const DenseTaps& taps);  // emits nothing
  // A file {"size":[nx,ny,nz],"taps":[...]}, with "anchor" if not the middle.
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
