#pragma once
// Chooses the time slice: a slider, and a button that plays all slices.

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
  // slices >= 1; keeps the current slice if it still exists.
  void setSlices(int slices);
  // For fields without time: shows `why` instead of a slice.
  void setTimeless(const QString& why);
  [[nodiscard]] int slices() const { return slices_; }
  [[nodiscard]] int slice() const;
  void setSlice(int slice);
  [[nodiscard]] bool playing() const { return timer_.isActive(); }
  void setPlaying(bool playing);
  void step(int by);  // wraps around
  [[nodiscard]] int framesPerSecond() const { return framesPerSecond_; }

 Q_SIGNALS:
  // `playing`: more slices will follow soon.
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
