#pragma once
// Which time slice is shown: a slider, and a button that runs through all of them.

#include <QTimer>
#include <QWidget>
#include <optional>

class QLabel;
class QSlider;
class QToolButton;

namespace sscope {

class NumberBox;

class TimePlayer : public QWidget {
  Q_OBJECT
 public:
  explicit TimePlayer(QWidget* parent = nullptr);
  // slices >= 1; the slice stays where it is when there still is one.
  void setSlices(int slices);
  // Those without time show `why` instead of a slice.
  void setTimeless(const QString& why);
  [[nodiscard]] int slices() const { return slices_; }
  [[nodiscard]] int slice() const;
  void setSlice(int slice);
  [[nodiscard]] bool playing() const { return timer_.isActive(); }
  void setPlaying(bool playing);
  void step(int by);  // around the end
  [[nodiscard]] int framesPerSecond() const { return framesPerSecond_; }

 Q_SIGNALS:
  // `playing`: more will follow soon.
  void sliceChanged(int slice, bool playing);

 private:
  void tell();

  QTimer timer_;
  QToolButton* play_;
  QSlider* slider_;
  QLabel* label_;
  NumberBox* rate_;
  QLabel* unit_;
  std::optional<QString> timeless_;
  int slices_ = 1, framesPerSecond_ = 8;
};

}  // namespace sscope
