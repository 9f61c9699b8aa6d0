// Datasets of HDF5 files by their paths.

#include "core/io/volume_io.h"
#include "core/volume/selection.h"
#include "core/volume/volume_stream.h"
#include "tests/io/io_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

using test::TemporaryFolder;

TEST_CASE_METHOD(test::IoFolder,
                 "any dataset of an HDF5 file is read by its path, and those that there are are named") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  const Volume volume = test::randomVolume({7, 5, 4, 1}, ElementType::u16, 3);
  const std::string file = folder / "x.h5", voxels = file + ":/ITKImage/0/VoxelData";
  io->write(file, volume, {});
  const LoadedVolume read = io->read(voxels, {});
  CHECK(read.info.format == "HDF5 dataset /ITKImage/0/VoxelData");
  CHECK(read.volume.shape() == volume.shape());
  CHECK(read.volume.type() == ElementType::u16);
  CHECK(read.volume.value(6, 4, 3) == volume.value(6, 4, 3));
  CHECK(read.info.geometry.unit.empty());
  CHECK(io->read(voxels + "@spacing=2um", {}).info.geometry.unit == "um");
  const auto source = io->openSource(voxels, {});
  std::vector<std::uint16_t> plane(35);
  source->read(2, 3, std::as_writable_bytes(std::span(plane)), {});
  CHECK(plane[34] == volume.value(6, 4, 2));
  try {
    static_cast<void>(io->read(file + ":/nothing", {}));
    FAIL("a dataset that is not there was read");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find(":/ITKImage/0/VoxelData (7 x 5 x 4 u16)") != std::string::npos);
  }
}

TEST_CASE_METHOD(test::IoFolder, "the datasets of a file that is not ITK's are a list to choose from") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  const std::string file = test::foreignHdf5(folder.path(), *io);
  const std::vector<FilePart> parts = io->parts(file, {});
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].selector == ":/ITKImags/0/Directions");
  CHECK(parts[1].selector == ":/ITKImags/0/VoxelData");
  CHECK(parts[1].extents == std::vector<std::int64_t>{7, 5, 4});
  CHECK(parts[1].type == "u16");
  CHECK_FALSE((parts[0].usual || parts[1].usual));
  const std::string said = test::errorOfReading(*io, file).what();
  CHECK(said.find(partsText(parts)) != std::string::npos);
  std::string damaged = test::contentOf(file);
  damaged[damaged.find("ITKImags")] ^= 1;
  test::put(folder / "d.h5", damaged);
  CHECK(test::errorOfReading(*io, folder / "d.h5").kind() == ErrorKind::BadData);
  CHECK(io->parts(file + ":/ITKImags/0/VoxelData", {}).empty());
  CHECK(io->read(withPart(file, parts[1]), {}).volume.shape() == VolumeShape{7, 5, 4, 1});
  // Names that hold what separates choices are listed as they can be typed.
  CHECK(quotedName("a,b=0@100%\n") == "a%2Cb=0%40100%25%0A");
  for (const std::string name : {"a,b=0@100%", "100%", "%4", "\u202ex", "\xff,"})
    CHECK(unquotedName(quotedName(name)) == name);
  const std::string chosen = file + ":/a%2Cb%40c=0";
  CHECK(parseSelection(chosen + "@spacing=2um").dataset == "/a,b@c=0");
  CHECK(parseSelection(chosen).name() == chosen);
}

}  // namespace sscope
