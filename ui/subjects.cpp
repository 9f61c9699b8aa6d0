// Where the subjects are entered in the window: the room that each brings.

#include "ui/subjects.h"

#include "ui/rooms/filter/filter_room.h"
#include "ui/rooms/ladder/ladder_room.h"
#include "ui/rooms/lattice/lattice_room.h"
#include "ui/rooms/wavelet/wavelet_room.h"

namespace sscope {

std::vector<std::unique_ptr<Room>> makeRooms(const Desk& desk) {
  std::vector<std::unique_ptr<Room>> rooms;
  rooms.push_back(std::make_unique<FilterRoom>(desk));
  rooms.push_back(std::make_unique<WaveletRoom>(desk));
  rooms.push_back(std::make_unique<LatticeRoom>(desk));
  rooms.push_back(std::make_unique<LadderRoom>(desk));
  return rooms;
}

}  // namespace sscope
