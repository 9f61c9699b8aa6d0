#include "gpu/run/device_team.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/parts/thread_ranks.h"
#include "gpu/device/device.h"
#include "gpu/run/device_engine.h"

namespace sscope {

namespace {

// The most that is queued at once, and the least that is launched in pieces instead; both in seconds.
constexpr double kMostQueued = 0.03, kLongLaunch = 0.02;

}  // namespace

DeviceTeam::DeviceTeam(std::vector<DeviceEngine*> members) : members_(std::move(members)) {
  for (DeviceEngine* member : members_) {
    const auto known = std::ranges::find(engines_, member);
    seats_.push_back(static_cast<std::size_t>(known - engines_.begin()));
    if (known == engines_.end()) engines_.push_back(member);
  }
}

bool DeviceTeam::reaches(std::size_t from, std::size_t to) const {
  return engine(from).device().reaches(engine(to).device());
}

DeviceTeam::Locks DeviceTeam::lock(const Control& control) const {
  std::vector<DeviceEngine*> ordered = engines_;
  std::ranges::sort(ordered, std::less<>());
  Locks locks;
  for (DeviceEngine* one : ordered) locks.push_back(one->lock(control));
  return locks;
}

void DeviceTeam::atOnce(const Control& control, const std::function<void(std::size_t, const Control&)>& work) const {
  reach::ThreadRanks threads(static_cast<int>(engines_.size()));
  threads.run(control, [&](reach::Communicator& communicator, const Control& own) {
    for (std::size_t member = 0; member < size(); ++member)
      if (seat(member) == static_cast<std::size_t>(communicator.rank())) work(member, own);
  });
}

void DeviceTeam::requireMemory(std::span<const std::int64_t> bytes, std::span<const std::int64_t> largest,
                               std::int64_t limit, const std::string& needs, const std::string& advice) const {
  for (std::size_t place = 0; place < engines_.size(); ++place) {
    MemoryNeed need;
    for (std::size_t member = 0; member < size(); ++member) {
      if (seat(member) != place) continue;
      need.total += bytes[member];
      need.largest = std::max(need.largest, largest[member]);
    }
    DeviceEngine& engine = *engines_[place];
    requireFits(engine, need, engine.budget(limit), needs, advice);
    const std::int64_t left = engine.budget(0) - need.total;
    if (engine.results()->bytes() <= left) continue;
    const auto lock = engine.lock({});
    engine.results()->shrink(left, {});
  }
}

TeamRun::TeamRun(const DeviceTeam& team, const Control& control)
    : team_(team),
      control_(control),
      locks_(team.lock(control)),
      launched_(team.size()),
      beside_(team.size()),
      apart_(team.size()),
      first_(team.seats()),
      queued_(team.seats()),
      busy_(team.size()),
      seconds_(team.seats()) {}

TeamRun::~TeamRun() { drain(); }

TeamRun::Span TeamRun::launch(std::size_t member, std::span<const KernelStage* const> stages) {
  return launchIn(Queue::Kernels, member, stages);
}

TeamRun::Span TeamRun::launchBeside(std::size_t member, std::span<const KernelStage* const> stages) {
  return launchIn(team_.reaches(member, member) ? Queue::Beside : Queue::Kernels, member, stages);
}

TeamRun::Span TeamRun::launchIn(Queue queue, std::size_t member, std::span<const KernelStage* const> stages) {
  DeviceEngine& engine = team_.engine(member);
  std::vector<SplitLaunch> launches;
  double expected = 0;
  bool known = true;
  for (const KernelStage* stage : stages) {
    launches.push_back(stage->launch(engine.workspace()));
    const SplitLaunch& one = launches.back();
    known = known && one.kernel->secondsPerElement > 0;
    expected += one.kernel->secondsPerElement * static_cast<double>(one.elementsPerGroup * one.groups);
  }
  double& queued = queued_[team_.seat(member)];
  if (queued + expected > kMostQueued) finish();
  Span span;
  const auto kept = [&](Event event, std::vector<Event>& list) {
    if (!span.first) span.first = event;
    span.last = event;
    if (Event& first = first_[team_.seat(member)]; !first) first = event;
    list.push_back(std::move(event));
  };
  if (known && expected <= kLongLaunch) {
    std::vector<KernelLaunch> whole;
    for (const SplitLaunch& one : launches) whole.push_back(wholeLaunch(one));
    const bool beside = queue == Queue::Beside;
    if (beside && !launched_[member].empty()) engine.device().waitIn(queue, *launched_[member].back());
    kept(engine.device().launchInRow(whole, queue), beside ? beside_[member] : launched_[member]);
    if (beside) apart_[member].push_back(span.last);
    queued += expected;
    return span;
  }
  for (SplitLaunch& one : launches) {
    one.keep = [&](std::unique_ptr<DeviceEvent> event) { kept(std::move(event), launched_[member]); };
    static_cast<void>(runSplit(engine.device(), one, control_, [](double) {}));
  }
  return span;
}

void TeamRun::join() {
  for (std::size_t member = 0; member < team_.size(); ++member) {
    for (const Event& event : apart_[member]) team_.engine(member).device().waitIn(Queue::Kernels, *event);
    apart_[member].clear();
  }
}

TeamRun::Marks TeamRun::mark() const {
  Marks marks(team_.size());
  for (std::size_t member = 0; member < team_.size(); ++member) {
    if (!launched_[member].empty()) marks[member].push_back(launched_[member].back());
    const std::size_t joined = beside_[member].size() - apart_[member].size();
    if (joined > 0) marks[member].push_back(beside_[member][joined - 1]);
  }
  return marks;
}

TeamRun::Pending TeamRun::begin(std::vector<TeamCopy> copies, Marks after) {
  Pending pending{std::move(copies), std::move(after), {}};
  for (const TeamCopy& one : pending.copies) {
    pending.events.emplace_back();
    if (one.from != one.to) copied_ += one.bytes;
    if (!team_.reaches(one.from, one.to)) continue;
    Device& device = team_.engine(one.from).device();
    for (const std::size_t member : {one.from, one.to})
      for (const Event& event : pending.marks[member]) device.waitIn(Queue::Downloads, *event);
    pending.events.back() = device.copyTo(team_.engine(one.to).device(), *one.source, one.offset, *one.target,
                                          one.place, one.bytes, Queue::Downloads);
    copies_.push_back(pending.events.back());
  }
  return pending;
}

void TeamRun::end(const Pending& pending) {
  for (std::size_t k = 0; k < pending.copies.size(); ++k) {
    const TeamCopy& one = pending.copies[k];
    if (!pending.events[k]) {
      carry(one, pending);
      continue;
    }
    // After this the source may also be written again.
    for (const Queue queue : {Queue::Kernels, Queue::Beside}) {
      team_.engine(one.to).device().waitIn(queue, *pending.events[k]);
      if (team_.seat(one.from) != team_.seat(one.to)) team_.engine(one.from).device().waitIn(queue, *pending.events[k]);
    }
  }
}

void TeamRun::carry(const TeamCopy& copy, const Pending& pending) {
  for (const std::size_t member : {copy.from, copy.to})
    for (const Event& event : pending.marks[member]) waitFor(*event, control_);
  carried_.resize(static_cast<std::size_t>(copy.bytes));
  waitFor(*team_.engine(copy.from).device().read(*copy.source, copy.offset, carried_, Queue::Downloads), control_);
  waitFor(*team_.engine(copy.to).device().write(*copy.target, copy.place, carried_, Queue::Uploads), control_);
}

void TeamRun::finish() {
  // Each device waits for all its commands: the last to end is its last kernel, a kernel beside it, or a copy.
  for (const auto* lists : {&launched_, &beside_})
    for (const std::vector<Event>& events : *lists)
      if (!events.empty()) waitFor(*events.back(), {});
  for (const Event& event : copies_) waitFor(*event, {});
  addTimes();
  for (auto* lists : {&launched_, &beside_, &apart_})
    for (std::vector<Event>& events : *lists) events.clear();
  copies_.clear();
  std::ranges::fill(first_, nullptr);
  std::ranges::fill(queued_, 0.0);
  control_.check();
}

void TeamRun::addTimes() {
  std::vector<double> ends(team_.seats());
  for (std::size_t member = 0; member < team_.size(); ++member) {
    const Event& first = first_[team_.seat(member)];
    std::vector<std::pair<double, double>> spans;
    for (const auto* lists : {&launched_, &beside_})
      for (const Event& event : (*lists)[member]) {
        const double start = event == first ? 0 : event->startsAfter(*first);
        spans.emplace_back(start, start + event->seconds());
      }
    std::ranges::sort(spans);
    double covered = 0, until = 0;
    for (const auto& [start, end] : spans) {
      covered += std::max(0.0, end - std::max(start, until));
      until = std::max(until, end);
    }
    busy_[member] += covered;
    double& last = ends[team_.seat(member)];
    last = std::max(last, until);
  }
  for (std::size_t place = 0; place < ends.size(); ++place) seconds_[place] += ends[place];
}

void TeamRun::drain() noexcept {
  const auto ended = [](const Event& event) {
    try {
      waitFor(*event, {});
    } catch (...) {
      // A device that failed has no pending commands.
      return;
    }
  };
  for (const auto* lists : {&launched_, &beside_})
    for (const std::vector<Event>& events : *lists)
      if (!events.empty()) ended(events.back());
  for (const Event& event : copies_) ended(event);
}

void TeamRun::write(std::size_t member, const DeviceBuffer& buffer, std::int64_t offset,
                    std::span<const std::byte> data) {
  team_.engine(member).transfer().write(buffer, offset, data, control_);
}

void TeamRun::read(std::size_t member, const DeviceBuffer& buffer, std::int64_t offset, std::span<std::byte> data) {
  team_.engine(member).transfer().read(buffer, offset, data, control_);
}

void TeamRun::restart() {
  std::ranges::fill(busy_, 0.0);
  std::ranges::fill(seconds_, 0.0);
}

double TeamRun::seconds() const { return *std::ranges::max_element(seconds_); }

}  // namespace sscope
