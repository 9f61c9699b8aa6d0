#include "core/compare/result_pair.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/compare/lane_agreement.h"
#include "core/compare/whole_result.h"
#include "core/measure/accepted_error.h"
#include "core/measure/compared_output.h"

namespace sscope::compare {

namespace {

constexpr double kSampleSeconds = 2;
constexpr std::uint64_t kSampleSeed = 1;

// One side's result and its judgment.
struct Side {
  std::string name;
  std::shared_ptr<const Volume> result;
  VerifyOptions judged;
  bool reference = false;
  bool lowerPrecision = false;  // judged by its own bounds
};

class Pairing {
 public:
  Pairing(const RaceTrack& track, const RaceWish& race, const PairWish& wish, const Control& control)
      : track_(track), race_(race), wish_(wish), control_(control), input_(std::as_const(*race.input).view()) {
    if (wish.first == wish.second)
      throw Error(ErrorKind::Usage, "both sides are the same contender", "choose two that differ");
    if (wish.output >= race.workload->outputs().size())
      throw Error(ErrorKind::Usage, "there is no output " + std::to_string(wish.output + 1), "choose another output");
  }

  ResultPair run() {
    const double share = sharesOfReference();
    const std::array<Side, 2> sides{side(wish_.first, control_.part(0, wish_.first ? 0.5 - share : share)),
                                    side(wish_.second, control_.part(wish_.first ? 0.5 - share : share, 0.9))};
    ResultPair pair;
    for (std::size_t i = 0; i < 2; ++i) {
      pair.names[i] = sides[i].name;
      pair.results[i] = sides[i].result;
    }
    const ConstArrayView first = sides[0].result->view(), second = sides[1].result->view();
    pair.agreement = agreementOf(first, second, control_.part(0.9, 0.95));
    pair.histogram = differenceHistogram(first, second, {control_.stop, {}});
    control_.report(0.95, "accepted errors");
    bound(sides, pair);
    return pair;
  }

 private:
  // The share of the progress that the first side takes: the reference takes most of the time.
  [[nodiscard]] double sharesOfReference() const { return wish_.first && wish_.second ? 0.05 : 0.4; }

  Side side(const std::optional<std::size_t>& contender, const Control& part) {
    Side made;
    Volume result;
    if (contender) {
      const BenchRow& row = race_.contenders.at(*contender);
      part.report(0, row.engine);
      WholeResult whole = wholeResult(track_, *race_.workload, input_, row, race_.how.threads, part);
      made.name = laneName(row, whole.report.variant);
      made.judged.writtenOut = whole.report.writtenOut;
      const EngineKind kind = track_.engines.at(row.engine).info().kind;
      made.lowerPrecision = track_.variants.at(race_.workload->name(), kind, row.variant).lower.has_value();
      result = std::move(whole.outputs[wish_.output]);
    } else {
      made.name = kReferenceName;
      made.reference = true;
      result = referenceResult(*race_.workload, {&input_, 1}, wish_.output, part);
    }
    if (result.shape().voxels() == race_.input->shape().voxels()) result.setGeometry(race_.input->geometry());
    made.result = std::make_shared<const Volume>(std::move(result));
    return made;
  }

  // The accepted differences in a box: the sum of both sides'.
  [[nodiscard]] std::vector<double> acceptedIn(const std::array<Side, 2>& sides, const Box& box) const {
    std::vector<double> sum;
    for (const Side& side : sides) {
      if (side.reference) continue;
      const std::vector<double> one =
          acceptedErrors(*race_.workload, {&input_, 1}, wish_.output, box, side.judged, control_);
      sum.resize(one.size());
      for (std::size_t i = 0; i < one.size(); ++i) sum[i] += one[i];
    }
    return sum;
  }

  // Blocks spread over the output first, then faces and edges, as many as take kSampleSeconds of one core.
  [[nodiscard]] std::vector<Box> samples() const {
    std::vector<Box> boxes = sampledBoxes(race_.workload->outputs()[wish_.output].extent, kSampleSeed);
    std::ranges::reverse(boxes);
    const BoxCost cost = race_.workload->referenceCost(wish_.output);
    double seconds = cost(boxes.front());
    std::size_t count = 1;
    while (count < boxes.size() && (seconds += cost(boxes[count])) < kSampleSeconds) ++count;
    boxes.resize(count);
    return boxes;
  }

  [[nodiscard]] AcceptedRange sampledRange(const std::array<Side, 2>& sides) const {
    AcceptedRange range;
    range.lowest = std::numeric_limits<double>::infinity();
    std::mutex mutex;
    const std::vector<Box> boxes = samples();
    tbb::parallel_for(std::size_t{0}, boxes.size(), [&](std::size_t i) {
      if (control_.stopRequested()) return;
      const std::vector<double> accepted = acceptedIn(sides, boxes[i]);
      const std::scoped_lock lock(mutex);
      for (const double each : accepted) {
        if (!std::isfinite(each)) continue;
        range.lowest = std::min(range.lowest, each);
        range.highest = std::max(range.highest, each);
      }
    });
    control_.check();
    return range;
  }

  void bound(const std::array<Side, 2>& sides, ResultPair& pair) const {
    for (const Side& side : sides)
      if (side.lowerPrecision) {
        pair.whyNoRange = side.name + " has a lower precision and is judged as a whole";
        return;
      }
    if (race_.workload->errorScale() == ErrorScale::Whole) {
      pair.whyNoRange = "every element depends on all others, so that only the norm is judged";
      return;
    }
    AcceptedRange range = sampledRange(sides);
    if (!(range.lowest <= range.highest)) {
      pair.whyNoRange = "rounding decides every element that was looked at";
      return;
    }
    if (const auto& worst = pair.agreement.worst) {
      const auto& [x, y, z] = worst->voxel;
      const double at =
          acceptedIn(sides, {{x, y, z}, {x + 1, y + 1, z + 1}})[static_cast<std::size_t>(worst->component)];
      if (std::isfinite(at)) range.atWorst = at;
    }
    pair.accepted = range;
  }

  const RaceTrack& track_;
  const RaceWish& race_;
  const PairWish& wish_;
  const Control& control_;
  ConstArrayView input_;
};

}  // namespace

ResultPair resultPair(const RaceTrack& track, const RaceWish& race, const PairWish& wish, const Control& control) {
  return Pairing(track, race, wish, control).run();
}

}  // namespace sscope::compare
