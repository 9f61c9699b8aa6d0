#include "ui/window/room_bar.h"

#include <QAction>
#include <QActionGroup>

#include "ui/base/icons.h"
#include "ui/base/look.h"

namespace sscope {

RoomBar::RoomBar(QWidget* parent) : QToolBar(tr("Rooms"), parent), group_(new QActionGroup(this)) {
  setObjectName(QStringLiteral("rooms"));
  setAccessibleName(tr("Rooms"));
  setOrientation(Qt::Vertical);
  setMovable(false);
  setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  QFont letters = font();
  letters.setPointSizeF(letters.pointSizeF() * 0.85);
  setFont(letters);
  const int side = em(this, 1.6);
  setIconSize({side, side});
}

void RoomBar::addRoom(const QString& title, const char* iconName, const QString& tip) {
  const int room = static_cast<int>(group_->actions().size());
  QAction* action = addAction(icon(iconName), title);
  action->setToolTip(tip);
  action->setCheckable(true);
  action->setChecked(room == 0);
  group_->addAction(action);
  connect(action, &QAction::triggered, this, [this, room] { Q_EMIT roomChosen(room); });
}

void RoomBar::setRoom(int room) { group_->actions().at(room)->setChecked(true); }

}  // namespace sscope

#include "moc_room_bar.cpp"
