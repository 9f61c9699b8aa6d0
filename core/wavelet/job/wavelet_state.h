#pragma once
// The state that WaveletPipeline keeps between runs. Internal to this folder.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/resident_array.h"
#include "core/volume/volume.h"
#include "core/wavelet/job/wavelet_job.h"
#include "core/wavelet/job/wavelet_pictures.h"
#include "core/wavelet/shrinkage.h"
#include "core/wavelet/threshold.h"
#include "core/workload/workload.h"

namespace sscope {

[[nodiscard]] inline bool magic(const WaveletJob& job) { return job.settings.transform == "magic"; }

[[nodiscard]] inline ThresholdMode ruleOf(const WaveletJob& job) {
  return parseThresholdMode(job.settings.rule).value_or(ThresholdMode::Soft);
}

[[nodiscard]] inline ShrinkageRule shrinkageOf(const WaveletJob& job) {
  return parseShrinkageRule(job.settings.shrinkage).value_or(ShrinkageRule::Sure);
}

// Of a verification: the reference is far slower than its work tells, and the window should rest soon.
inline constexpr double kVerifySeconds = 0.05;

struct WaveletPipeline::State {
  // A workload and its plan; the workload outlives the plan.
  struct Prepared {
    std::unique_ptr<Workload> workload;
    std::unique_ptr<Plan> plan;
    double seconds = 0;  // of preparing
  };
  struct Step {
    std::shared_ptr<Volume> output;
    RunReport report;
  };
  // The data after a threshold, where the engine computed them.
  struct Denoised {
    std::vector<double> thresholds;  // of the bands
    ThresholdMode mode = ThresholdMode::Soft;
    ResidentRun run;
  };

  const EngineSet& engines;
  const VariantTable& variants;
  // Results of the last job; empty if the job changed or failed.
  WaveletJob job{};
  std::shared_ptr<const Volume> samples{};
  bool finite = false;  // whether the samples are known to be, which denoising needs
  Prepared forward{}, backward{};
  std::shared_ptr<const Volume> coefficients{};  // before the threshold
  std::shared_ptr<const Volume> middle{};        // magic: the filtered source
  RunReport forwardReport{};
  // For an engine with memory of its own: the coefficients before the threshold, the last result, which may be larger
  // than the samples, the seconds of the latter, and the seconds of a preview on the processor; empty: unknown.
  VolumePool memory{};
  std::shared_ptr<ResidentArray> resident{};
  std::optional<Denoised> denoised{};
  std::optional<double> residentSeconds{}, previewSeconds{};
  double fresh = -1;  // seconds of a transform() that no run has reported yet; negative: none
  std::optional<PyramidStatistics> statistics{};
  std::vector<BandEnergy> energies{};                                    // before the threshold
  std::optional<std::pair<ShrinkageRule, ThresholdMode>> suggestedBy{};  // empty: nothing is suggested yet
  Shrinkage suggested{};
  std::shared_ptr<const Volume> backInput{}, backOutput{};  // of the last inverse transform
  std::optional<Verification> forwardVerified{};
  std::vector<double> roundTrip{};  // WaveletResult::measuredRoundTrip

  // Drops the last job's results, except for the samples.
  void forget();
  // Makes `now` the current job and keeps the results that it shares with the previous one.
  void adopt(const WaveletJob& now, const Control& control);
  [[nodiscard]] Pyramid layout() const;
  // The thresholds of all bands.
  [[nodiscard]] BandThresholds thresholds() const {
    return job.settings.automatic ? BandThresholds(suggested.thresholds) : BandThresholds(job.settings.threshold);
  }
  [[nodiscard]] double threshold() const {
    return job.settings.automatic ? suggested.finest() : job.settings.threshold;
  }
  // Throws Error(Unsupported) for a transform that this build does not have.
  static std::unique_ptr<Workload> workloadOf(const WaveletSettings& settings, const std::string& direction, int levels,
                                              const ArraySpec& input);
  Prepared prepare(const WaveletJob& now, const std::string& direction, int levels, const ArraySpec& input,
                   const Control& control);
  static Step execute(Prepared& prepared, const Volume& input, const Control& control);
  // Runs the forward transform; its output also stays on an engine with memory of its own.
  Step executeForward(const Control& control);
  // The inverse transform of the thresholded coefficients on the engine, whose result stays there; the last result if
  // nothing changed. Null if the coefficients are not on the engine.
  const Denoised* denoise(const Control& control);
  // The same in host memory. Empty if the coefficients are not on the engine.
  std::optional<Step> executeResident(const Control& control);
  // Whether the engine is the faster one for previews.
  [[nodiscard]] bool previewsThere() const;
  void prepareBackward(const Control& control);
  // Allocates the output.
  static std::shared_ptr<Volume> roomFor(const Prepared& prepared, const Volume& input);
  static RunReport executeInto(Volume& output, Prepared& prepared, const Volume& input, const Control& control);
  // Compares with the reference.
  static Verification verified(const Prepared& prepared, const Volume& input, const Volume& output,
                               const Control& control);
  // The reverse direction of the magic filter, after transform().
  std::shared_ptr<WaveletResult> runMagic(const Control& control);
  std::vector<double> probe(const WaveletJob& now, const std::string& there, const std::string& back,
                            const Control& control);
};

}  // namespace sscope
