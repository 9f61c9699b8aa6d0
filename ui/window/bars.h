#pragma once
// The bars around the pages of the window: offers, rooms, time, status.

#include <QToolBar>
#include <QWidget>

#include "ui/model/frame_loader.h"
#include "ui/model/session_model.h"
#include "ui/rooms/room.h"

class QActionGroup;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSlider;
class QToolButton;

namespace sscope {

class Notice;

// A message above the pages, with buttons for what can be done. It is not modal, and disappears when it is answered or
// dismissed.
class OfferBar : public QWidget {
  Q_OBJECT
 public:
  OfferBar(const QString& accessibleName, QWidget* parent);
  QPushButton* addButton(const QString& text, const char* name);
  void offer(bool error, const QString& message);
  void clear();
  [[nodiscard]] QString message() const;

 private:
  QHBoxLayout* row_;
  Notice* notice_;
};

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

// Chooses the time point of the open file; shown above the pictures if the file has several.
class TimeBar : public QWidget {
  Q_OBJECT
 public:
  TimeBar(SessionModel& model, FrameLoader& frames, QWidget* parent = nullptr);
  // Whether the open room shows data.
  void setOffered(bool offered);

 private:
  void refresh();

  SessionModel& model_;
  FrameLoader& frames_;
  QSlider* slider_;
  QLabel* text_;
  QToolButton* all_;
  bool offered_ = true;
};

// The status line: the room's message, progress, and a Cancel button.
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
