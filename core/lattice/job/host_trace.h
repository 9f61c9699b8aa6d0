#pragma once
// A timeline of a solver on the host: the operator's applications as reported by the engine, and the host's work
// between them.

#include <utility>

#include "core/base/stopwatch.h"
#include "core/lattice/solver.h"
#include "core/measure/kernel_trace.h"

namespace sscope {

struct RunReport;

class HostTrace {
 public:
  // The operator, with every application or hop recorded. `report` is that of the last application. Both arguments and
  // this object must outlive the result.
  [[nodiscard]] lattice::WilsonSystem watch(lattice::WilsonSystem system, const RunReport& report);
  // The iteration of the following spans.
  void setIteration(int iteration) { iteration_ = iteration; }
  // Records host work from the end of the last span until now.
  void bookHost();
  // Ignores the time since the last span, which was not the solver's.
  void skip() { last_ = watch_.seconds(); }
  [[nodiscard]] KernelTrace take() { return std::move(trace_); }
  // Whether spans were dropped because there were too many.
  [[nodiscard]] bool full() const { return full_; }

 private:
  // Records the host's work until now, and then `work`.
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
