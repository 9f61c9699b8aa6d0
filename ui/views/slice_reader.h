#pragma once
// Brings slices of a result that lives on a device to the views, on a thread of its own: a device may be at work when
// it is asked, and the window must not wait for it.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/engine/resident_array.h"
#include "core/live/newest_wins.h"
#include "core/live/news.h"
#include "core/volume/volume.h"
#include "ui/base/event_bridge.h"

namespace sscope {

class SliceReader {
 public:
  // By the axis that a slice is normal to.
  struct Wish {
    std::shared_ptr<ResidentArray> array;
    std::array<bool, 3> axes{};
    std::array<std::int64_t, 3> at{};
    std::int64_t sampleStep = 0;  // samples, this many voxels apart, are wanted as well; 0: none
    std::uint64_t number = 0;     // for who asks
  };
  struct Answer {
    std::weak_ptr<ResidentArray> array;
    std::array<std::shared_ptr<const Volume>, 3> slices;  // those asked for
    std::array<std::int64_t, 3> at{};
    std::shared_ptr<const Volume> samples;  // ResidentArray::every
    std::uint64_t number = 0;
    std::string failure;  // not empty: nothing was read, and why
  };

  // `receive` is called on the thread that makes the reader.
  explicit SliceReader(std::function<void(const Answer&)> receive);

  // Returns at once. A wish that waits is replaced by a newer one; one that is being read is finished and answered.
  void ask(Wish wish) { worker_.submit(std::move(wish)); }

 private:
  using ReaderNews = News<Answer>;
  [[nodiscard]] Answer read(const Wish& wish, const Control& control);

  EventBridge<ReaderNews> bridge_;
  std::array<VolumePool, 3> pools_;
  NewestWins<Wish> worker_;  // last: its thread uses the others
};

}  // namespace sscope
