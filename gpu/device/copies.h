#pragma once
// Copies between ordinary host memory and a device, in both directions at once and beside kernels.
//
// Drivers copy ordinary (pageable) memory through small internal buffers, far below the speed of the bus, and one core
// does not copy as fast as the bus does. Arrays therefore go through pieces of pinned memory: several threads fill a
// piece and queue it, or empty one that has arrived, and go on with the next, each by itself.

#include <tbb/spin_mutex.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/base/stopwatch.h"
#include "gpu/device/device.h"

namespace sscope {

// The pinned memory that copies go through, kept between runs.
class PinnedPieces {
 public:
  using Pieces = std::vector<std::unique_ptr<PinnedMemory>>;

  explicit PinnedPieces(Device& device) : device_(device) {}

  // Allocates it on first use. False on devices that share the host's memory and need none.
  [[nodiscard]] bool ready();
  [[nodiscard]] const Pieces& uploads() const { return uploads_; }
  [[nodiscard]] const Pieces& downloads() const { return downloads_; }

 private:
  Device& device_;
  bool asked_ = false;
  Pieces uploads_, downloads_;
};

// The copies of one run. Called by one thread, which copies along with the helpers while it waits, or alone if there
// are none. Without pinned pieces each copy is made, and waited for, when it is requested.
class Copies {
 public:
  // Only one at a time uses the pieces. Threads that help come from TBB and leave when there is nothing to copy.
  Copies(Device& device, PinnedPieces& pieces, const Control& control);
  Copies(Device& device, PinnedPieces& pieces, Control&& control) = delete;  // it must outlive this
  // Begins nothing more and waits for pending copies.
  ~Copies();
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  // Returns the number of the copy among those in its direction, which are begun in order. Buffer and memory stay valid
  // until it is finished or this object is gone. Offsets in bytes.
  std::size_t upload(const DeviceBuffer& buffer, std::int64_t offset, std::span<const std::byte> data);
  std::size_t download(const DeviceBuffer& buffer, std::int64_t offset, std::span<std::byte> data);

  // Until this copy and those before it in its direction are finished: kernels that are queued from then on may read
  // uploads, and downloads are complete in the host's memory. Throws Canceled, or what a copy threw.
  void waitForUpload(std::size_t number) { waitFor(up_, number); }
  void waitForDownload(std::size_t number) { waitFor(down_, number); }
  void waitForAll();

  // Wall time during which copies in this direction were requested and not finished.
  [[nodiscard]] double uploadSeconds() const { return up_.seconds; }
  [[nodiscard]] double downloadSeconds() const { return down_.seconds; }

  // The current time of the clock of uploadTimes() and downloadTimes(), in seconds.
  [[nodiscard]] double uploadClock() const { return up_.clock.seconds(); }
  [[nodiscard]] double downloadClock() const { return down_.clock.seconds(); }
  // When copies were begun and finished. After waitForAll().
  struct Time {
    double begin = 0, end = 0;
  };
  [[nodiscard]] std::vector<Time> uploadTimes() const { return timesOf(up_); }
  [[nodiscard]] std::vector<Time> downloadTimes() const { return timesOf(down_); }

 private:
  struct Job {
    const DeviceBuffer* buffer = nullptr;
    std::int64_t offset = 0;
    std::byte* host = nullptr;  // only read by uploads
    std::size_t bytes = 0, begun = 0, left = 0;
    Time time{};
  };
  // A piece of a job, in pinned memory.
  struct Flight {
    std::unique_ptr<DeviceEvent> event;
    PinnedMemory* memory = nullptr;
    const DeviceBuffer* buffer = nullptr;
    std::int64_t offset = 0;
    std::byte* host = nullptr;
    std::size_t bytes = 0, job = 0;
    [[nodiscard]] std::span<std::byte> pinned() const { return memory->bytes().first(bytes); }
  };
  // One direction.
  struct Lane {
    explicit Lane(const PinnedPieces::Pieces& pieces);
    [[nodiscard]] bool canBegin() const { return next < jobs.size() && !unused.empty(); }
    [[nodiscard]] bool idle() const { return finished == jobs.size(); }
    std::size_t add(const Job& job);
    [[nodiscard]] Job made(double took) const;
    Flight begin();
    void end(const Flight& flight);

    std::vector<PinnedMemory*> unused;
    std::deque<Job> jobs;
    std::size_t next = 0;        // the job of which a piece is begun next
    std::size_t finished = 0;    // jobs from the first on
    std::deque<Flight> flights;  // in about the order of queueing
    Stopwatch busy, clock;
    double seconds = 0;
  };
  [[nodiscard]] static std::vector<Time> timesOf(const Lane& lane);

  std::size_t ask(Lane& lane, const Job& job);
  void callHelpers();
  void help();
  // Executes one pending task; false: there is none now.
  bool step();
  bool queueRead();
  bool land();
  bool fill();
  void fail() noexcept;
  void waitFor(Lane& lane, std::size_t number);
  [[nodiscard]] bool over() const { return closing_ || control_.stopRequested(); }

  Device& device_;
  const Control& control_;
  const bool staged_;
  const int mostHelpers_;
  tbb::spin_mutex mutex_;  // guards the lanes; held for moments, without calls of the driver
  Lane up_, down_;
  std::atomic<bool> looking_{false};  // a thread is querying events and removing finished flights; one thread at a time
  std::atomic<bool> closing_{false};
  std::atomic<int> helpers_{0};
  std::exception_ptr failure_;  // guarded by mutex_
  tbb::task_group group_;
};

// Copies with non-temporal stores.

// As std::memcpy, but written data do not stay in the caches, and the lines of `to` are not read first. For results
// that are not read soon; libraries do this for much larger pieces only. Other devices see the bytes when it returns.
void copyPastCaches(std::byte* to, const std::byte* from, std::size_t bytes);

}  // namespace sscope
