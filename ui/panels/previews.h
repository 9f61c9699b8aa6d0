#pragma once
// Small pictures of data: thumbnails, the slice of a raw file, and the gallery of samples.

#include <QImage>
#include <QLabel>
#include <QWidget>
#include <string>
#include <vector>

#include "core/volume/volume.h"
#include "core/volume/volume_io.h"
#include "ui/base/background_task.h"
#include "ui/base/toolbox.h"

class QGridLayout;
class QToolButton;

namespace sscope {

// The middle axial slice of the first component in gray, with the smallest value black and the largest white.
// `longest`: of its edges, in pixels, by sampling; 0: all voxels.
[[nodiscard]] QImage thumbnail(const Volume& volume, int longest = 0);

// The middle slice of a raw file with the layout that is being typed.
class RawPreview : public QLabel {
  Q_OBJECT
 public:
  explicit RawPreview(VolumeIo& io, QWidget* parent = nullptr);

  // Shows the file and layout of this name; the newest call wins. Empty: no picture.
  void showSlice(const std::string& name);

 private:
  VolumeIo& io_;
  std::string name_;
  BackgroundTask reading_;
};

// Shown while no data are open: "drop a file here, or start from a sample", with pictures of the samples.
class SampleGallery : public QWidget {
  Q_OBJECT
 public:
  explicit SampleGallery(const Toolbox& toolbox, QWidget* parent = nullptr);

 Q_SIGNALS:
  void chosen(const std::string& sample);
  void openRequested();

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange(int columns);
  void renderThumbnails();

  const Toolbox& toolbox_;
  QGridLayout* grid_;
  int columns_ = 0;
  std::vector<QToolButton*> buttons_;
  bool rendered_ = false;
  BackgroundTask rendering_;
};

}  // namespace sscope
