#include "gpu/run/slab_copies.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gpu/device/slices.h"

namespace sscope {

SlabCopies::SlabCopies(DeviceRun& run, std::span<const Slot> outputs, std::span<const Slot> spare)
    : run_(run),
      denseInput_(denseSlices(run.inputs.arrays[0])),
      denseOutputs_(std::ranges::all_of(run.outputs, denseSlices<ArrayView>)),
      kernelBefore_(run.report.phases.kernel),
      uploadBefore_(run.report.phases.upload),
      downloadBefore_(run.report.phases.download),
      copies_(run.engine.device(), run.engine.transfer().pieces(), run.control) {
  for (const Slot slot : outputs) outputs_.push_back({slot});
  for (const Slot slot : spare) spare_.push_back({slot});
}

ResidentInput SlabCopies::wanted() const {
  const ConstArrayView& input = run_.inputs.arrays[0];
  return {run_.inputs.identity, {input.type, input.extent}};
}

void SlabCopies::upload(std::span<const std::vector<bool>> needed) {
  const ConstArrayView& input = run_.inputs.arrays[0];
  const bool stays = run_.inputs.identity != 0;
  if (!denseInput_) {
    run_.upload();
    return;
  }
  if (stays && run_.engine.workspace().resident == wanted()) return;
  run_.engine.workspace().resident.reset();
  std::vector<bool> asked(static_cast<std::size_t>(input.extent[2]));
  std::vector<std::int64_t> slices;
  const auto collect = [&](auto&& take) {
    slices.clear();
    for (std::size_t z = 0; z < asked.size(); ++z) {
      if (asked[z] || !take(z)) continue;
      asked[z] = true;
      slices.push_back(static_cast<std::int64_t>(z));
    }
  };
  std::optional<std::size_t> last;
  for (const std::vector<bool>& slab : needed) {
    collect([&](std::size_t z) { return slab[z]; });
    if (!slices.empty()) last = copyUp(slices);
    uploads_.push_back(last);
  }
  collect([&](std::size_t) { return stays; });
  copyUp(slices);
}

std::size_t SlabCopies::copyUp(std::span<const std::int64_t> slices) {
  const ConstArrayView& input = run_.inputs.arrays[0];
  std::size_t last = 0;
  forEachRun(input, slices, [&](std::int64_t first, std::span<const std::byte> bytes) {
    last = copies_.upload(run_.engine.workspace().at(kInput),
                          slices[static_cast<std::size_t>(first)] * sliceBytes(input), bytes);
  });
  return last;
}

void SlabCopies::waitForInput(std::size_t slab) {
  if (slab < uploads_.size() && uploads_[slab]) copies_.waitForUpload(*uploads_[slab]);
}

void SlabCopies::renewOutput(std::size_t from) {
  Target& output = outputs_[from];
  if (!spare_.empty()) {
    Target& other = spare_[std::exchange(next_, (next_ + 1) % spare_.size())];
    run_.engine.workspace().exchange(output.slot, other.slot);
    std::swap(output.read, other.read);
  }
  if (output.read) copies_.waitForDownload(*output.read);
  output.read.reset();
}

void SlabCopies::download(std::size_t from, std::size_t output, std::int64_t first, std::int64_t count) {
  Target& target = outputs_[from];
  const ArrayView& to = run_.outputs[output];
  if (!denseOutputs_) {
    run_.downloadSlices(target.slot, output, first, count);
    return;
  }
  std::vector<std::int64_t> slices(static_cast<std::size_t>(count));
  std::iota(slices.begin(), slices.end(), first);
  forEachRun(to, slices, [&](std::int64_t place, std::span<std::byte> bytes) {
    target.read = copies_.download(run_.engine.workspace().at(target.slot), place * sliceBytes(to), bytes);
  });
}

void SlabCopies::finish() {
  copies_.waitForAll();
  if (denseInput_ && run_.inputs.identity != 0) run_.engine.workspace().resident = wanted();
  Phases& phases = run_.report.phases;
  phases.upload += copies_.uploadSeconds();
  phases.download += copies_.downloadSeconds();
  if (run_.trace != nullptr) {
    const double up = run_.trace->now() - copies_.uploadClock(), down = run_.trace->now() - copies_.downloadClock();
    for (const Copies::Time& time : copies_.uploadTimes()) run_.trace->add("upload", up + time.begin, up + time.end);
    for (const Copies::Time& time : copies_.downloadTimes())
      run_.trace->add("download", down + time.begin, down + time.end);
  }
  const double sum = phases.upload - uploadBefore_ + phases.kernel - kernelBefore_ + phases.download - downloadBefore_;
  phases.overlap += std::max(0.0, sum - watch_.seconds());
}

}  // namespace sscope
