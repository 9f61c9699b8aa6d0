#pragma once
// Which edits of a number are one act of somebody: all while its slider is held down, and steps by wheel or keys that
// follow each other closely.

#include <QString>
#include <QTimer>

class QSlider;

namespace sscope {

class Gesture : public QObject {
  Q_OBJECT
 public:
  explicit Gesture(QSlider* slider);  // which owns it
  // The act that an edit belongs to which happens now; no other of the program is called so.
  [[nodiscard]] QString now();

 private:
  void begin();

  QTimer rest_;
  std::uint64_t number_ = 0;
};

}  // namespace sscope
