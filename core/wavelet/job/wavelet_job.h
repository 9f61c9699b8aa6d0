#pragma once
// The computations of the Wavelet room: transform, threshold, inverse transform and the difference from the source; or
// the magic filter and its round trip. Results that did not change since the last run are reused.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/run_report.h"
#include "core/engine/variant.h"
#include "core/measure/verify.h"
#include "core/volume/volume.h"
#include "core/wavelet/job/wavelet_settings.h"
#include "core/wavelet/pyramid.h"
#include "core/workload/workload.h"

namespace sscope {

struct WaveletJob {
  std::shared_ptr<const Volume> input;
  std::uint64_t inputIdentity = 0;  // changes with the data, not with the settings; not 0
  int component = 0;
  WaveletSettings settings;
  std::string engine;                               // empty: the preferred one
  int threads = 0;                                  // CPU engines: 0 for all
  std::array<std::int64_t, 3> crosshair{0, 0, 0};   // where slices are previewed
  std::array<bool, 3> previewed{true, true, true};  // which: axial, coronal, sagittal
};

// The error of a volume relative to another.
struct VolumeError {
  double relativeL2 = 0;  // ||a - b||_2 / ||b||_2; 0 / 0 is 0
  double maximum = 0;     // max |a - b|
  double psnr = 0;        // 20 log10((max b - min b) / rms(a - b)), dB; infinite where they are equal
};

// A band of the pyramid before and after its threshold.
struct BandShare {
  PyramidBand band;
  std::int64_t coefficients = 0, kept = 0;  // kept: not zero
  double before = 0, after = 0;             // sums of squares
};

struct WaveletResult {
  // One component, f32 where that holds the data exactly, else f64; always f64 for magic. May be the input itself.
  std::shared_ptr<const Volume> source;
  // dwt: the reconstruction. magic: the filtered source. Type and extents of the source.
  std::shared_ptr<const Volume> result;
  // dwt: result - source. magic: forward and back - source. f32.
  std::shared_ptr<const Volume> difference;
  VolumeError error;  // of the same
  // dwt only: the pyramid after the threshold, coarsest in the corner; extents may exceed the source's.
  std::shared_ptr<const Volume> coefficients;
  std::shared_ptr<const Volume> pyramid;  // the same as a picture: pyramidPicture()
  Pyramid layout;                         // its bands and number of levels
  std::vector<BandShare> bands;           // as Pyramid::bands()
  double threshold = 0;                   // in use; of the finest diagonal band if each has its own
  double suggested = 0;                   // by the rule, from the noise in the finest details; for the same band
  std::string notice;                     // a remark on the thresholds; may be empty
  double largest = 0;                     // the largest magnitude of a detail
  // magic: |1 - H H*| of an impulse after a round trip on the engine, at equal steps from frequency 0 to half the
  // sampling rate, both included; empty if the variant cannot run a single line.
  std::vector<double> measuredRoundTrip;
  RunReport forward, inverse;  // magic: the requested direction and its reverse
  bool forwardReused = false;  // the coefficients were reused
  double seconds = 0;          // the whole run

  [[nodiscard]] double keptShare() const;  // of all coefficients, 0..1
};

// Preview slices of a run's result, each a volume: axial, coronal, sagittal; null if not requested. Images have only an
// axial one.
struct WaveletPreview {
  using Slices = std::array<std::shared_ptr<const Volume>, 3>;
  Slices result, difference;
  std::array<std::int64_t, 3> at{0, 0, 0};  // the axial slice is that of at[2] and so on
  Slices pyramid;
  std::array<std::int64_t, 3> pyramidAt{0, 0, 0};
  double seconds = 0;
};

// The largest number of levels for data of this shape; at least 1.
[[nodiscard]] int mostLevels(const VolumeShape& shape);

// Runs jobs and keeps samples, plans and coefficients of the last job for the next one. One run at a time.
class WaveletPipeline {
 public:
  WaveletPipeline(const EngineSet& engines, const VariantTable& variants);
  ~WaveletPipeline();
  WaveletPipeline(const WaveletPipeline&) = delete;
  WaveletPipeline& operator=(const WaveletPipeline&) = delete;

  // All of these throw Error(Usage, NotFound, Unsupported, Memory, Device) or Canceled; the next run is not affected.
  [[nodiscard]] std::shared_ptr<const WaveletResult> run(const WaveletJob& job, const Control& control);
  // The part of a run that does not depend on the threshold.
  void transform(const WaveletJob& job, const Control& control);
  // The slices at the crosshair after the threshold, a few milliseconds once the job has been transformed. Computed by
  // the processor, or by an engine with memory of its own that holds the coefficients and was faster the last time:
  // then it computes the whole, which stays on the engine, and only slices are copied. Null for magic.
  [[nodiscard]] std::shared_ptr<const WaveletPreview> preview(const WaveletJob& job, const Control& control);
  // Compares both directions of the last run with the reference; the worse of the two.
  [[nodiscard]] Verification verifyLast(const Control& control);
  // The first direction of `job`, for engines to race at. Keeps the results of a run of the same job.
  struct FirstDirection {
    std::shared_ptr<const Workload> workload;
    std::shared_ptr<const Volume> input;
  };
  [[nodiscard]] FirstDirection firstDirection(const WaveletJob& job, const Control& control);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Whether both have the same forward transform.
[[nodiscard]] bool sameForward(const WaveletJob& a, const WaveletJob& b);

}  // namespace sscope
