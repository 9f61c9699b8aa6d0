// Where the subjects are entered in the window: the room that each brings.

#include "ui/subjects.h"

#include "ui/rooms/filter/filter_room.h"
#include "ui/rooms/ladder/ladder_room.h"
#ifndef SSCOPE_WITHOUT_WAVELET
#include "ui/rooms/wavelet/wavelet_room.h"
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
#include "ui/rooms/lattice/lattice_room.h"
#endif

namespace sscope {

std::vector<std::unique_ptr<Room>> makeRooms(const Desk& desk) {
  std::vector<std::unique_ptr<Room>> rooms;
  rooms.push_back(std::make_unique<FilterRoom>(desk));
#ifndef SSCOPE_WITHOUT_WAVELET
  rooms.push_back(std::make_unique<WaveletRoom>(desk));
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
  rooms.push_back(std::make_unique<LatticeRoom>(desk));
#endif
  rooms.push_back(std::make_unique<LadderRoom>(desk));
  return rooms;
}

}  // namespace sscope
