#pragma once
// Draws the 3D view on its own thread with its own OpenGL context, because with software rendering a picture takes a
// second, during which the window must not block.

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include <QImage>
#include <QObject>
#include <QSize>
#include <QString>

#include "ui/charts/color_scale.h"
#include "ui/views/camera_pose.h"
#include "ui/views/shown_array.h"
#include "ui/views/volume_look.h"

namespace sscope {

struct VolumePicture {
  QImage image;       // null: OpenGL is missing, `note` says so
  CameraPose camera;  // used for the picture
  QString note;       // what is shown: "quarter resolution", "averaged 2x"; empty for full quality
  // Of source and result as they were last drawn; null: not drawn yet, or with a map of colors.
  std::array<std::shared_ptr<const VolumeInsight>, 2> insights{};
  bool complete = false;       // nothing finer follows
  bool moving = false;         // drawn with Effort::Moving
  std::uint64_t contents = 0;  // of the request
};

class VolumeRenderer : public QObject {
  Q_OBJECT

 public:
  enum class Effort {
    Moving,    // quick and coarse: the camera is being dragged
    Refining,  // from coarse to fine
    Finest,    // only the last picture
  };
  struct Request {
    std::array<ShownArray, 2> volumes;  // source, result
    int component = 0;
    std::string modality;  // of the source, as VolumeInfo::modality
    std::array<bool, 2> shown{false, true};
    // Gray: the look says how volumes appear. Else the colors of this map over the windows, by side.
    ColorMap colors = ColorMap::Gray;
    std::array<std::array<double, 2>, 2> windows{{{0, 1}, {0, 1}}};
    VolumeLook look;
    std::array<SliceLook, 2> slices;  // by side
    CameraPose camera;
    QSize pixels{2, 2};  // physical, not empty
    Effort effort = Effort::Refining;
    std::uint64_t contents = 0;  // identifies everything shown except the camera
  };

  explicit VolumeRenderer(QObject* parent = nullptr);
  ~VolumeRenderer() override;  // waits for the current tile

  // Returns at once; the newest request wins. Pictures from coarse to fine arrive by drawn().
  void request(Request request);
  // Drops waiting requests and stops drawing after the current tile, because the processor is needed elsewhere.
  void interrupt();
  // Waits for the finest picture of `request`.
  [[nodiscard]] VolumePicture drawNow(Request request);

 Q_SIGNALS:
  void drawn(const sscope::VolumePicture& picture);

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace sscope
