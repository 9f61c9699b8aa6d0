#include "app/mpi/rank_files.h"

#include <algorithm>
#include <array>
#include <exception>
#include <system_error>
#include <vector>

#include "core/base/error.h"
#include "core/filter/program/data_unit.h"
#include "core/io/any/layouts.h"
#include "core/parts/agreed.h"
#include "core/parts/partition.h"

namespace sscope::mpi {

using reach::agreed;

namespace {

// A text of the first rank.
std::string told(reach::Communicator& ranks, std::string text, const Control& control) {
  std::uint64_t size = text.size();
  ranks.broadcast(std::as_writable_bytes(std::span(&size, 1)), 0, control);
  text.resize(size);
  ranks.broadcast(std::as_writable_bytes(std::span(text)), 0, control);
  return text;
}

}  // namespace

RankInput::RankInput(cli::Program& program, VolumeIo& io, const std::string& path) {
  const Control control = program.control();
  agreed(program.ranks, control, [&] { source_ = io.openSource(path, control); });
}

ArraySpec RankInput::spec() const {
  const VolumeShape& shape = info().shape;
  return {info().type, {shape.nx, shape.ny, shape.nz, shape.components}};
}

double RankInput::unit(const FilterBank& bank, const Control& control) { return dataUnitOf(bank, *source_, control); }

DataScale RankInput::scale(reach::Communicator& ranks, const Control& control) {
  ScaleSum mine(spec()), all(spec());
  const Range share = reach::evenly(planes(), ranks.size())[static_cast<std::size_t>(ranks.rank())];
  agreed(ranks, control, [&] { mine.add(*source_, share.begin, share.end, control); });
  all.add(ranks.gather(mine.seen(), control));
  return all.scale();
}

void RankInput::read(std::int64_t begin, std::int64_t end, std::span<std::byte> voxels, const Control& control) {
  source_->read(begin, end, voxels, control);
}

std::string RankInput::fingerprint(reach::Communicator& ranks, const Control& control) {
  FingerprintSum sum(info().shape, info().type);
  agreed(ranks, control, [&] {
    constexpr std::int64_t kPiece = std::int64_t{4} << 20;
    const Range mine = reach::evenly(planes(), ranks.size())[static_cast<std::size_t>(ranks.rank())];
    const std::int64_t step = std::max<std::int64_t>(1, kPiece / planeBytes());
    std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(step, mine.size()) * planeBytes()));
    for (std::int64_t at = mine.begin; at < mine.end; at += step) {
      const std::int64_t end = std::min(mine.end, at + step);
      const auto piece = std::span(bytes).first(static_cast<std::size_t>((end - at) * planeBytes()));
      read(at, end, piece, control);
      sum.add(at, piece);
    }
  });
  return fingerprintOfAll(sum, ranks, control);
}

std::string fingerprintOfAll(const FingerprintSum& seen, reach::Communicator& ranks, const Control& control) {
  // As numbers that a double holds.
  constexpr std::uint64_t kHalf = 0xffffffffu;
  const FingerprintSum::Seen& own = seen.seen();
  const std::array<double, 5> mine{static_cast<double>(own.low & kHalf), static_cast<double>(own.low >> 32),
                                   static_cast<double>(own.high & kHalf), static_cast<double>(own.high >> 32),
                                   static_cast<double>(own.planes)};
  const std::vector<double> all = ranks.gather(mine, control);
  FingerprintSum sum = seen.empty();
  for (std::size_t at = 0; at + mine.size() <= all.size(); at += mine.size()) {
    const auto whole = [&](std::size_t i) { return static_cast<std::uint64_t>(all[at + i]); };
    sum.take({whole(0) | whole(1) << 32, whole(2) | whole(3) << 32, static_cast<std::int64_t>(all[at + 4])});
  }
  return sum.text();
}

void requireShared(const std::filesystem::path& path) {
  if (!io::hasLayout(path))
    throw Error(ErrorKind::Unsupported, "ranks cannot write " + path.string() + " together",
                "choose a format whose voxels lie uncompressed one after the other, as .nrrd or .vti");
}

RankOutput::RankOutput(cli::Program& program, const std::filesystem::path& path, const VolumeOutline& outline,
                       const WriteOptions& options)
    : program_(program), target_(path), sum_(outline.shape, outline.type) {
  reach::Communicator& ranks = program.ranks;
  const Control control = program.control();
  requireShared(path);
  program.interrupt.writes(path);
  std::string temporary;
  agreed(ranks, control, [&] {
    if (ranks.rank() != 0) return;
    WriteOptions own = options;
    own.names = &names_;
    sink_ = std::make_unique<io::FileSink>(path, outline, own, control);
    temporary = sink_->temporary().string();
  });
  temporary_ = told(ranks, temporary, control);
  program.interrupt.removes(temporary_);
  // Voxels begin where the first rank has them.
  WriteOptions same = options;
  same.metadata.provenance = told(ranks, options.metadataFor({}).provenance, control);
  agreed(ranks, control, [&] {
    if (ranks.rank() != 0) writer_.emplace(temporary_, io::layoutOf(path, outline, same));
  });
}

RankOutput::~RankOutput() {
  if (finished_ || temporary_.empty()) return;
  std::error_code ignored;  // the first rank may have removed it, or is no longer there to do so
  std::filesystem::remove(temporary_, ignored);
}

void RankOutput::write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) {
  if (made_ != nullptr) sum_.add(begin, voxels);
  if (sink_) {
    sink_->write(begin, voxels, control);
  } else {
    writer_->write(begin, voxels, control);
  }
}

void RankOutput::complete(const Control& control) {
  agreed(program_.ranks, control, [&] {
    if (writer_) writer_->flush(control);
  });
  if (made_ != nullptr)
    made_->learn([text = fingerprintOfAll(sum_, program_.ranks, control)](Provenance& all) { all.fingerprint = text; });
  agreed(program_.ranks, control, [&] {
    if (sink_) sink_->finish(control);
  });
}

void RankOutput::name(const Control& control) {
  agreed(program_.ranks, control, [&] { names_.commit(); });
  program_.interrupt.keeps(temporary_);
  finished_ = true;
}

}  // namespace sscope::mpi
