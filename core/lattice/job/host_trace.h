#pragma once
// What a solver on the host does when: the operator's applications as their engine reports them, and what lies between
// them.

#include <utility>

#include "core/base/stopwatch.h"
#include "core/lattice/solver.h"
#include "core/measure/kernel_trace.h"

namespace sscope {

struct RunReport;

class HostTrace {
 public:
  // The operator with every application, or hops, booked. `report` is that of the last application; both outlive what
  // is returned, and so does this.
  [[nodiscard]] lattice::WilsonSystem watch(lattice::WilsonSystem system, const RunReport& report);
  // From here on spans belong to this iteration.
  void setIteration(int iteration) { iteration_ = iteration; }
  // Work on the host from the end of the last span until now.
  void bookHost();
  // What was done since the end of the last span is not the solver's.
  void skip() { last_ = watch_.seconds(); }
  [[nodiscard]] KernelTrace take() { return std::move(trace_); }
  // Spans beyond the most that are kept were left out.
  [[nodiscard]] bool full() const { return full_; }

 private:
  // Books the host's work until now, and what `work` does.
  template <class Work>
  void bookEngine(const char* kernel, const RunReport& report, const Work& work);
  void book(const char* kernel, double start, double end);

  Stopwatch watch_;
  KernelTrace trace_;
  double last_ = 0;  // where the last span ended
  int iteration_ = 0;
  bool full_ = false;
};

}  // namespace sscope
