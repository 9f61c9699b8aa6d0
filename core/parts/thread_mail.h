#pragma once
// Messages between threads: the bytes are copied once, from where they lie to where they are wanted, by whichever of
// the two threads waits.

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "core/parts/communicator.h"

namespace sscope::reach {

struct Message {
  int from = 0, to = 0;
  std::span<const std::byte> source;
  std::span<std::byte> target;
  bool sent = false, wanted = false;  // whether source and target are known
  bool copying = false, arrived = false;
  [[nodiscard]] bool ready() const { return sent && wanted && !copying && !arrived; }
};
using MessagePointer = std::shared_ptr<Message>;

// All messages that have not arrived. Every function needs the lock of the owner.
class ThreadMail {
 public:
  // Messages of the same ranks and tag arrive in the order in which they are sent. Throws std::logic_error when the two
  // sides disagree about the size.
  [[nodiscard]] MessagePointer send(int from, const Send& send);
  [[nodiscard]] MessagePointer receive(int to, const Receive& receive);
  // One that this rank sends or receives and that can be copied; null: none.
  [[nodiscard]] MessagePointer readyFor(int rank) const;
  // It has arrived, or one side has given it up.
  void forget(const MessagePointer& message);
  void clear() { open_.clear(); }

 private:
  using Line = std::tuple<int, int, int>;  // from, to, tag
  [[nodiscard]] MessagePointer next(const Line& line, bool Message::*side);
  std::map<Line, std::deque<MessagePointer>> open_;
};

}  // namespace sscope::reach
