// Where the subjects are entered in the window: the room that each brings.

#include "ui/subjects.h"

#include "ui/rooms/compare/compare_room.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/rooms/ladder/ladder_room.h"
#ifndef SSCOPE_WITHOUT_WAVELET
#include "ui/rooms/wavelet/wavelet_room.h"
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
#include "ui/rooms/lattice/lattice_room.h"
#endif

namespace sscope {

namespace {

struct Entry {
  std::string key;
  std::unique_ptr<Room> (*make)(const Desk& desk);
};

template <class Kind>
Entry entry() {
  return {Kind::kKey, [](const Desk& desk) -> std::unique_ptr<Room> { return std::make_unique<Kind>(desk); }};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{entry<FilterRoom>(),
#ifndef SSCOPE_WITHOUT_WAVELET
                                      entry<WaveletRoom>(),
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
                                      entry<LatticeRoom>(),
#endif
                                      entry<LadderRoom>(), entry<CompareRoom>()};
  return all;
}

}  // namespace

std::vector<std::unique_ptr<Room>> makeRooms(const Desk& desk) {
  std::vector<std::unique_ptr<Room>> rooms;
  for (const Entry& each : entries()) rooms.push_back(each.make(desk));
  return rooms;
}

std::vector<std::string> roomNames() {
  std::vector<std::string> names;
  for (const Entry& each : entries()) names.push_back(each.key);
  return names;
}

}  // namespace sscope
