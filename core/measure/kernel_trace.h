#pragma once
// When each kernel of a run started and ended: shares of the time, and a timeline (figures 9 and 10 of A. Cassagne et
// al., Portage d'un code de lattice QCD sur GPU, 2013). Traced runs are never used for timing: recording every kernel
// takes time.

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace sscope {

// One launch on a device, or one loop over all sites on the processor.
struct KernelSpan {
  std::string kernel;  // "xaxpy"
  double start = 0;    // seconds since the first span's start, by the device's clock
  double end = 0;
  int iteration = 0;  // 0: before the first one
};

// In the order in which they started.
struct KernelTrace {
  std::vector<KernelSpan> spans;
};

struct KernelShare {
  std::string kernel;
  std::size_t launches = 0;
  double seconds = 0;
  double share = 0;  // of the sum over all kernels, 0..1
};

// Largest first; equal ones in the order in which they started.
[[nodiscard]] std::vector<KernelShare> kernelShares(const KernelTrace& trace);
// The shares as a text table: kernel, launches, milliseconds, percent.
[[nodiscard]] std::string sharesTable(const KernelTrace& trace);

// A named trace in a file of traces; the viewer shows each as a process.
struct NamedTrace {
  std::string name;  // "cuda:0 tuned"
  KernelTrace trace;
};
// Chrome's trace format, which Perfetto and chrome://tracing open: a row of kernels and a row of iterations for each
// trace.
[[nodiscard]] nlohmann::json chromeTrace(const std::vector<NamedTrace>& traces);

}  // namespace sscope
