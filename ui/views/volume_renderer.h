#pragma once
// Draws the 3D view on its own thread with its own OpenGL context, because a picture may take a second in software,
// during which the window must not block.

#include <QImage>
#include <QObject>
#include <QSize>
#include <QString>
#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "ui/charts/color_scale.h"
#include "ui/views/camera_pose.h"
#include "ui/views/view_look.h"

namespace sscope {

// Measures the time of a moving view from one picture to the next.
class FrameClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  void asked(Time now);  // the next picture of the motion was requested
  void shown(Time now);  // a picture of the motion is on the screen
  void rested();         // the motion is over; the first picture of the next one drops its frames

  // The median of the last frames of a motion, in seconds; empty before there is one.
  [[nodiscard]] std::optional<double> median() const;

 private:
  std::optional<Time> asked_;  // first request since the last picture
  std::optional<Time> shown_;  // the last picture of this motion
  std::deque<Duration> frames_;
  bool over_ = false;
};

struct VolumePicture {
  QImage image;       // null: OpenGL is missing, `note` says so
  CameraPose camera;  // used for the picture
  QString note;       // what is shown: "quarter resolution", "averaged 2x"; empty for full quality
  // Of source and result when they were last drawn; null: not drawn yet, or drawn with a color map.
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
    // Gray: `look` decides how volumes appear. Otherwise the colors of this map over the windows, by side.
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
