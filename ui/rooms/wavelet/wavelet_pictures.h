#pragma once
// The pictures of the Wavelet room: source and result as linked slices and in 3D, with the coefficients next to them.

#include <QWidget>
#include <cstdint>
#include <memory>

#include "ui/rooms/wavelet/wavelet_controller.h"
#include "ui/views/volume_views.h"

class QLabel;
class QSplitter;

namespace sscope {

class WaveletPictures : public QWidget {
  Q_OBJECT
 public:
  WaveletPictures(SessionModel& model, WaveletController& controller, QWidget* parent = nullptr);
  [[nodiscard]] VolumeViews& picture() { return *picture_; }
  [[nodiscard]] VolumeViews& pyramid() { return *pyramid_; }
  [[nodiscard]] QImage renderToImage();

 private:
  void showData();
  void showResult();
  void showPreview(const WaveletPreview& preview);
  void followView();
  void applyView();
  void followCrosshair();
  void setStatus(const QString& text);
  void hoverPyramid(const HoverInfo& info);

  SessionModel& model_;
  WaveletController& controller_;
  VolumeViews* picture_;
  VolumeViews* pyramid_;
  QSplitter* split_;
  QLabel* hover_;
  std::shared_ptr<const Volume> shownSource_;  // the views are set up for it
  std::shared_ptr<const Volume> shownResult_;  // result or difference
  VolumeShape pyramidShape_;
  QString status_;
  std::uint64_t series_ = 0;  // OpenData::series of the shown data
  bool later_ = false;        // the data are another time point of those shown before
  bool applying_ = false;
};

}  // namespace sscope
