#pragma once
// Where and how the commands of sscope lattice write a configuration.

#include <string>

#include "app/cli/program.h"
#include "core/lattice/configuration.h"

namespace sscope::cli {

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

}  // namespace sscope::cli
