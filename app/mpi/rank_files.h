#pragma once
// Volumes in files that ranks read and write by their planes. Every rank sees the files.

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/cli/program.h"
#include "core/base/atomic_file.h"
#include "core/boundary/boundary.h"
#include "core/filter/noise_estimate.h"
#include "core/filter/recipe.h"
#include "core/io/any/file_sink.h"
#include "core/io/planes/plane_writer.h"
#include "core/parts/communicator.h"
#include "core/volume/fingerprint.h"
#include "core/volume/provenance.h"
#include "core/volume/volume_stream.h"

namespace sscope::mpi {

// A file of which a rank reads the planes that it needs.
class RankInput {
 public:
  // Every rank. Throws what opening throws, on all ranks.
  RankInput(cli::Program& program, VolumeIo& io, const std::string& path);

  [[nodiscard]] const VolumeInfo& info() const { return source_->info(); }
  [[nodiscard]] ArraySpec spec() const;
  // Planes lie across this axis.
  [[nodiscard]] std::size_t axis() const { return slowestAxis(spec().extent); }
  [[nodiscard]] std::int64_t planes() const { return spec().extent[axis()]; }
  [[nodiscard]] std::int64_t planeBytes() const { return spec().bytes() / planes(); }
  // That of these data for the bank (core/filter/program/data_unit.h), the same on every rank.
  [[nodiscard]] double unit(const FilterBank& bank, const Control& control);
  // Every rank: that of all values (core/filter/noise_estimate.h), of which each reads its share once more.
  [[nodiscard]] DataScale scale(reach::Communicator& ranks, const Control& control);
  // Every rank: that of the whole (core/volume/fingerprint.h), of which each reads its share once more.
  [[nodiscard]] std::string fingerprint(reach::Communicator& ranks, const Control& control);
  // Planes begin..end-1, one after the other.
  void read(std::int64_t begin, std::int64_t end, std::span<std::byte> voxels, const Control& control);

 private:
  std::unique_ptr<VolumeSource> source_;
};

// Every rank: the fingerprint of what they have seen together.
[[nodiscard]] std::string fingerprintOfAll(const FingerprintSum& seen, reach::Communicator& ranks,
                                           const Control& control);

// Throws Error(Unsupported) where ranks cannot write a file of this name together.
void requireShared(const std::filesystem::path& path);

// A file that ranks write together, under a temporary name that the first one makes, with room on the disk for all of
// it. Destroyed without name(), every rank removes it.
class RankOutput {
 public:
  // Every rank. Throws Error(Unsupported) where files of this name cannot be written by planes, and what making the
  // file throws, on all ranks.
  RankOutput(cli::Program& program, const std::filesystem::path& path, const VolumeOutline& outline,
             const WriteOptions& options);
  ~RankOutput();
  RankOutput(const RankOutput&) = delete;
  RankOutput& operator=(const RankOutput&) = delete;

  // Every rank, before its planes are written: they count for the fingerprint of all, which complete() tells `made`.
  void sign(GrowingProvenance& made) { made_ = &made; }
  // Planes begin and on, as a Volume holds them.
  void write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control);
  // Every rank, once its planes are written: waits until they are on the disk. Throws what went wrong on any rank, on
  // all of them; so does name().
  void complete(const Control& control);
  // Every rank, once all files of the job are complete: gives the file its name.
  void name(const Control& control);

 private:
  cli::Program& program_;
  std::filesystem::path target_, temporary_;
  HeldNames names_;
  std::unique_ptr<io::FileSink> sink_;     // the first rank's
  std::optional<io::PlaneWriter> writer_;  // the others'
  FingerprintSum sum_;                     // of this rank's planes
  GrowingProvenance* made_ = nullptr;
  bool finished_ = false;
};

}  // namespace sscope::mpi
