#pragma once
// The status line: the room's message, progress, and a Cancel button.

#include <QWidget>

#include "ui/rooms/room.h"

class QLabel;
class QProgressBar;
class QToolButton;

namespace sscope {

class StatusLine : public QWidget {
  Q_OBJECT
 public:
  explicit StatusLine(QWidget* parent = nullptr);
  [[nodiscard]] QString text() const;
  void tell(const RoomWords& words);

 Q_SIGNALS:
  void cancelRequested();

 private:
  void explain();

  QLabel* text_;
  QLabel* doing_;
  QToolButton* why_;
  QProgressBar* progress_;
  QToolButton* cancel_;
  QString explanation_;
};

}  // namespace sscope
