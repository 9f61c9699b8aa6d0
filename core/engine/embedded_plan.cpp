#include "core/engine/embedded_plan.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <string>

#include "core/base/ability.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/stopwatch.h"
#include "core/engine/part_plan.h"
#include "core/volume/volume.h"

namespace sscope {

namespace {

// Whether elements stay where they are along an axis of this extent.
bool unchanged(const AxisMap& map, std::int64_t extent) {
  if (std::ssize(map) != extent) return false;
  for (std::int64_t i = 0; i < extent; ++i)
    if (map[static_cast<std::size_t>(i)] != i) return false;
  return true;
}

// The part's planes, where it is planes of a volume in their order; empty otherwise.
std::optional<PartPlanes> planesOf(const Embedding& embedding, const ArraySpec& in, const ArraySpec& out) {
  constexpr std::size_t kPlanes = 2;
  for (std::size_t axis = 0; axis < kPlanes; ++axis)
    if (!unchanged(embedding.input[axis], in.extent[axis]) || !unchanged(embedding.output[axis], out.extent[axis]))
      return {};
  PartPlanes planes;
  planes.from.assign(static_cast<std::size_t>(in.extent[kPlanes]), -1);
  const AxisMap& input = embedding.input[kPlanes];
  for (std::size_t i = 0; i < input.size(); ++i)
    if (input[i] >= 0) planes.from[static_cast<std::size_t>(input[i])] = static_cast<std::int64_t>(i);
  const AxisMap& output = embedding.output[kPlanes];
  const bool follow = std::ranges::adjacent_find(output, [](auto a, auto b) { return b != a + 1; }) == output.end();
  if (!follow || std::ranges::find(planes.from, -1) != planes.from.end()) return {};
  planes.first = output.front();
  return planes;
}

// Of bytes that nobody else tells to be the same.
std::uint64_t newIdentity() {
  static std::atomic<std::uint64_t> last{std::uint64_t{1} << 63};
  return ++last;
}

// Untouched: it takes memory when it is filled.
Volume room(const ArraySpec& spec) { return {{spec.extent[0], spec.extent[1], spec.extent[2], 1}, spec.type}; }

class EmbeddedPlan final : public Plan {
 public:
  EmbeddedPlan(std::unique_ptr<Plan> plan, const Workload& workload, const FreeBoundaries& free,
               const Workload& periodic, int threads)
      : plan_(std::move(plan)),
        input_(workload.inputs()[0]),
        output_(workload.outputs()[0]),
        work_(workload.work()),
        embedding_(free.embedding()),
        part_(free.roundsAsPart()),
        threads_(threads),
        partPlan_(abilityOf<PartPlan>(*plan_)) {
    if (partPlan_ != nullptr) planes_ = planesOf(embedding_, periodic.inputs()[0], periodic.outputs()[0]);
    if (planes_) return;
    requireMemory(periodic.inputs()[0].bytes() + periodic.outputs()[0].bytes());
    from_ = room(periodic.inputs()[0]);
    to_ = room(periodic.outputs()[0]);
    setInto_ = from_.shape().text();
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    if (inputs.arrays.size() != 1 || outputs.size() != 1 || !fits(inputs.arrays[0], input_) ||
        !fits(outputs[0], output_))
      throw Error(ErrorKind::Usage, "the arrays do not have the shapes the filter was prepared for",
                  "prepare it again");
    const Stopwatch clock;
    zeroOnce();
    if (planes_) {
      RunReport report = partPlan_->runPart(inputs, outputs[0], *planes_, control);
      report.operations = work_.operations;
      report.bytes = work_.bytes;
      return report;
    }
    if (inputs.identity == 0 || inputs.identity != identity_) {
      identity_ = 0;
      copy(embedding_.input, inputs.arrays[0], from_.view(), control,
           [](const auto* own, auto* periodic, std::int64_t count) { std::copy_n(own, count, periodic); });
      identity_ = inputs.identity;
      ownIdentity_ = identity_ == 0 ? 0 : newIdentity();
    }
    const double copied = clock.seconds();
    const ConstArrayView from = from_.view();
    const ArrayView to = to_.view();
    RunReport report = plan_->run({{&from, 1}, ownIdentity_}, {&to, 1}, control);
    const double ran = clock.seconds();
    copy(embedding_.output, outputs[0], to, control,
         [](auto* own, const auto* periodic, std::int64_t count) { std::copy_n(periodic, count, own); });
    report.operations = work_.operations;
    report.bytes = work_.bytes;
    report.phases.upload += copied;
    report.phases.download += clock.seconds() - ran;
    report.phases.total = clock.seconds();
    return report;
  }

  [[nodiscard]] std::int64_t grain() const override { return part_ ? 0 : plan_->grain(); }

  [[nodiscard]] std::int64_t scratchBytes() const override {
    return plan_->scratchBytes() + (planes_ ? 0 : from_.bytes() + to_.bytes());
  }
  [[nodiscard]] std::vector<PlanBuffer> buffers() const override {
    std::vector<PlanBuffer> all = plan_->buffers();
    if (planes_) return all;
    all.push_back({"the input among zeros", from_.bytes()});
    all.push_back({"the periodic output", to_.bytes()});
    return all;
  }
  [[nodiscard]] std::string description() const override {
    if (planes_) return plan_->description() + "; from " + std::to_string(planes_->from.size()) + " planes";
    return plan_->description() + "; set into an array of its own, periodic on " + setInto_;
  }

 private:
  // Around the elements that are copied lie zeros. Not when it is prepared: slabs are planned by what their plans would
  // take, and those that take too much must not have taken it.
  void zeroOnce() {
    if (zeroed_) return;
    if (!from_.empty()) std::memset(from_.data(), 0, static_cast<std::size_t>(from_.bytes()));
    zeroed_ = true;
  }

  template <class View>
  static bool fits(const View& view, const ArraySpec& spec) {
    return view.type == spec.type && view.extent == spec.extent;
  }

  // `move` is given where elements of the workload's array and of the periodic one lie, and how many: whole rows where
  // both have theirs side by side.
  template <class Own, class Move>
  void copy(const std::array<AxisMap, 3>& maps, const Own& own, const ArrayView& periodic, const Control& control,
            Move&& move) const {
    const std::int64_t nx = own.extent[0], ny = own.extent[1], nz = own.extent[2];
    const bool rows = own.stride[0] == 1 && periodic.stride[0] == 1 && maps[0].front() >= 0 &&
                      std::ranges::adjacent_find(maps[0], [](auto a, auto b) { return b != a + 1; }) == maps[0].end();
    const std::int64_t together = rows ? nx : 1;
    dispatch(input_.type, [&](auto tag) {
      using T = decltype(tag);
      const auto row = [&](std::int64_t r) {
        control.check();
        const std::int64_t y = r % ny, z = r / ny;
        const std::int64_t farY = maps[1][static_cast<std::size_t>(y)], farZ = maps[2][static_cast<std::size_t>(z)];
        if (farY < 0 || farZ < 0) return;
        for (std::int64_t x = 0; x < nx; x += together)
          if (const std::int64_t farX = maps[0][static_cast<std::size_t>(x)]; farX >= 0)
            move(own.template as<T>() + own.offset(x, y, z), periodic.as<T>() + periodic.offset(farX, farY, farZ),
                 together);
      };
      if (threads_ == 1) {
        for (std::int64_t r = 0; r < ny * nz; ++r) row(r);
      } else {
        tbb::parallel_for(std::int64_t{0}, ny * nz, row);
      }
    });
  }

  std::unique_ptr<Plan> plan_;
  ArraySpec input_, output_;
  Work work_;
  Embedding embedding_;
  bool part_;  // FreeBoundaries::roundsAsPart
  int threads_;
  PartPlan* partPlan_;                // the ability of plan_; null if it has none
  std::optional<PartPlanes> planes_;  // not empty: partPlan_ reads them where they are
  std::uint64_t identity_ = 0;        // of the data in from_
  std::uint64_t ownIdentity_ = 0;     // of from_: other parts have other bytes of the same input
  Volume from_, to_;
  bool zeroed_ = false;  // what lies around the copies in from_
  std::string setInto_;
};

}  // namespace

std::unique_ptr<Plan> prepareEmbedded(const Workload& workload, int threads, const PrepareWorkload& prepare) {
  const auto* free = abilityOf<FreeBoundaries>(workload);
  const std::unique_ptr<Workload> periodic = free == nullptr ? nullptr : free->periodic();
  if (periodic == nullptr) return prepare(workload);
  return std::make_unique<EmbeddedPlan>(prepare(*periodic), workload, *free, *periodic, threads);
}

}  // namespace sscope
