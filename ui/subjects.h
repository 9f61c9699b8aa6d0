#pragma once

#include <memory>
#include <vector>

namespace sscope {

class Room;
struct Desk;

// The rooms of the window, in the order of their buttons. A new room is one row here.
[[nodiscard]] std::vector<std::unique_ptr<Room>> makeRooms(const Desk& desk);

}  // namespace sscope
