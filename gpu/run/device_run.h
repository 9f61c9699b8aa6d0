#pragma once
// One run of a plan on its device: the engine is locked, and the buffers of its slots are there. Every function is a
// stage: it answers a stop request, leaves nothing under way whatever it throws, and adds its seconds to a phase of the
// report.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/engine/part_plan.h"
#include "core/engine/run_report.h"
#include "gpu/run/device_engine.h"
#include "gpu/run/kernel_stage.h"

namespace sscope {

using PhaseOfRun = double Phases::*;
// For what runs within timed(), which counts it.
inline constexpr PhaseOfRun kTimedAround = nullptr;

struct DeviceRun {
  DeviceEngine& engine;
  const Inputs& inputs;
  std::span<const ArrayView> outputs;
  const Control& control;
  RunReport& report;
  // Not empty: where each output is to stay; nothing is downloaded.
  std::span<const std::shared_ptr<ResultClaim>> kept{};
  bool cold = false;  // kernels begin with empty caches
  // Not null: the input is that of the whole, of which upload() takes these planes, and an output has the planes of the
  // part alone, which download() gives of all that were computed.
  const PartPlanes* planes = nullptr;
  RunTrace* trace = nullptr;  // may be null

  using Progress = std::function<void(double share)>;
  using KeepEvent = std::function<void(std::unique_ptr<DeviceEvent>)>;

  // Whether an input is on the device already, in its slot.
  [[nodiscard]] bool lent(std::size_t input) const {
    return !inputs.resident.empty() && inputs.resident[input] != nullptr;
  }

  // Tells shares of a stage as progress of the run between two shares of it.
  [[nodiscard]] Progress part(double from, double to, const char* words) const;

  // The first input, or these slices of it without gaps, to kInput. The whole of it stays there for later runs with the
  // same Inputs::identity, and costs them nothing; nor does one that was lent.
  void upload(PhaseOfRun phase = &Phases::upload);
  void upload(std::span<const std::int64_t> slices, PhaseOfRun phase = &Phases::upload);
  // Where the plan was asked for it (PrepareOptions::emptyCaches); counted in no phase. upload() does so at its end
  // unless it runs within timed().
  void emptyCaches();
  // In pieces short enough to be canceled between. `keep`, where not empty, gets the events of the pieces.
  void launch(const KernelStage& stage, PhaseOfRun phase = &Phases::kernel, const Progress& finished = {},
              const KeepEvent& keep = {});
  // All of them, which use AFTER_PREVIOUS, without the host in between; false, and nothing is done, where they take too
  // long for that or nobody knows yet.
  [[nodiscard]] bool launchInRow(std::span<const KernelStage> stages);
  // All of them so many times without the host in between; together they should take no longer than a piece. Gives the
  // seconds. `keep`, where not empty, gets the events in order.
  double launchRepeatedly(std::span<const KernelStage> stages, int times, const KeepEvent& keep);
  // An output, from byte `offset` of a slot on; or `count` slices of it, those from `first` on.
  void download(Slot from, std::size_t output, std::int64_t offset = 0, PhaseOfRun phase = &Phases::download);
  void downloadSlices(Slot from, std::size_t output, std::int64_t first, std::int64_t count);

  [[nodiscard]] bool keeps() const { return !kept.empty(); }
  // What is written to `from` from now on stays as an output. Only where the run keeps them.
  void leaveIn(Slot from, std::size_t output) const { engine.workspace().lend(from, kept[output]->buffer.get()); }

  // Own buffers; counted in no phase.
  void write(const OwnBuffer& buffer, std::span<const std::byte> data);
  void read(const OwnBuffer& buffer, std::span<std::byte> data);

  // What ends now, in the trace.
  void note(const std::string& what, double seconds) const {
    if (trace != nullptr) trace->addLast(what, seconds);
  }

  // Adds the wall time of `stages` to a phase.
  void timed(PhaseOfRun phase, const std::function<void()>& stages);
  // Runs `stages`, whose kernels add to `counters`, and gives the first `count` of these (u64). Null: zeros.
  [[nodiscard]] std::vector<std::int64_t> counted(const OwnBuffer& counters, std::size_t count,
                                                  const std::function<void()>& stages);
};

}  // namespace sscope
