#include "core/engine/joined_parts.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/memory.h"

namespace sscope {

namespace {

// The different texts of a member, one after the other.
std::string differing(std::span<const RunReport> reports, std::string RunReport::*text, const char* between) {
  std::string all;
  std::vector<std::string> seen;
  for (const RunReport& one : reports) {
    if ((one.*text).empty() || std::ranges::find(seen, one.*text) != seen.end()) continue;
    seen.push_back(one.*text);
    all += (all.empty() ? "" : between) + one.*text;
  }
  return all;
}

// The details that are equal in all reports, and the sum of the bytes sent between engines.
std::map<std::string, double> launchOf(std::span<const RunReport> reports) {
  constexpr const char* kHalo = "halo bytes";
  std::map<std::string, double> launch;
  for (const auto& [name, value] : reports.front().launch)
    if (std::ranges::all_of(reports, [&, n = name, v = value](const RunReport& one) {
          const auto found = one.launch.find(n);
          return found != one.launch.end() && found->second == v;
        }))
      launch[name] = value;
  double halo = 0;
  for (const RunReport& one : reports)
    if (const auto found = one.launch.find(kHalo); found != one.launch.end()) halo += found->second;
  if (halo > 0) launch[kHalo] = halo;
  return launch;
}

// The longest time of a phase. An engine that occurs twice computes its parts one after the other.
double longest(std::span<Engine* const> engines, std::span<const RunReport> reports, double Phases::*phase) {
  std::map<const Engine*, double> seconds;
  double most = 0;
  for (std::size_t k = 0; k < reports.size(); ++k)
    most = std::max(most, seconds[engines[k]] += reports[k].phases.*phase);
  return most;
}

}  // namespace

std::vector<PrepareOptions> threadSharesOf(std::span<Engine* const> engines, const PrepareOptions& options) {
  const auto own = std::count_if(engines.begin(), engines.end(), [](Engine* e) { return e->info().hasThreads(); });
  const int all = options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
  std::vector<PrepareOptions> shares(engines.size(), options);
  for (std::size_t k = 0; k < engines.size(); ++k)
    if (engines[k]->info().hasThreads()) shares[k].threads = std::max(1, all / static_cast<int>(own));
  return shares;
}

std::vector<std::string> namesOfParts(std::string_view id) {
  std::vector<std::string> ids, names;
  for (std::size_t begin = 0; begin <= id.size();) {
    const std::size_t end = std::min(id.find('+', begin), id.size());
    ids.emplace_back(id.substr(begin, end - begin));
    begin = end + 1;
  }
  for (auto one = ids.begin(); one != ids.end(); ++one) {
    const auto before = std::count(ids.begin(), one, *one);
    names.push_back(*one + (before > 0 ? " (" + std::to_string(before + 1) + ")" : ""));
  }
  return names;
}

namespace {

constexpr const char* kPlanes = " planes";
constexpr const char* kShare = " share";
constexpr const char* kMilliseconds = " ms";

}  // namespace

void note(const PartShare& part, std::map<std::string, double>& launch) {
  launch[part.name + kPlanes] = part.planes;
  launch[part.name + kShare] = part.share;
  launch[part.name + kMilliseconds] = 1e3 * part.seconds;
}

std::vector<PartShare> sharesIn(const std::map<std::string, double>& launch, std::string_view id) {
  std::vector<PartShare> parts;
  const auto at = [&](const std::string& name) {
    const auto found = launch.find(name);
    return found == launch.end() ? 0 : found->second;
  };
  for (const std::string& name : namesOfParts(id))
    if (launch.contains(name + kShare))
      parts.push_back({name, at(name + kPlanes), at(name + kShare), 1e-3 * at(name + kMilliseconds)});
  return parts;
}

RunReport joinedReport(std::span<Engine* const> engines, std::span<const RunReport> reports, const Work& work) {
  RunReport all = reports.front();
  all.engine.clear();
  all.variant = differing(reports, &RunReport::variant, "+");
  all.why = differing(reports, &RunReport::why, "; ");
  all.launch = launchOf(reports);
  all.operations = work.operations;
  all.bytes = work.bytes;
  all.threads = 0;
  all.executedOperations = 0;
  all.saturated.clear();
  bool kernels = true, executed = false, predicted = true;
  for (std::size_t k = 0; k < reports.size(); ++k) {
    const RunReport& one = reports[k];
    all.engine += (k > 0 ? "+" : "") + one.engine;
    if (one.precision != all.precision) all.precision.reset();
    all.writtenOut = all.writtenOut && one.writtenOut;
    if (engines[k]->info().hasThreads()) all.threads += one.threads;
    all.emptying = std::max(all.emptying, one.emptying);
    all.executedOperations += one.executedOperations > 0 ? one.executedOperations : one.operations;
    executed = executed || one.executedOperations > 0;
    all.predictedSeconds = std::max(all.predictedSeconds, one.predictedSeconds);
    predicted = predicted && one.predictedSeconds > 0;
    kernels = kernels && one.phases.kernel > 0;
    all.tiles = std::max(all.tiles, one.tiles);
    all.saturated.resize(std::max(all.saturated.size(), one.saturated.size()));
    for (std::size_t i = 0; i < one.saturated.size(); ++i) all.saturated[i] += one.saturated[i];
  }
  all.threads = std::max(all.threads, 1);
  if (!executed) all.executedOperations = 0;
  if (!predicted) all.predictedSeconds = 0;
  for (const auto phase : {&Phases::compile, &Phases::upload, &Phases::kernel, &Phases::download, &Phases::overlap})
    all.phases.*phase = longest(engines, reports, phase);
  if (!kernels) all.phases.kernel = 0;
  return all;
}

namespace {

class JoinedArray final : public ResidentArray {
 public:
  JoinedArray(std::string engine, std::size_t axis, std::vector<std::shared_ptr<ResidentArray>> parts)
      : engine_(std::move(engine)), axis_(axis), parts_(std::move(parts)), spec_(parts_.front()->spec()) {
    spec_.extent[axis_] = 0;
    for (const auto& part : parts_) spec_.extent[axis_] += part->spec().extent[axis_];
  }

  [[nodiscard]] const ArraySpec& spec() const override { return spec_; }
  [[nodiscard]] const std::string& engine() const override { return engine_; }
  [[nodiscard]] std::int64_t deviceBytes() const override {
    std::int64_t bytes = 0;
    for (const auto& part : parts_) bytes += part->deviceBytes();
    return bytes;
  }

  void read(std::span<const BoxCopy> boxes, const Control& control) override {
    requireBoxes(spec_, boxes);
    std::vector<BoxCopy> own;
    forParts([&](ResidentArray& part, std::int64_t begin, std::int64_t end) {
      own.clear();
      for (const BoxCopy& one : boxes)
        if (Box box = one.box; clip(box, begin, end)) {
          ArrayView to = one.to;
          to.data += (box.begin[axis_] + begin - one.box.begin[axis_]) * to.stride[axis_] *
                     static_cast<std::int64_t>(bytesOf(to.type));
          to.extent[axis_] = box.end[axis_] - box.begin[axis_];
          own.push_back({box, to});
        }
      if (!own.empty()) part.read(own, control);
    });
  }

  // Rarely called, and the steps do not continue across parts, so it reads the whole.
  [[nodiscard]] Volume every(std::int64_t step, const Control& control) override {
    static_cast<void>(voxelsOfEvery(spec_, step));  // checks the step
    return hostArray(engine_, host(control))->every(step, control);
  }

  void copyTo(const ArrayView& to, const Control& control) override {
    const BoxCopy all{wholeBox(spec_), to};
    requireBoxes(spec_, {&all, 1});
    const auto planes = static_cast<double>(spec_.extent[axis_]);
    forParts([&](ResidentArray& part, std::int64_t begin, std::int64_t end) {
      ArrayView own = to;
      own.data += begin * to.stride[axis_] * static_cast<std::int64_t>(bytesOf(to.type));
      own.extent[axis_] = end - begin;
      part.copyTo(own, control.part(static_cast<double>(begin) / planes, static_cast<double>(end) / planes));
    });
  }

  [[nodiscard]] ValueRange range(const Box& box, int component, const Control& control) override {
    requireBox(spec_, box);
    ValueRange all;
    forParts([&](ResidentArray& part, std::int64_t begin, std::int64_t end) {
      Box own = box;
      if (!clip(own, begin, end)) return;
      const ValueRange one = part.range(own, component, control);
      if (one.counted > 0) {
        all.least = all.counted > 0 ? std::min(all.least, one.least) : one.least;
        all.most = all.counted > 0 ? std::max(all.most, one.most) : one.most;
      }
      all.nonFinite += one.nonFinite;
      all.counted += one.counted;
    });
    return all;
  }
  [[nodiscard]] std::vector<std::int64_t> counts(const Box& box, int component, const Bins& bins,
                                                 const Control& control) override {
    requireBox(spec_, box);
    std::vector<std::int64_t> all;
    forParts([&](ResidentArray& part, std::int64_t begin, std::int64_t end) {
      Box own = box;
      if (!clip(own, begin, end)) return;
      const std::vector<std::int64_t> one = part.counts(own, component, bins, control);
      all.resize(std::max(all.size(), one.size()));
      for (std::size_t i = 0; i < one.size(); ++i) all[i] += one[i];
    });
    return all;
  }
  // Blocks may extend from one part into the next.
  [[nodiscard]] std::vector<float> means(const BrickBlocks& blocks, const Control& control) override {
    return blockMeans(*host(control), blocks, control);
  }

  [[nodiscard]] std::shared_ptr<const Volume> host(const Control& control) override {
    const std::lock_guard lock(mutex_);
    if (host_) return host_;
    requireMemory(spec_.bytes());
    const auto [nx, ny, nz, nc] = spec_.extent;
    auto volume = std::make_shared<Volume>(VolumeShape{nx, ny, nz, static_cast<int>(nc)}, spec_.type);
    copyTo(volume->view(), control);
    return host_ = std::move(volume);
  }

 private:
  // Calls visit(part, begin, end) with the part's planes in the whole.
  template <class Visit>
  void forParts(const Visit& visit) const {
    std::int64_t begin = 0;
    for (const auto& part : parts_) {
      const std::int64_t end = begin + part->spec().extent[axis_];
      visit(*part, begin, end);
      begin = end;
    }
  }
  // Cuts it to the planes in [begin, end), counted from `begin`; false if none are.
  [[nodiscard]] bool clip(Box& box, std::int64_t begin, std::int64_t end) const {
    box.begin[axis_] = std::max(box.begin[axis_], begin) - begin;
    box.end[axis_] = std::min(box.end[axis_], end) - begin;
    return box.begin[axis_] < box.end[axis_];
  }

  std::string engine_;
  std::size_t axis_;
  std::vector<std::shared_ptr<ResidentArray>> parts_;
  ArraySpec spec_;
  std::mutex mutex_;
  std::shared_ptr<const Volume> host_;
};

}  // namespace

std::shared_ptr<ResidentArray> joinedArray(std::string engine, std::size_t axis,
                                           std::vector<std::shared_ptr<ResidentArray>> parts) {
  return std::make_shared<JoinedArray>(std::move(engine), axis, std::move(parts));
}

}  // namespace sscope
