#include "ui/model/session_step.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sscope {

SessionStep::SessionStep(const What& what, std::function<void(const Members&)> swap)
    : QUndoCommand(what.text), what_(what), swap_(std::move(swap)) {}

bool SessionStep::mergeWith(const QUndoCommand* other) {
  // `other` was just done on top of this one, which still holds the value from before the gesture.
  const auto* next = dynamic_cast<const SessionStep*>(other);
  if (next == nullptr || what_.gesture.isEmpty() || what_.gesture != next->what_.gesture ||
      what_.value != next->what_.value)
    return false;
  Members both;
  std::ranges::set_union(what_.members, next->what_.members, std::back_inserter(both));
  what_.members = std::move(both);
  return true;
}

}  // namespace sscope
