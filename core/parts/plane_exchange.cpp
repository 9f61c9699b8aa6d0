#include "core/parts/plane_exchange.h"

#include <algorithm>
#include <utility>

namespace sscope::reach {

namespace {

constexpr int kPlanes = 3;

}  // namespace

PlaneExchange::PlaneExchange(int rank, std::span<const Range> owned, std::span<const std::vector<WantedPlanes>> wanted)
    : rank_(rank) {
  // Both sides find the messages between two ranks in the same order.
  const auto each = [&](int to, int from, auto&& visit) {
    const Range& has = owned[static_cast<std::size_t>(from)];
    for (const WantedPlanes& one : wanted[static_cast<std::size_t>(to)]) {
      const std::int64_t begin = std::max(one.begin, has.begin), end = std::min(one.begin + one.count, has.end);
      if (end > begin) visit(begin - has.begin, one.slot + begin - one.begin, end - begin);
    }
  };
  for (int other = 0; other < static_cast<int>(owned.size()); ++other) {
    each(other, rank, [&](std::int64_t own, std::int64_t, std::int64_t count) {
      sent_.push_back({other, own, count});
    });
    each(rank, other, [&](std::int64_t, std::int64_t slot, std::int64_t count) {
      received_.push_back({other, slot, count});
    });
  }
}

std::unique_ptr<Exchange> PlaneExchange::begin(Communicator& communicator, const std::byte* own, std::byte* slots,
                                               std::int64_t planeBytes, std::shared_ptr<const void> keeps) const {
  std::vector<Send> sends;
  std::vector<Receive> receives;
  const auto bytes = [&](const Run& run) { return static_cast<std::size_t>(run.count * planeBytes); };
  for (const Run& run : sent_) sends.push_back({run.other, kPlanes, {own + run.at * planeBytes, bytes(run)}});
  for (const Run& run : received_) receives.push_back({run.other, kPlanes, {slots + run.at * planeBytes, bytes(run)}});
  return communicator.begin(sends, receives, std::move(keeps));
}

std::int64_t PlaneExchange::sentPlanes() const {
  std::int64_t planes = 0;
  for (const Run& run : sent_) planes += run.other == rank_ ? 0 : run.count;
  return planes;
}

std::int64_t PlaneExchange::messages() const {
  return std::count_if(sent_.begin(), sent_.end(), [&](const Run& run) { return run.other != rank_; });
}

}  // namespace sscope::reach
