#pragma once
// Summaries of an array that its device computes: range, histogram, means of blocks (ResidentArray). Requires the
// engine's lock.

#include <vector>

#include "core/volume/histogram.h"
#include "core/volume/volume_brick.h"
#include "gpu/run/result_store.h"

namespace sscope {

class ArraySummary {
 public:
  // Requires the claim's buffer.
  ArraySummary(ResultStore& store, const ResultClaim& claim, const Control& control)
      : store_(store), claim_(claim), control_(control) {}

  [[nodiscard]] ValueRange range(const Box& box, int component) const;
  [[nodiscard]] std::vector<std::int64_t> counts(const Box& box, int component, const Bins& bins) const;
  [[nodiscard]] std::vector<float> means(const BrickBlocks& blocks) const;

 private:
  [[nodiscard]] Device& device() const;
  [[nodiscard]] std::int64_t items() const;
  // The precision of the arithmetic: double where the device has it.
  [[nodiscard]] Precision precision() const;
  [[nodiscard]] KernelArgument real(double value) const;
  [[nodiscard]] KernelSource sourceOf(const std::string& entry) const;
  [[nodiscard]] DeviceKernel& kernel(const std::string& entry, const std::vector<KernelArgument>& arguments) const;
  // Launches `groups` groups and waits until `bytes` bytes of gathered() are on the host.
  [[nodiscard]] std::span<const std::byte> launched(DeviceKernel& kernel, std::vector<KernelArgument> arguments,
                                                    std::int64_t groups, std::int64_t bytes) const;
  // Calls f(arguments that select lines, groups) for pieces of a box that are short enough to be canceled between.
  template <class F>
  void forLines(const Box& box, int component, F&& f) const;

  ResultStore& store_;
  const ResultClaim& claim_;
  const Control& control_;
};

}  // namespace sscope
