#pragma once
// sscope lattice: code that its commands share.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/program.h"
#include "core/lattice/configuration.h"
#include "core/lattice/job/lattice_solver.h"
#include "core/lattice/ranks/lattice_part.h"

namespace sscope::cli {

// X,Y,Z,T.
using Dims = std::vector<int>;
void addDimsOption(CLI::App& command, Dims& dims, const std::string& help, bool required);
[[nodiscard]] std::optional<lattice::Extents> extentsOf(const Dims& dims);

// The configuration's file.
struct ConfigurationChoice {
  std::string file;
  Dims dims;
  bool keepLinks = false, ignoreChecksum = false;
};
void addConfigurationOptions(CLI::App& command, ConfigurationChoice& choice);
// Adds --keep-links, for commands that compute with the links.
void addKeepLinksOption(CLI::App& command, ConfigurationChoice& choice);
[[nodiscard]] lattice::Configuration readConfiguration(Program& program, const ConfigurationChoice& choice);

// Wilson's operator, its source, and the engine.
struct WilsonChoice {
  lattice::WilsonParameters parameters;
  std::string source = "point";
  Dims at;                  // of the point; empty: the origin
  int color = 0, spin = 0;  // of the point
  std::uint64_t seed = 0;
  std::string engine, variant;
  int threads = 0;
};
void addWilsonOptions(CLI::App& command, WilsonChoice& choice);
// The site of a point source. Throws Error(Usage) if it is outside the lattice.
[[nodiscard]] std::int64_t siteOf(const lattice::Lattice& lattice, const WilsonChoice& choice);
// Throws Error(Usage) if a position is given for a source that is not a point.
[[nodiscard]] lattice::SpinorField sourceOf(const lattice::Lattice& lattice, const WilsonChoice& choice);

// A workshop with the operator, verified against the formula, and a solver. Throws Error(Device) if verification fails.
class WilsonBench {
 public:
  WilsonBench(Program& program, std::shared_ptr<const lattice::GaugeField> field, const WilsonChoice& choice,
              const lattice::SolverOptions& solver = {});
  [[nodiscard]] DiracOperator& dirac() { return solver_->dirac(); }
  [[nodiscard]] LatticeSolver& solver() { return *solver_; }
  [[nodiscard]] const Verification& verification() const { return verification_; }
  // engine, variant, threads, verified, rel_l2, applications, kernel_s.
  [[nodiscard]] nlohmann::json toJson() const;

 private:
  Workshop workshop_;
  std::unique_ptr<LatticeSolver> solver_;
  Verification verification_;
};

// "%.15g".
[[nodiscard]] std::string numberText(double value);
// Columns "name value" as text.
[[nodiscard]] std::string pairsText(const std::vector<std::pair<std::string, std::string>>& rows);

void addLatticeInfo(CLI::App& lattice, Program& program);
void addLatticeGenerate(CLI::App& lattice, Program& program);
void addLatticeFlow(CLI::App& lattice, Program& program);
void addLatticeField(CLI::App& lattice, Program& program);
void addLatticeConvert(CLI::App& lattice, Program& program);
void addLatticeDirac(CLI::App& lattice, Program& program);
void addLatticeSolve(CLI::App& lattice, Program& program);

// Where and in which format a configuration is written.

struct WriteChoice {
  std::string output, format;
  int precision = 64;
  bool twoRows = false;
};
void addWriteOptions(CLI::App& command, WriteChoice& choice);

// An output file, checked in advance.
class Target {
 public:
  Target(std::string output, const lattice::ConfigurationWriteOptions& options)
      : output_(std::move(output)), options_(options) {}
  // `provenance`: the origin of the field.
  void write(const lattice::GaugeField& field, const lattice::Provenance& provenance, const Control& control) const;

 private:
  std::string output_;
  lattice::ConfigurationWriteOptions options_;
};
// Throws Error(Io), Error(Usage) before any work is done.
[[nodiscard]] Target targetOf(Program& program, const WriteChoice& choice);

// Configurations that the first rank reads and distributes to all ranks.

// All ranks: runs `work` on the first rank alone, such as writing a file; its error is thrown on all.
void onFirstRank(Program& program, const std::function<void()>& work);

struct DealtField {
  lattice::LatticePart part;
  lattice::GaugeField links;  // of the part's own sites
};
// Called by all ranks. Throws, on all ranks, what reading throws, and as latticeParts().
[[nodiscard]] DealtField dealtConfiguration(Program& program, const ConfigurationChoice& configuration);

}  // namespace sscope::cli
