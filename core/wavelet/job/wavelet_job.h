#pragma once
// What the Wavelet room computes: transform, threshold, back, and how far the result is from the source; or the magic
// filter and its round trip. What did not change since the last run is not computed again.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/run_report.h"
#include "core/engine/variant.h"
#include "core/live/engine_turns.h"
#include "core/measure/verify.h"
#include "core/volume/volume.h"
#include "core/wavelet/job/wavelet_settings.h"
#include "core/wavelet/pyramid.h"

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

// How far a volume is from the one it should equal.
struct VolumeError {
  double relativeL2 = 0;  // ||a - b||_2 / ||b||_2; 0 / 0 is 0
  double maximum = 0;     // max |a - b|
  double psnr = 0;        // 20 log10((max b - min b) / rms(a - b)), dB; infinite where they are equal
};

// One band of the pyramid, and what its threshold left of it.
struct BandShare {
  PyramidBand band;
  std::int64_t coefficients = 0, kept = 0;  // kept: not zero
  double before = 0, after = 0;             // sums of squares
};

struct WaveletResult {
  // One component, f32 where that holds the data exactly, else f64; always f64 for magic. May be the input itself.
  std::shared_ptr<const Volume> source;
  // dwt: the reconstruction. magic: what the filter made. Type and extents of the source.
  std::shared_ptr<const Volume> result;
  // dwt: result - source. magic: forward and back - source. f32.
  std::shared_ptr<const Volume> difference;
  VolumeError error;  // of the same
  // dwt only: the pyramid after the threshold, coarsest in the corner; extents may exceed the source's.
  std::shared_ptr<const Volume> coefficients;
  std::shared_ptr<const Volume> pyramid;  // the same for the eye: pyramidPicture()
  Pyramid layout;                         // where its bands lie, and how many levels are in use
  std::vector<BandShare> bands;           // as Pyramid::bands()
  double threshold = 0;                   // in use; of the finest diagonal band where each has its own
  double suggested = 0;                   // by the rule, from the noise of the finest details; of the same band
  double largest = 0;                     // the largest magnitude of a detail
  // magic: |1 - H H*| of an impulse that went there and back on the engine, at equal steps from frequency 0 to half the
  // sampling rate, both included; empty where the variant takes no single line.
  std::vector<double> measuredRoundTrip;
  RunReport forward, inverse;  // magic: the direction that was asked for, and the way back
  bool forwardReused = false;  // the coefficients were there already
  double seconds = 0;          // the whole run

  [[nodiscard]] double keptShare() const;  // of all coefficients, 0..1
};

// Slices of what a run will give, each a volume; axial, coronal, sagittal; null where none was asked for.
// Images have an axial one only.
struct WaveletPreview {
  using Slices = std::array<std::shared_ptr<const Volume>, 3>;
  Slices result, difference;
  std::array<std::int64_t, 3> at{0, 0, 0};  // the axial slice is that of at[2] and so on
  Slices pyramid;
  std::array<std::int64_t, 3> pyramidAt{0, 0, 0};
  double seconds = 0;
};

// The most levels that data of this shape have; at least 1.
[[nodiscard]] int mostLevels(const VolumeShape& shape);

// Keeps samples, plans and coefficients of the last job for the next one. One run at a time.
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
  // The slices at the crosshair after the threshold, by the processor whatever the engine: a few milliseconds where
  // the job has been transformed. Null for magic.
  [[nodiscard]] std::shared_ptr<const WaveletPreview> preview(const WaveletJob& job, const Control& control);
  // Compares both directions of the last run with the reference; the worse of the two.
  [[nodiscard]] Verification verifyLast(const Control& control);
  // The first direction of `job`, to be timed on several engines in turns; its output, which they share, is dropped. To
  // be used before the next run. What a run of the same job has made stays.
  [[nodiscard]] EngineTurns::Prepare preparing(const WaveletJob& job, const Control& control);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Do the two differ only in what comes after the forward transform?
[[nodiscard]] bool sameForward(const WaveletJob& a, const WaveletJob& b);

}  // namespace sscope
