#include "app/mpi/rank_files.h"

#include <exception>
#include <system_error>
#include <vector>

#include "core/base/error.h"
#include "core/filter/data_unit.h"
#include "core/reach/agreed.h"

namespace sscope::mpi {

using reach::agreed;

namespace {

VolumeStreams& streamsOf(VolumeIo& io) {
  auto* streams = dynamic_cast<VolumeStreams*>(&io);
  if (streams == nullptr) throw Error(ErrorKind::Unsupported, "this build does not read files by planes", "use sscope");
  return *streams;
}

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
  agreed(program.ranks, control, [&] { source_ = streamsOf(io).openSource(path, control); });
}

ArraySpec RankInput::spec() const {
  const VolumeShape& shape = info().shape;
  return {info().type, {shape.nx, shape.ny, shape.nz, shape.components}};
}

double RankInput::unit(const FilterBank& bank, const Control& control) { return dataUnitOf(bank, *source_, control); }

void RankInput::read(std::int64_t begin, std::int64_t end, std::span<std::byte> voxels, const Control& control) {
  source_->read(begin, end, voxels, control);
}

RankOutput::RankOutput(cli::Program& program, VolumeIo& io, const std::filesystem::path& path,
                       const VolumeOutline& outline, const WriteOptions& options)
    : program_(program), target_(path) {
  reach::Communicator& ranks = program.ranks;
  const Control control = program.control();
  if (!streamsOf(io).writesSlabs(path))
    throw Error(ErrorKind::Unsupported, "ranks cannot write " + path.string() + " together",
                "choose a format whose voxels lie uncompressed one after the other, as .nrrd or .vti");
  program.interrupt.writes(path);
  std::string temporary;
  agreed(ranks, control, [&] {
    if (ranks.rank() != 0) return;
    sink_ = std::make_unique<io::FileSink>(io::layoutOf(path, outline, options), true, control, &names_);
    temporary = sink_->temporary().string();
  });
  temporary_ = told(ranks, temporary, control);
  program.interrupt.removes(temporary_);
  agreed(ranks, control, [&] {
    if (ranks.rank() != 0) writer_.emplace(temporary_, io::layoutOf(path, outline, options));
  });
}

RankOutput::~RankOutput() {
  if (finished_ || temporary_.empty()) return;
  std::error_code ignored;  // the first rank may have removed it, or is no longer there to do so
  std::filesystem::remove(temporary_, ignored);
}

void RankOutput::write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) {
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
