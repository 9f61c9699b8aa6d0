#pragma once
// Groups edits of a number into one user action: all while the slider is held, and wheel or key steps in quick
// succession.

#include <QString>
#include <QTimer>

class QSlider;

namespace sscope {

class Gesture : public QObject {
  Q_OBJECT
 public:
  explicit Gesture(QSlider* slider);  // owned by the slider
  // The action that an edit made now belongs to; unique in the program.
  [[nodiscard]] QString now();

 private:
  void begin();

  QTimer rest_;
  std::uint64_t number_ = 0;
};

}  // namespace sscope
