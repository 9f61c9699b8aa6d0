#pragma once
// One run of a plan on its device: the engine is locked, and the buffers of its slots are there. Every function is a
// stage: it answers a stop request, leaves no command pending even if it throws, and adds its seconds to a phase of the
// report.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/engine/part_plan.h"
#include "core/engine/run_report.h"
#include "gpu/device/copies.h"
#include "gpu/run/device_engine.h"
#include "gpu/run/kernel_stage.h"

namespace sscope {

using PhaseOfRun = double Phases::*;
// For stages within timed(), which counts them.
inline constexpr PhaseOfRun kTimedAround = nullptr;

struct DeviceRun {
  DeviceEngine& engine;
  const Inputs& inputs;
  std::span<const ArrayView> outputs;
  const Control& control;
  RunReport& report;
  // Not empty: the buffers in which the outputs stay; nothing is downloaded.
  std::span<const std::shared_ptr<ResultClaim>> kept{};
  bool cold = false;  // kernels begin with empty caches
  // Not null: the input is that of the whole, of which upload() reads these planes; an output has only the part's
  // planes, which download() selects from the computed ones.
  const PartPlanes* planes = nullptr;
  RunTrace* trace = nullptr;  // may be null

  using Progress = std::function<void(double share)>;
  using KeepEvent = std::function<void(std::unique_ptr<DeviceEvent>)>;

  // Whether an input is on the device already, in its slot.
  [[nodiscard]] bool lent(std::size_t input) const {
    return !inputs.resident.empty() && inputs.resident[input] != nullptr;
  }

  // Reports shares of a stage as progress between two shares of the run.
  [[nodiscard]] Progress part(double from, double to, const char* words) const;

  // The first input, or these slices of it without gaps, to kInput. The whole of it stays there for later runs with the
  // same Inputs::identity, at no cost; neither does a lent input cost anything.
  void upload(PhaseOfRun phase = &Phases::upload);
  void upload(std::span<const std::int64_t> slices, PhaseOfRun phase = &Phases::upload);
  // Empties the caches if PrepareOptions::emptyCaches is set; counted in no phase. upload() does so at its end unless
  // it runs within timed().
  void emptyCaches();
  // Launches in pieces that are short enough to be canceled between. `keep`, if not empty, receives the events of the
  // pieces.
  void launch(const KernelStage& stage, PhaseOfRun phase = &Phases::kernel, const Progress& finished = {},
              const KeepEvent& keep = {});
  // Launches all of them, which use AFTER_PREVIOUS, without the host in between; false, without effect, if they take
  // too long for that or their time is unknown.
  [[nodiscard]] bool launchInRow(std::span<const KernelStage> stages);
  // Launches all of them this many times without the host in between; together they should take no longer than a piece.
  // Returns the seconds. `keep`, if not empty, receives the events in order.
  double launchRepeatedly(std::span<const KernelStage> stages, int times, const KeepEvent& keep);
  // Downloads an output from byte `offset` of a slot on, or `count` slices of it from `first` on.
  void download(Slot from, std::size_t output, std::int64_t offset = 0, PhaseOfRun phase = &Phases::download);
  void downloadSlices(Slot from, std::size_t output, std::int64_t first, std::int64_t count);

  [[nodiscard]] bool keeps() const { return !kept.empty(); }
  // Data written to `from` from now on stay as an output. Only if the run keeps outputs.
  void leaveIn(Slot from, std::size_t output) const { engine.workspace().lend(from, kept[output]->buffer.get()); }

  // Own buffers; counted in no phase.
  void write(const OwnBuffer& buffer, std::span<const std::byte> data);
  void read(const OwnBuffer& buffer, std::span<std::byte> data);

  // Records a span that ends now in the trace.
  void note(const std::string& what, double seconds) const {
    if (trace != nullptr) trace->addLast(what, seconds);
  }

  // Adds the wall time of `stages` to a phase.
  void timed(PhaseOfRun phase, const std::function<void()>& stages);
  // Runs `stages`, whose kernels add to `counters`, and returns the first `count` of these (u64). Null: zeros.
  [[nodiscard]] std::vector<std::int64_t> counted(const OwnBuffer& counters, std::size_t count,
                                                  const std::function<void()>& stages);
};

// The copies of a run that computes its outputs slab by slab along z, made while kernels run: slices of the input
// arrive in the order in which slabs need them, and a slab of results leaves while the next is computed into another
// buffer.

// For one run, by the thread that runs it. No command is pending after its destruction, even after an exception.
class SlabCopies {
 public:
  // kInput holds the whole first input of the run. Kernels write slabs to `outputs`, as many at once as there are
  // outputs that are computed together; `spare` slots of the same size replace their buffers in turn. If slices are not
  // dense in the host's memory, copies are not overlapped.
  SlabCopies(DeviceRun& run, std::span<const Slot> outputs, std::span<const Slot> spare);

  // Begins to copy the input unless it is there from an earlier run; `needed`: of each slab, by slice, whether it needs
  // the slice. Slices that no slab needs are copied only if the input is to stay.
  void upload(std::span<const std::vector<bool>> needed);
  // Waits until kernels may read the input of this slab.
  void waitForInput(std::size_t slab);
  // Puts a buffer that no copy reads into slot number `from` of the results; called before every slab of each output.
  void renewOutput(std::size_t from);
  // Begins to copy `count` slices from there into an output, from its slice `first` on.
  void download(std::size_t from, std::size_t output, std::int64_t first, std::int64_t count);
  // Waits for all copies, and counts them in the report.
  void finish();

 private:
  // A slot, and the copy that reads from its buffer.
  struct Target {
    Slot slot;
    std::optional<std::size_t> read{};
  };
  std::size_t copyUp(std::span<const std::int64_t> slices);
  [[nodiscard]] ResidentInput wanted() const;

  DeviceRun& run_;
  Stopwatch watch_;
  const bool denseInput_, denseOutputs_;
  const double kernelBefore_, uploadBefore_, downloadBefore_;
  std::vector<Target> outputs_, spare_;
  std::size_t next_ = 0;                             // of spare_
  std::vector<std::optional<std::size_t>> uploads_;  // of each slab the last; empty: the input is there
  Copies copies_;
};

}  // namespace sscope
