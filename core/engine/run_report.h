#pragma once
// What one run cost, and which engine and variant really computed it.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/workload/workload.h"

namespace sscope {

// Seconds of each phase: of copies, in which some were asked for and not finished. `total` is wall time from call to
// result. It may exceed what the phases take together, and is less than their sum where they overlap.
struct Phases {
  double compile = 0;  // in the first run of a plan; 0 in later ones
  double upload = 0;
  double kernel = 0;  // on devices by their own clock
  double download = 0;
  double overlap =
      0;  // by which uploads, kernels and downloads are shorter together than their sum, as they ran at once
  double total = 0;

  // What uploads, kernels and downloads take of the wall time.
  [[nodiscard]] double together() const { return upload + kernel + download - overlap; }

  // Of runs one after the other.
  Phases& operator+=(const Phases& next) {
    compile += next.compile;
    upload += next.upload;
    kernel += next.kernel;
    download += next.download;
    overlap += next.overlap;
    total += next.total;
    return *this;
  }
};

struct RunReport {
  std::string engine;   // the one that ran: "cpu:avx512"
  std::string variant;  // "separable"; of a bank also "dense+separable"
  std::string why;      // how the variant was chosen, or why the requested one was not used; may be empty
  std::optional<Precision> precision;  // of the arithmetic, where it is not the workload's
  bool writtenOut = false;             // each filter was one sum over its whole box of taps (Workload::writtenOut)
  int threads = 1;
  Phases phases;
  double emptying = 0;    // seconds of the wall time that went into emptying caches (PrepareOptions::emptyCaches)
  double operations = 0;  // counted work (Workload::work or workAs)
  double executedOperations = 0;  // operations the variant really executes if that differs; else 0
  double bytes = 0;               // each input read once and each output written once
  double predictedSeconds = 0;    // of the work, without transfers; 0: no prediction
  // Details of the launch, by name: "registers", "occupancy", "tiling factor".
  std::map<std::string, double> launch;
  int tiles = 1;                        // pieces along z that the run was split into to fit the device's memory
  std::vector<std::int64_t> saturated;  // for each output: elements clamped to the range of its type
};

// Adds the run of one more part of a result to those before it. `share`, 0..1: of what the run computed, the part's own
// results; the rest is the halo around them. `bytes`: the part's own, as the input and the taps are counted once.
void addPart(RunReport& sum, const RunReport& part, double bytes, double share = 1);

}  // namespace sscope
