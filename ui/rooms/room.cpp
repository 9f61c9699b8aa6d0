#include "ui/rooms/room.h"

#include <utility>

namespace sscope {

void Room::tell(RoomWords words) {
  words_ = std::move(words);
  Q_EMIT told();
}

}  // namespace sscope

#include "moc_room.cpp"
