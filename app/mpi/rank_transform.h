#pragma once
// What sscope-mpi magic and dwt share: a file of real numbers in, one out, each rank with planes of both.

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/program.h"
#include "app/cli/wavelet/transform_command.h"
#include "app/mpi/rank_files.h"
#include "core/base/stopwatch.h"
#include "core/cpu/run/threads.h"
#include "core/parts/partition.h"
#include "core/volume/losses.h"
#include "core/wavelet/job/transform_job.h"

namespace sscope::mpi {

struct TransformArguments {
  std::string input, output, json;
  EngineChoice where;
};

// IN, -o, --engine, --variant, --threads, --verify, --json.
void addTransformOptions(CLI::App& command, TransformArguments& options);

class RankTransform {
 public:
  // Every rank: engines, and the file. `workload`: whose variants there are. `others`: files that are read as well.
  // Throws, on all ranks, what opening throws, Error(Usage) for engines and variants that do not exist.
  RankTransform(cli::Program& program, const TransformArguments& options, const std::string& workload,
                const std::vector<std::string>& others = {});

  [[nodiscard]] reach::Communicator& ranks() const { return program_.ranks; }
  [[nodiscard]] RankInput& input() { return *input_; }
  [[nodiscard]] const VolumeInfo& info() const { return input_->info(); }
  // What is written beside the voxels: that of the input, until it is changed, alike on all ranks.
  [[nodiscard]] Metadata& metadata() { return metadata_; }
  // Of one component, as it is computed with.
  [[nodiscard]] ArraySpec spec(ElementType type) const;
  // What changes the values, for what the output says of how it was made.
  void setRecipe(cli::TransformRecipe recipe) { recipe_ = std::move(recipe); }
  // Every rank: throws what makes the output impossible, before anything is computed.
  void checkOutput(const VolumeShape& shape, ElementType type);

  // The planes of the file at these places, one after the other, as real numbers of this type; any number of times.
  [[nodiscard]] Volume planesAt(const std::vector<std::int64_t>& places, ElementType type, const Control& control);
  // The workload on this rank's array, with its engine.
  [[nodiscard]] TransformResult run(const Workload& workload, const Volume& input, const Control& control);

  // Every rank: the file of these extents, to whose planes from `begin` on this rank writes those of a volume.
  // `result`: of this rank.
  void write(const VolumeShape& shape, const TransformResult& result, const Volume& volume, const Range& planes,
             std::int64_t begin, const Control& control);
  // Every rank: the line in the end, and the report with the common entries added. `result`: of this rank.
  void tell(const TransformResult& result, nlohmann::json report);

 private:
  cli::Program& program_;
  const TransformArguments& options_;
  Workshop workshop_;
  EngineChoice where_;
  std::optional<cpu::ThreadLimit> limit_;
  std::optional<RankInput> input_;
  Metadata metadata_;
  cli::TransformRecipe recipe_;
  ResultLosses losses_;  // of this rank
  Stopwatch watch_;
};

}  // namespace sscope::mpi
