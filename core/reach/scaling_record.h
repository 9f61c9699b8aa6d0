#pragma once
// What `sscope-mpi bench --scaling` wrote, read again: times of the same work on more and more ranks, or of as much for
// each of them, and what a model predicts of more.

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace sscope::reach {

struct ScalingRecord {
  struct Point {
    int ranks = 1;
    int devices = 0;  // that the ranks shared; 0: they computed on processors
    double seconds = 0;
    std::array<double, 2> quartiles{};  // seconds
    double operations = 0;              // of all ranks together, in one run
    double copyGbs = 0;                 // what all ranks copy at once, GB/s; 0: not measured
  };
  // Of the model, which was not measured.
  struct Predicted {
    int ranks = 1;
    double seconds = 0;
    double measured = 0;  // seconds; 0: beyond what was measured
    [[nodiscard]] double error() const { return seconds / measured - 1; }
  };

  std::string workload;  // "magic"
  std::string title;     // with extents
  std::string date;      // UTC, "2026-03-01T12:00:00Z"
  std::string cpu;       // of the first rank's machine
  int machines = 1;
  std::string engine, variant;
  int threads = 1;               // of a rank
  bool weak = false;             // as much work for each rank
  std::vector<Point> points;     // by ranks, ascending; at least one
  std::vector<Predicted> model;  // by ranks, ascending

  // Over the first point, as core/reach/scaling.h has it: of as much work.
  [[nodiscard]] double speedUp(int ranks, double seconds) const;
  // 0..1, and more where caches help.
  [[nodiscard]] double efficiency(int ranks, double seconds) const;
};

// Schema "stencilscope.scaling/1". `name` is the file's, for errors. Speed-ups are computed from the times, never read.
// Throws Error(BadData, Unsupported) in one sentence.
[[nodiscard]] ScalingRecord parseScaling(const nlohmann::json& document, const std::string& name);
// Throws what that throws, and Error(NotFound, Io).
[[nodiscard]] ScalingRecord readScaling(const std::filesystem::path& path);

}  // namespace sscope::reach
