#pragma once

#include <QToolBar>

class QActionGroup;

namespace sscope {

// The slim bar at the left edge, with one button per room.
class RoomBar : public QToolBar {
  Q_OBJECT
 public:
  explicit RoomBar(QWidget* parent = nullptr);
  // Rooms are numbered in the order in which they are added; the first one is open.
  void addRoom(const QString& title, const char* iconName, const QString& tip);
  // Shows which room is open; emits nothing.
  void setRoom(int room);

 Q_SIGNALS:
  void roomChosen(int room);

 private:
  QActionGroup* group_;
};

}  // namespace sscope
