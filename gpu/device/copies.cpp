#include "gpu/device/copies.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>

#include "gpu/device/device.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sscope {

namespace {

constexpr std::size_t kDirectPiece = 16 << 20;
// What was fastest for 256 x 256 x 256 and 512 x 512 x 512 together on an H100 with 16 cores
// (docs/dev/performance-notes.md).
constexpr std::size_t kPiece = 1 << 20, kPiecesEachWay = 16, kMostThreads = 12;
constexpr double kIdleSeconds = 300e-6;  // after which helpers with nothing to copy leave, or check less often

int helpersFor(const Device& device) {
  if (!device.properties().concurrent) return 0;
  return static_cast<int>(std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostThreads)) - 1;
}

}  // namespace

bool PinnedPieces::ready() {
  if (!std::exchange(asked_, true)) {
    try {
      const auto fill = [&](Pieces& pieces, std::size_t count) {
        while (pieces.size() < count) {
          auto one = device_.allocatePinned(static_cast<std::int64_t>(kPiece));
          if (!one) return;
          pieces.push_back(std::move(one));
        }
      };
      fill(uploads_, kPiecesEachWay);
      fill(downloads_, kPiecesEachWay);
    } catch (...) {
      uploads_.clear();
      downloads_.clear();
      asked_ = false;
      throw;
    }
  }
  return !uploads_.empty() && !downloads_.empty();
}

Copies::Lane::Lane(const PinnedPieces::Pieces& pieces) {
  for (const auto& piece : pieces) unused.push_back(piece.get());
}

std::size_t Copies::Lane::add(const Job& job) {
  if (idle()) busy.restart();
  jobs.push_back(job);
  while (next < jobs.size() && jobs[next].begun == jobs[next].bytes) ++next;
  while (finished < jobs.size() && jobs[finished].left == 0) ++finished;
  return jobs.size() - 1;
}

// An event of a copy that has ended and took this many seconds.
Copies::Job Copies::Lane::made(double took) const {
  Job job;
  job.time = {clock.seconds() - took, clock.seconds()};
  return job;
}

Copies::Flight Copies::Lane::begin() {
  Job& job = jobs[next];
  if (job.begun == 0) job.time.begin = clock.seconds();
  Flight flight;
  flight.memory = unused.back();
  unused.pop_back();
  flight.buffer = job.buffer;
  flight.offset = job.offset + static_cast<std::int64_t>(job.begun);
  flight.host = job.host + job.begun;
  flight.bytes = std::min(kPiece, job.bytes - job.begun);
  flight.job = next;
  job.begun += flight.bytes;
  while (next < jobs.size() && jobs[next].begun == jobs[next].bytes) ++next;
  return flight;
}

void Copies::Lane::end(const Flight& flight) {
  unused.push_back(flight.memory);
  jobs[flight.job].left -= flight.bytes;
  if (jobs[flight.job].left == 0) jobs[flight.job].time.end = clock.seconds();
  if (idle()) return;
  while (finished < jobs.size() && jobs[finished].left == 0) ++finished;
  if (idle()) seconds += busy.seconds();
}

Copies::Copies(Device& device, PinnedPieces& pieces, const Control& control)
    : device_(device),
      control_(control),
      staged_(pieces.ready()),
      mostHelpers_(helpersFor(device)),
      up_(pieces.uploads()),
      down_(pieces.downloads()) {}

Copies::~Copies() {
  closing_ = true;
  group_.wait();
  for (Lane* lane : {&up_, &down_})
    for (Flight& flight : lane->flights) {
      try {
        sscope::waitFor(*flight.event, Control{});
      } catch (const Error&) {
        // The first failure is being reported already.
      }
    }
}

std::vector<Copies::Time> Copies::timesOf(const Lane& lane) {
  std::vector<Time> times;
  for (const Job& job : lane.jobs)
    if (job.time.end > job.time.begin) times.push_back(job.time);
  return times;
}

std::size_t Copies::upload(const DeviceBuffer& buffer, std::int64_t offset, std::span<const std::byte> data) {
  if (!staged_) {
    const Stopwatch watch;
    for (std::size_t at = 0; at < data.size(); at += kDirectPiece)
      sscope::waitFor(*device_.write(buffer, offset + static_cast<std::int64_t>(at),
                                     data.subspan(at, std::min(kDirectPiece, data.size() - at)), Queue::Uploads),
                      control_);
    up_.seconds += watch.seconds();
    return ask(up_, up_.made(watch.seconds()));
  }
  return ask(up_, {&buffer, offset, const_cast<std::byte*>(data.data()), data.size(), 0, data.size()});
}

std::size_t Copies::download(const DeviceBuffer& buffer, std::int64_t offset, std::span<std::byte> data) {
  if (!staged_) {
    const Stopwatch watch;
    for (std::size_t at = 0; at < data.size(); at += kDirectPiece)
      sscope::waitFor(*device_.read(buffer, offset + static_cast<std::int64_t>(at),
                                    data.subspan(at, std::min(kDirectPiece, data.size() - at)), Queue::Downloads),
                      control_);
    down_.seconds += watch.seconds();
    return ask(down_, down_.made(watch.seconds()));
  }
  return ask(down_, {&buffer, offset, data.data(), data.size(), 0, data.size()});
}

std::size_t Copies::ask(Lane& lane, const Job& job) {
  std::size_t number = 0;
  {
    const tbb::spin_mutex::scoped_lock lock(mutex_);
    number = lane.add(job);
  }
  if (job.bytes > 0) callHelpers();
  return number;
}

void Copies::callHelpers() {
  std::size_t pieces = 0;
  {
    const tbb::spin_mutex::scoped_lock lock(mutex_);
    for (const Lane* lane : {&up_, &down_})
      for (std::size_t i = lane->next; i < lane->jobs.size(); ++i)
        pieces += (lane->jobs[i].bytes - lane->jobs[i].begun + kPiece - 1) / kPiece;
  }
  const int wanted = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(mostHelpers_), pieces));
  while (helpers_ < wanted) {
    ++helpers_;
    group_.run([this] { help(); });
  }
}

void Copies::help() {
  try {
    Stopwatch idle;
    int pause = 1;  // grows, so that threads that check do not delay threads that copy
    while (!over()) {
      if (step()) {
        idle.restart();
        pause = 1;
      } else if (idle.seconds() < kIdleSeconds) {
        for (int i = 0; i < pause; ++i) std::this_thread::yield();
        pause = std::min(2 * pause, 16);
      } else {
        {
          const tbb::spin_mutex::scoped_lock lock(mutex_);
          if (failure_ || (up_.idle() && down_.idle())) break;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
    }
  } catch (...) {
    fail();
  }
  --helpers_;
}

void Copies::fail() noexcept {
  const tbb::spin_mutex::scoped_lock lock(mutex_);
  if (!failure_) failure_ = std::current_exception();
  closing_ = true;
}

// Reads first: they keep the bus busy while this thread copies.
bool Copies::step() { return queueRead() || land() || fill(); }

bool Copies::queueRead() {
  Flight flight;
  {
    const tbb::spin_mutex::scoped_lock lock(mutex_);
    if (over() || !down_.canBegin()) return false;
    flight = down_.begin();
  }
  flight.event = device_.read(*flight.buffer, flight.offset, flight.pinned(), Queue::Downloads);
  const tbb::spin_mutex::scoped_lock lock(mutex_);
  down_.flights.push_back(std::move(flight));
  return true;
}

// If an event's query throws, no thread queries it again.
bool Copies::land() {
  if (looking_.load(std::memory_order_relaxed) || looking_.exchange(true, std::memory_order_acquire)) return false;
  const auto landed = [&](Lane& lane, Flight& flight) {
    DeviceEvent* first = nullptr;
    {
      const tbb::spin_mutex::scoped_lock lock(mutex_);
      if (!lane.flights.empty()) first = lane.flights.front().event.get();
    }
    if (first == nullptr || !first->done()) return false;
    const tbb::spin_mutex::scoped_lock lock(mutex_);
    flight = std::move(lane.flights.front());
    lane.flights.pop_front();
    return true;
  };
  bool any = false;
  Flight flight;
  while (landed(up_, flight)) {
    any = true;
    const tbb::spin_mutex::scoped_lock lock(mutex_);
    up_.end(flight);
  }
  const bool arrived = landed(down_, flight);
  looking_.store(false, std::memory_order_release);
  if (!arrived) return any;
  copyPastCaches(flight.host, flight.pinned().data(), flight.bytes);
  const tbb::spin_mutex::scoped_lock lock(mutex_);
  down_.end(flight);
  return true;
}

bool Copies::fill() {
  Flight flight;
  {
    const tbb::spin_mutex::scoped_lock lock(mutex_);
    if (over() || !up_.canBegin()) return false;
    flight = up_.begin();
  }
  std::memcpy(flight.pinned().data(), flight.host, flight.bytes);
  flight.event = device_.write(*flight.buffer, flight.offset, flight.pinned(), Queue::Uploads);
  const tbb::spin_mutex::scoped_lock lock(mutex_);
  up_.flights.push_back(std::move(flight));
  return true;
}

void Copies::waitFor(Lane& lane, std::size_t number) {
  const Stopwatch waited;
  Stopwatch idle;
  for (;;) {
    {
      const tbb::spin_mutex::scoped_lock lock(mutex_);
      if (failure_) std::rethrow_exception(failure_);
      if (lane.finished > number) break;
    }
    control_.check();
    if (step()) {
      idle.restart();
    } else {
      pauseWaiting(idle.seconds(), false);
    }
  }
  control_.check();
}

void Copies::waitForAll() {
  if (!up_.jobs.empty()) waitFor(up_, up_.jobs.size() - 1);
  if (!down_.jobs.empty()) waitFor(down_, down_.jobs.size() - 1);
}

void copyPastCaches(std::byte* to, const std::byte* from, std::size_t bytes) {
#if defined(__SSE2__)
  constexpr std::size_t kLine = 64, kVector = sizeof(__m128i);
  const std::size_t ahead = std::min(bytes, (kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine);
  std::memcpy(to, from, ahead);
  std::size_t at = ahead;
  for (; at + kLine <= bytes; at += kLine) {
    __m128i line[kLine / kVector];
    std::memcpy(line, from + at, kLine);
    for (std::size_t i = 0; i < kLine / kVector; ++i)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + at + i * kVector), line[i]);
  }
  std::memcpy(to + at, from + at, bytes - at);
  _mm_sfence();
#else
  std::memcpy(to, from, bytes);
#endif
}

}  // namespace sscope
