#include "core/io/itk/encode.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/base/paths.h"
#include "core/io/base/descriptor.h"
#include "core/io/base/file_error.h"
#include "core/io/itk/hdf5_text.h"
#include "core/io/itk/image_io.h"
#include "core/io/itk/write_planes.h"

namespace sscope::io {

namespace {

constexpr std::int64_t kSlabBytes = std::int64_t{16} << 20;

void writeSlabs(itk::ImageIOBase& io, const std::filesystem::path& path, const Volume& volume, bool inPieces,
                const Control& control) {
  const std::array<std::int64_t, 3> extent{volume.shape().nx, volume.shape().ny, volume.shape().nz};
  const std::int64_t planes = extent[slowestAxis(volume.spec().extent)], planeBytes = volume.bytes() / planes;
  const bool streams = inPieces && volume.shape().nz > 1 && io.CanStreamWrite();
  const std::int64_t step = streams ? std::clamp<std::int64_t>(kSlabBytes / planeBytes, 1, planes) : planes;
  for (std::int64_t plane = 0; plane < planes; plane += step) {
    control.check();
    writePlanes(io, plane, std::min(step, planes - plane), volume.data() + plane * planeBytes, path);
    control.report(static_cast<double>(std::min(plane + step, planes)) / static_cast<double>(planes), "writing");
  }
}

// HDF5's library ends the program when the disk fills up under it (its destructors throw): the room is tried first.
void requireRoom(const std::filesystem::path& part, const std::filesystem::path& shown, const Volume& volume) {
  constexpr off_t kOverhead = 1 << 20;
  const Descriptor file(::open(part.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file.valid()) throw cannotWriteErrno(shown, errno);
  if (const int failure = ::posix_fallocate(file.get(), 0, static_cast<off_t>(volume.bytes()) + kOverhead);
      failure != 0)
    throw cannotWriteErrno(shown, failure);
  if (::ftruncate(file.get(), 0) != 0) throw cannotWriteErrno(shown, errno);
}

}  // namespace

void encodeWithItk(FormatId id, const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
                   const Control& control) {
  silenceItk();
  writeAtomically(
      path,
      [&](const std::filesystem::path& part) {
        if (id == FormatId::hdf5) requireRoom(part, path, volume);
        itk::ImageIOBase::Pointer io = makeImageIo(id);
        io->SetFileName(part.string());
        describe(*io, outlineOf(volume));
        io->SetUseCompression(options.compress);
        // VTK's writer takes a file that is there, as the temporary one is, for one whose header it has written.
        writeSlabs(*io, path, volume, id != FormatId::vtk, control);
        if (id != FormatId::hdf5) return;
        io = nullptr;  // closes it
        putTextsOfHdf5(part, path, options.metadata);
      },
      options.names);
}

}  // namespace sscope::io
