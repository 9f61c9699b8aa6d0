#pragma once
// Devices that compute parts of one result: the commands of each, and the copies between them. One thread queues
// everything; devices that reach each other (Device::reaches) wait for each other by themselves; for others the host
// waits and copies.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "gpu/run/device_engine.h"
#include "gpu/run/kernel_stage.h"

namespace sscope {

class DeviceTeam {
 public:
  // At least one; an engine may be a member twice. They outlive this.
  explicit DeviceTeam(std::vector<DeviceEngine*> members);

  [[nodiscard]] std::size_t size() const { return members_.size(); }
  [[nodiscard]] DeviceEngine& engine(std::size_t member) const { return *members_[member]; }
  // The index of a member's engine among the distinct engines.
  [[nodiscard]] std::size_t seat(std::size_t member) const { return seats_[member]; }
  [[nodiscard]] std::size_t seats() const { return engines_.size(); }
  [[nodiscard]] bool reaches(std::size_t from, std::size_t to) const;

  // Locks all engines, without deadlocks between teams. Throws Canceled.
  using Locks = std::vector<std::unique_lock<std::timed_mutex>>;
  [[nodiscard]] Locks lock(const Control& control) const;
  // Calls work(member, control) for all members, concurrently on different engines. Throws what one threw; the others
  // are stopped.
  void atOnce(const Control& control, const std::function<void(std::size_t, const Control&)>& work) const;
  // Throws Error(Memory) unless `bytes` of each member, `largest` of them in one buffer, fit together: "`needs` 12 MiB
  // on cuda:0".
  void requireMemory(std::span<const std::int64_t> bytes, std::span<const std::int64_t> largest, std::int64_t limit,
                     const std::string& needs, const std::string& advice) const;

 private:
  std::vector<DeviceEngine*> members_, engines_;  // engines: each once
  std::vector<std::size_t> seats_;
};

// A copy from a buffer of one member to a buffer of another. Offsets in bytes.
struct TeamCopy {
  std::size_t from = 0;
  const DeviceBuffer* source = nullptr;
  std::int64_t offset = 0;
  std::size_t to = 0;
  const DeviceBuffer* target = nullptr;
  std::int64_t place = 0;
  std::int64_t bytes = 0;
};

// A run of a team: holds the locks, and leaves no command pending when it ends, even by an exception.
class TeamRun {
 public:
  TeamRun(const DeviceTeam& team, const Control& control);
  ~TeamRun();
  TeamRun(const TeamRun&) = delete;
  TeamRun& operator=(const TeamRun&) = delete;

  using Event = std::shared_ptr<DeviceEvent>;
  struct Span {
    Event first, last;
  };
  // Launches kernels in sequence on a member; their stages name no slots. Kernels that take long, or an unknown time,
  // have ended when this returns and can be canceled between their pieces; others may still run.
  Span launch(std::size_t member, std::span<const KernelStage* const> stages);
  // The same after the commands that the member has queued so far, but beside those that it queues next; commands after
  // join() begin when these have ended.
  Span launchBeside(std::size_t member, std::span<const KernelStage* const> stages);
  void join();

  // The last commands that each member has queued so far, and the last joined ones of those beside.
  using Marks = std::vector<std::vector<Event>>;
  [[nodiscard]] Marks mark() const;
  // Copies on their way.
  struct Pending {
    std::vector<TeamCopy> copies;
    Marks marks;
    std::vector<Event> events;  // of each copy; null: copied through the host
  };
  // Copies that begin after these marks of their members, beside other commands. Commands queued after end() begin when
  // the copies have ended.
  [[nodiscard]] Pending begin(std::vector<TeamCopy> copies, Marks after);
  [[nodiscard]] Pending begin(std::vector<TeamCopy> copies) { return begin(std::move(copies), mark()); }
  void end(const Pending& pending);

  // Waits for all queued commands. Throws Canceled when they have ended.
  void finish();
  // Requires that no command for the buffer is pending.
  void write(std::size_t member, const DeviceBuffer& buffer, std::int64_t offset, std::span<const std::byte> data);
  void read(std::size_t member, const DeviceBuffer& buffer, std::int64_t offset, std::span<std::byte> data);

  // From the last restart() to the last finish(): the seconds in which a member's kernels ran, and the longest span of
  // an engine from the start of its first kernel to the end of all commands.
  [[nodiscard]] double busy(std::size_t member) const { return busy_[member]; }
  [[nodiscard]] double seconds() const;
  void restart();
  // Bytes that have been copied from one member to another one.
  [[nodiscard]] std::int64_t copied() const { return copied_; }

 private:
  Span launchIn(Queue queue, std::size_t member, std::span<const KernelStage* const> stages);
  void carry(const TeamCopy& copy, const Pending& pending);
  void drain() noexcept;
  void addTimes();

  const DeviceTeam& team_;
  Control control_;
  DeviceTeam::Locks locks_;
  // Events of each member since the last finish(): in order, beside, and of the latter those since the last join().
  std::vector<std::vector<Event>> launched_, beside_, apart_;
  std::vector<Event> copies_;
  std::vector<Event> first_;    // of each engine
  std::vector<double> queued_;  // seconds, of each engine
  std::vector<double> busy_, seconds_;
  std::int64_t copied_ = 0;
  std::vector<std::byte> carried_;
};

}  // namespace sscope
