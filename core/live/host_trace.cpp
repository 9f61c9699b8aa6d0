#include "core/live/host_trace.h"

#include <algorithm>
#include <utility>

#include "core/engine/run_report.h"

namespace sscope {

namespace {
constexpr std::size_t kMostSpans = 200'000;
}

void HostTrace::book(const char* kernel, double start, double end) {
  if (trace_.spans.size() >= kMostSpans) {
    full_ = true;
    return;
  }
  trace_.spans.push_back({kernel, start, end, iteration_});
}

void HostTrace::bookHost() {
  const double now = watch_.seconds();
  book("vectors (host)", last_, now);
  last_ = now;
}

lattice::ApplyDirac HostTrace::watch(lattice::ApplyDirac dirac, const RunReport& report) {
  return [this, dirac = std::move(dirac), &report](bool adjoint, const lattice::SpinorField& in,
                                                   lattice::SpinorField& out, const Control& control) {
    bookHost();
    const double start = last_;
    dirac(adjoint, in, out, control);
    last_ = watch_.seconds();
    // The report has seconds, not times: upload first, download last, the kernel before that.
    const Phases& phases = report.phases;
    const char* kernel = adjoint ? "adjoint operator" : "operator";
    if (phases.upload <= 0 && phases.download <= 0) {
      book(kernel, start, last_);
      return;
    }
    const double uploaded = std::min(start + phases.upload, last_);
    const double computed = std::max(uploaded, last_ - phases.download);
    const double began = std::max(uploaded, computed - phases.kernel);
    book("upload", start, uploaded);
    if (began > uploaded) book("driver", uploaded, began);
    book(kernel, began, computed);
    book("download", computed, last_);
  };
}

}  // namespace sscope
