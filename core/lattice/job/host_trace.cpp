#include "core/lattice/job/host_trace.h"

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

template <class Work>
void HostTrace::bookEngine(const char* kernel, const RunReport& report, const Work& work) {
  bookHost();
  const double start = last_;
  work();
  last_ = watch_.seconds();
  // The report has seconds, not times: upload first, download last, the kernel before that.
  const Phases& phases = report.phases;
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
}

lattice::WilsonSystem HostTrace::watch(lattice::WilsonSystem system, const RunReport& report) {
  using lattice::SpinorField;
  system.dirac = [this, dirac = std::move(system.dirac), &report](bool adjoint, const SpinorField& in, SpinorField& out,
                                                                  const Control& control) {
    bookEngine(adjoint ? "adjoint operator" : "operator", report, [&] { dirac(adjoint, in, out, control); });
  };
  if (system.hops)
    system.hops = [this, hop = std::move(system.hops), &report](const lattice::Hops& hops, const SpinorField& in,
                                                                SpinorField& out, const Control& control) {
      bookEngine(hops.parity == 0 ? "hops to even sites" : "hops to odd sites", report,
                 [&] { hop(hops, in, out, control); });
    };
  return system;
}

}  // namespace sscope
