#include "core/compare/contract.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/words.h"
#include "core/compare/whole_result.h"
#include "core/measure/accepted_error.h"
#include "core/volume/element_type.h"

namespace sscope::compare {

namespace {

using At = std::array<std::int64_t, 4>;

constexpr const char* kNoiseName = "noise";
constexpr std::uint64_t kNoiseSeed = 7, kOtherSeed = 70001;
constexpr std::array<std::int64_t, 3> kProbeExtent{37, 31, 23};
// Scales of noise for floats: squares of the large one overflow in single precision, those of the small one vanish.
constexpr double kLarge = 1e30, kSmall = 1e-30;

bool middle(const ArraySpec& spec, const At& at) {
  return at[0] == spec.extent[0] / 2 && at[1] == spec.extent[1] / 2 && at[2] == spec.extent[2] / 2;
}

// Noise 0..1 by position, the same on every machine.
double noiseAt(const ArraySpec& spec, const At& at, std::uint64_t seed = kNoiseSeed) {
  const auto place =
      static_cast<std::uint64_t>(at[3] + spec.extent[3] * (at[0] + spec.extent[0] * (at[1] + spec.extent[1] * at[2])));
  std::uint64_t bits = (place + seed) * 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 31)) * 0xbf58476d1ce4e5b9;
  return static_cast<double>((bits ^ (bits >> 29)) >> 40) * 0x1p-24;
}

// A share 0..1 of the type's range; for floats the share itself.
double scaled(const ArraySpec& spec, double share) {
  if (!isInteger(spec.type)) return share;
  return lowestOf(spec.type) + std::floor(share * (highestOf(spec.type) - lowestOf(spec.type)));
}

double rampAt(const ArraySpec& spec, const At& at) {
  const auto value = static_cast<double>(at[0] + 2 * at[1] + 3 * at[2]);
  const auto most = static_cast<double>(spec.extent[0] + 2 * spec.extent[1] + 3 * spec.extent[2]);
  return isInteger(spec.type) ? scaled(spec, value / most) : value;
}

// Runs one probe and finds the worst element where it fails.
ProbeOutcome outcomeOf(const RaceTrack& track, const Workload& workload, const Probe& probe, const Volume& data,
                       const BenchRow& contender, int threads, std::string& lane, const Control& control) {
  ProbeOutcome outcome;
  outcome.probe = probe.name;
  const ConstArrayView input = data.view();
  const WholeResult result = wholeResult(track, workload, input, contender, threads, control);
  lane = laneName(contender, result.report.variant);
  const Verification found = fullVerification(track, workload, input, contender, result, control);
  if (found.verified || found.undecided) return outcome;
  outcome.failure = found.failure;
  for (std::size_t index = 0; index < result.outputs.size(); ++index) {
    const Volume wanted = referenceResult(workload, {&input, 1}, index, control);
    const Agreement agreement = agreementOf(result.outputs[index].view(), wanted.view(), control);
    if (!agreement.worst || (outcome.worst && !(agreement.worst->ulps > outcome.worst->ulps))) continue;
    outcome.worst = agreement.worst;
    outcome.output = index;
  }
  return outcome;
}

// Whether two runs give the same bits.
ProbeOutcome repeated(const RaceTrack& track, const Workload& workload, const Volume& data, const BenchRow& contender,
                      int threads, const Control& control) {
  ProbeOutcome outcome;
  outcome.probe = kRepeatProbe;
  const ConstArrayView input = data.view();
  const WholeResult once = wholeResult(track, workload, input, contender, threads, control);
  const WholeResult again = wholeResult(track, workload, input, contender, threads, control);
  for (std::size_t index = 0; index < once.outputs.size(); ++index) {
    const Agreement agreement = agreementOf(again.outputs[index].view(), once.outputs[index].view(), control);
    if (!agreement.worst) continue;
    outcome.failure = "two runs differ";
    outcome.worst = agreement.worst;
    outcome.output = index;
  }
  return outcome;
}

// <A x, y> = <x, A^T y> of a linear filter and its adjoint, each computed by the contender.
class AdjointProbe {
 public:
  AdjointProbe(const RaceTrack& track, const Workload& workload, const Volume& data, const BenchRow& contender,
               int threads, const Control& control)
      : track_(track), workload_(workload), data_(data), contender_(contender), threads_(threads), control_(control) {}

  [[nodiscard]] ProbeOutcome outcome(const MakeAdjoint& adjointOf) const {
    ProbeOutcome outcome;
    outcome.probe = kAdjointProbe;
    const EngineKind kind = track_.engines.at(contender_.engine).info().kind;
    if (track_.variants.at(workload_.name(), kind, contender_.variant).lower) {
      outcome.without = "it has a lower precision and is judged as a whole";
      return outcome;
    }
    const WholeResult whole = wholeResult(track_, workload_, data_.view(), contender_, threads_, control_);
    std::size_t compared = 0;
    for (std::size_t index = 0; index < whole.outputs.size() && outcome.failure.empty(); ++index) {
      const Adjoint adjoint = adjointOf ? adjointOf(workload_, index) : Adjoint{nullptr, "no adjoint is known"};
      if (!adjoint.workload) {
        outcome.without = adjoint.reason;
        continue;
      }
      ++compared;
      outcome.output = index;
      outcome.failure = difference(whole, index, *adjoint.workload);
    }
    // Where only some of the bank's filters have one, the outcome says so.
    if (compared > 0) outcome.without.clear();
    return outcome;
  }

 private:
  // Two sums that should be equal, and the error that rounding may cause.
  struct Product {
    double sum = 0, accepted = 0;
  };

  // <result, other>, where the result is `workload` of `input`.
  [[nodiscard]] Product product(const Workload& workload, const Volume& input, std::size_t index, const Volume& result,
                                const Volume& other, const RunReport& report) const {
    const ConstArrayView view = input.view();
    const std::array<std::int64_t, 4> extent = workload.outputs().at(index).extent;
    VerifyOptions judged;
    judged.writtenOut = report.writtenOut;
    const std::vector<double> accepted =
        acceptedErrors(workload, {&view, 1}, index, {{0, 0, 0}, {extent[0], extent[1], extent[2]}}, judged, control_);
    Product product;
    std::size_t i = 0;
    for (std::int64_t z = 0; z < extent[2]; ++z)
      for (std::int64_t y = 0; y < extent[1]; ++y)
        for (std::int64_t x = 0; x < extent[0]; ++x)
          for (std::int64_t c = 0; c < extent[3]; ++c, ++i) {
            const double factor = other.value(x, y, z, static_cast<int>(c));
            product.sum += result.value(x, y, z, static_cast<int>(c)) * factor;
            product.accepted += accepted[i] * std::abs(factor);
          }
    return product;
  }

  // Empty: they are equal within rounding.
  [[nodiscard]] std::string difference(const WholeResult& whole, std::size_t index, const Workload& adjoint) const {
    const Probe other{"", "", [](const ArraySpec& spec, const At& at) {
                        return 2 * noiseAt(spec, at, kOtherSeed) - 1;  // of both signs, so that errors do not cancel
                      }};
    const Volume y = probeVolume(other, adjoint.inputs().front());
    const WholeResult back = wholeResult(track_, adjoint, y.view(), contender_, threads_, control_);
    const Product there = product(workload_, data_, index, whole.outputs[index], y, whole.report);
    const Product here = product(adjoint, y, 0, back.outputs.front(), data_, back.report);
    const double distance = std::abs(there.sum - here.sum), accepted = there.accepted + here.accepted;
    if (distance <= accepted) return {};
    return fmt::format("<A x, y> is {:.9g} and <x, A^T y> is {:.9g}; rounding explains a difference of {:.3g}",
                       there.sum, here.sum, accepted);
  }

  const RaceTrack& track_;
  const Workload& workload_;
  const Volume& data_;
  const BenchRow& contender_;
  int threads_;
  const Control& control_;
};

template <class Run>
ProbeOutcome tried(const std::string& name, const Run& run) {
  try {
    return run();
  } catch (const Canceled&) {
    throw;
  } catch (const Error& error) {
    ProbeOutcome outcome;
    outcome.probe = name;
    (error.kind() == ErrorKind::Device ? outcome.failure : outcome.reason) = error.what();
    return outcome;
  } catch (const std::exception& error) {
    ProbeOutcome outcome;
    outcome.probe = name;
    outcome.failure = wordsOf(error);
    return outcome;
  }
}

bool fits(const MakeWorkload& make, const ArraySpec& spec) {
  try {
    return make(spec) != nullptr;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Usage) return false;
    throw;
  }
}

}  // namespace

std::vector<Probe> probesFor(ElementType type) {
  const auto high = [](const ArraySpec& spec) { return isInteger(spec.type) ? highestOf(spec.type) : 1.0; };
  const auto low = [](const ArraySpec& spec) { return isInteger(spec.type) ? lowestOf(spec.type) : -1.0; };
  std::vector<Probe> probes{
      {"impulse", "one voxel in the middle: the filter itself, mirrored",
       [=](const ArraySpec& spec, const At& at) { return middle(spec, at) ? high(spec) : 0.0; }},
      {"corner", "one voxel in the first corner: what boundaries do",
       [=](const ArraySpec& spec, const At& at) { return at[0] + at[1] + at[2] == 0 ? high(spec) : 0.0; }},
      {"last corner", "one voxel in the last corner",
       [=](const ArraySpec& spec, const At& at) {
         const auto last = [&](std::size_t axis) { return at[axis] == spec.extent[axis] - 1; };
         return last(0) && last(1) && last(2) ? high(spec) : 0.0;
       }},
      {"constant", "the same everywhere: the sum of weights, and what zero boundaries take away",
       [=](const ArraySpec& spec, const At&) { return high(spec); }},
      {"ramp", "linear along all axes: derivatives and shifts", rampAt},
      {"checkerboard", "from voxel to voxel between two extremes: the highest frequency, and saturation",
       [=](const ArraySpec& spec, const At& at) { return (at[0] + at[1] + at[2]) % 2 == 0 ? high(spec) : low(spec); }},
      {kNoiseName, "everything at once",
       [](const ArraySpec& spec, const At& at) { return scaled(spec, noiseAt(spec, at)); }},
  };
  if (isInteger(type)) return probes;
  probes.push_back({"large", "noise of 1e30: squares overflow in single precision",
                    [](const ArraySpec& spec, const At& at) { return kLarge * noiseAt(spec, at); }});
  probes.push_back({"small", "noise of 1e-30: squares vanish in single precision",
                    [](const ArraySpec& spec, const At& at) { return kSmall * noiseAt(spec, at); }});
  probes.push_back({"NaN", "one NaN in noise: it spreads as far as the filter reaches, and no farther",
                    [](const ArraySpec& spec, const At& at) {
                      return middle(spec, at) ? std::numeric_limits<double>::quiet_NaN() : noiseAt(spec, at);
                    }});
  return probes;
}

Volume probeVolume(const Probe& probe, const ArraySpec& spec) {
  Volume volume({spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])}, spec.type);
  const ArrayView view = volume.view();
  dispatch(spec.type, [&](auto tag) {
    using T = decltype(tag);
    bool saturated = false;
    At at{};
    for (at[2] = 0; at[2] < spec.extent[2]; ++at[2])
      for (at[1] = 0; at[1] < spec.extent[1]; ++at[1])
        for (at[0] = 0; at[0] < spec.extent[0]; ++at[0])
          for (at[3] = 0; at[3] < spec.extent[3]; ++at[3])
            view.as<T>()[view.offset(at[0], at[1], at[2], at[3])] = roundSaturate<T>(probe.value(spec, at), saturated);
  });
  return volume;
}

bool LaneContract::kept() const {
  return std::ranges::all_of(outcomes,
                             [](const ProbeOutcome& each) { return each.failure.empty() && each.reason.empty(); });
}

std::vector<ProbeTitle> probeTitles(const Contract& contract) {
  std::vector<ProbeTitle> titles;
  for (const Probe& probe : contract.probes) titles.push_back({probe.name, probe.shows});
  titles.push_back({kAdjointProbe, "noise x and y: <A x, y> = <x, A^T y> of linear filters, with mirrored taps"});
  titles.push_back({kRepeatProbe, "the same noise twice: the same bits"});
  return titles;
}

ArraySpec probeSpec(const MakeWorkload& make, const ArraySpec& whole) {
  ArraySpec spec = whole;
  for (std::size_t axis = 0; axis < 3; ++axis) spec.extent[axis] = std::min(whole.extent[axis], kProbeExtent[axis]);
  if (fits(make, spec)) return spec;
  // Some computations need multiples of powers of two, or extents that follow from others.
  spec = whole;
  for (ArraySpec half = whole;; spec = half) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (half.extent[axis] % 2 == 0 && half.extent[axis] / 2 >= kProbeExtent[axis] / 2) half.extent[axis] /= 2;
    if (half == spec || !fits(make, half)) return spec;
  }
}

Contract probed(const RaceTrack& track, const MakeWorkload& make, const MakeAdjoint& adjoint, const ArraySpec& whole,
                const std::vector<BenchRow>& contenders, int threads, const Control& control) {
  Contract contract{probeSpec(make, whole), probesFor(whole.type), {}};
  const std::unique_ptr<Workload> workload = make(contract.spec);
  std::vector<Volume> data;
  for (const Probe& probe : contract.probes) data.push_back(probeVolume(probe, contract.spec));
  const auto isNoise = [](const Probe& probe) { return probe.name == kNoiseName; };
  const Volume& noise = data[static_cast<std::size_t>(
      std::distance(contract.probes.begin(), std::ranges::find_if(contract.probes, isNoise)))];
  const Control quiet{control.stop, {}};
  const std::vector<ProbeTitle> titles = probeTitles(contract);
  const auto steps = static_cast<double>(contenders.size() * titles.size());
  double step = 0;
  for (const BenchRow& contender : contenders) {
    LaneContract lane{laneName(contender, ""), {}};
    for (std::size_t i = 0; i < titles.size(); ++i) {
      control.check();
      const std::string& name = titles[i].name;
      control.report(step++ / steps, contender.engine + ", " + name);
      lane.outcomes.push_back(tried(name, [&] {
        if (name == kRepeatProbe) return repeated(track, *workload, noise, contender, threads, quiet);
        if (name == kAdjointProbe)
          return AdjointProbe(track, *workload, noise, contender, threads, quiet).outcome(adjoint);
        return outcomeOf(track, *workload, contract.probes[i], data[i], contender, threads, lane.lane, quiet);
      }));
      if (!lane.outcomes.back().reason.empty()) break;  // it cannot run this case at all
    }
    contract.lanes.push_back(std::move(lane));
  }
  return contract;
}

}  // namespace sscope::compare
