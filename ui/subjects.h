#pragma once

#include <memory>
#include <string>
#include <vector>

namespace sscope {

class Room;
struct Desk;

// The rooms of the window, in the order of their buttons. A new room is one row in ui/subjects.cpp.
[[nodiscard]] std::vector<std::unique_ptr<Room>> makeRooms(const Desk& desk);
// Their keys, in this order: "filter".
[[nodiscard]] std::vector<std::string> roomNames();

}  // namespace sscope
