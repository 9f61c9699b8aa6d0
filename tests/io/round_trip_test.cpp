// What is written comes back: voxels, geometry, components; for every writable format and element type.

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

namespace sscope {

using test::TemporaryFolder;

namespace {

// One name per way of writing.
const char* const kVolumeNames[] = {"v.nrrd", "v.nhdr", "v.mha",     "v.mhd",     "v.nii", "w.nii.gz",
                                    "v.tif",  "v.tiff", "v.ome.tif", "v.vti",     "v.vtk", "v.h5",
                                    "v.raw",  "v.json", "v.mrc",     "v.ome.zarr"};

bool writable(const VolumeIo& io, const std::string& name, const VolumeShape& shape, ElementType type) {
  try {
    io.checkWritable(name, shape, type);
    return true;
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::Unsupported);
    CHECK(test::isOneSentence(error.what()));
    return false;
  }
}

void roundTrip(VolumeIo& io, const TemporaryFolder& folder, const std::string& name, const Volume& volume) {
  CAPTURE(name, volume.shape().text(), toString(volume.type()));
  io.write(folder / name, volume, {});
  const LoadedVolume back = io.read((folder / name).string(), {});
  CHECK(back.volume.shape() == volume.shape());
  CHECK(back.volume.type() == volume.type());
  CHECK(test::sameVoxels(back.volume, volume));
  if (name.ends_with(".png")) return;
  CHECK(test::sameGeometry(back.volume.geometry(), volume.geometry(), 1e-5));
  CHECK(back.volume.geometry().unit == volume.geometry().unit);
}

// Legacy VTK, MRC and OME-Zarr have no place for directions, and MRC knows one unit.
Geometry geometryFor(const std::string& name) {
  Geometry geometry = test::obliqueGeometry();
  if (name.ends_with(".vtk") || name.ends_with(".mrc") || name.ends_with(".zarr"))
    geometry.direction = Geometry{}.direction;
  if (name.ends_with(".mrc")) geometry.unit = "angstrom";
  return geometry;
}

}  // namespace

TEST_CASE_METHOD(test::IoFolder, "every format and element type comes back as it was written") {
  INFO(test::Sampling::howToRepeat());
  const VolumeShape all[] = {{7, 5, 3, 1}, {5, 3, 1, 1}, {3, 4, 5, 3}, {6, 1, 4, 2},
                             {1, 1, 1, 1}, {4, 3, 1, 4}, {3, 2, 4, 7}};
  std::uint64_t seed = 1;
  int written = 0;
  for (std::size_t f = 0; f < std::size(kVolumeNames); ++f) {
    const char* name = kVolumeNames[f];
    for (std::size_t t = 0; t < std::size(kElementTypes); ++t) {
      const ElementType type = kElementTypes[t];
      std::vector<VolumeShape> shapes;
      std::ranges::copy_if(all, std::back_inserter(shapes),
                           [&](const VolumeShape& shape) { return writable(*io, name, shape, type); });
      for (std::size_t s = 0; s < shapes.size(); ++s) {
        if (!test::takes(s, shapes.size(), f + t)) continue;
        Volume volume = test::randomVolume(shapes[s], type, ++seed);
        volume.setGeometry(geometryFor(name));
        roundTrip(*io, folder, name, volume);
        ++written;
      }
    }
  }
  CHECK(written >= 24);
}

TEST_CASE_METHOD(test::IoFolder, "a format that would lose the direction is refused") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no VTK legacy files");
  Volume volume = test::randomVolume({5, 4, 3, 1}, ElementType::u8, 9);
  volume.setGeometry(test::obliqueGeometry());
  try {
    io->write(folder / "v.vtk", volume, {});
    FAIL("the direction was lost");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::Unsupported);
    CHECK(std::string(error.what()).find("use .vti") != std::string::npos);
  }
  CHECK_THROWS_AS(io->checkGeometry("v.vtk", volume.geometry()), Error);
  CHECK_NOTHROW(io->checkGeometry("v.vti", volume.geometry()));
  CHECK(test::entriesOf(folder.path()) == 0);
}

TEST_CASE_METHOD(test::IoFolder, "lengths keep their meaning in formats that know millimeters only") {
  Volume volume = test::randomVolume({5, 4, 3, 1}, ElementType::u8, 9);
  Geometry microscope;
  microscope.spacing = {250, 250, 1000};
  microscope.origin = {1500, -2000, 0};
  microscope.unit = "um";
  volume.setGeometry(microscope);
  for (const char* name : kVolumeNames) {
    if (!writable(*io, name, volume.shape(), volume.type())) continue;
    CAPTURE(name);
    io->write(folder / name, volume, {});
    const Geometry back = io->read((folder / name).string(), {}).volume.geometry();
    CHECK((back.unit == "um" || back.unit == "mm" || back.unit == "angstrom"));
    CHECK(test::sameGeometry(inMillimeters(back), inMillimeters(microscope), 1e-5));
  }
}

TEST_CASE_METHOD(test::IoFolder, "NIfTI keeps the units it knows and tells others in millimeters") {
  Volume volume = test::randomVolume({5, 4, 3, 1}, ElementType::u8, 9);
  if (!writable(*io, "v.nii", volume.shape(), volume.type())) SSCOPE_SKIP("this build has no NIfTI");
  struct Row {
    const char *written, *read;
  };
  for (const Row& row : {Row{"um", "um"}, Row{"mm", "mm"}, Row{"m", "m"}, Row{"nm", "mm"}, Row{"cm", "mm"}}) {
    CAPTURE(row.written);
    Geometry geometry = test::obliqueGeometry();
    geometry.unit = row.written;
    volume.setGeometry(geometry);
    for (const char* name : {"v.nii", "v.nii.gz"}) {
      io->write(folder / name, volume, {});
      const Geometry back = io->read((folder / name).string(), {}).volume.geometry();
      CHECK(back.unit == row.read);
      CHECK(test::sameGeometry(inMillimeters(back), inMillimeters(geometry), 1e-5));
    }
  }
}

TEST_CASE_METHOD(test::IoFolder, "more planes than NIfTI-1 counts come back from NIfTI-2") {
  const Volume volume = test::randomVolume({2, 3, 32768, 1}, ElementType::u8, 9);
  if (!writable(*io, "v.nii", volume.shape(), volume.type())) SSCOPE_SKIP("this build has no NIfTI");
  for (const char* name : {"v.nii", "v.nii.gz"}) {
    CAPTURE(name);
    io->write(folder / name, volume, {});
    const Volume back = io->read((folder / name).string(), {}).volume;
    REQUIRE(back.shape() == volume.shape());
    CHECK(std::ranges::equal(back.elements<std::uint8_t>(), volume.elements<std::uint8_t>()));
  }
}

TEST_CASE_METHOD(test::IoFolder, "arrays of NumPy come back as they were written, with their points in time") {
  for (const char* name : {"v.npy", "v.npz"})
    for (const ElementType type : kElementTypes)
      for (const VolumeShape& shape :
           {VolumeShape{7, 5, 3, 1}, {5, 3, 1, 1}, {3, 4, 5, 3}, {4, 3, 1, 4}, {3, 2, 4, 6}}) {
        if (!writable(*io, name, shape, type)) continue;
        CAPTURE(name, shape.text(), toString(type));
        const Volume volume = test::randomVolume(shape, type, 5);
        WriteOptions options;
        options.compress = std::string(name).ends_with("z") && shape.nz > 1;
        options.metadata.frames = shape.components % 3 == 0 ? 3 : 1;
        io->write(folder / name, volume, options, {});
        const LoadedVolume back = io->read((folder / name).string(), {});
        CHECK(back.volume.shape() == shape);
        CHECK(back.volume.type() == type);
        CHECK(test::sameVoxels(back.volume, volume));
        CHECK(back.info.metadata.frames == options.metadata.frames);
      }
}

TEST_CASE_METHOD(test::IoFolder, "pictures come back as they were written") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  for (const ElementType type : {ElementType::u8, ElementType::u16})
    for (const int components : {1, 2, 3, 4})
      roundTrip(*io, folder, "p.png", test::randomVolume({31, 17, 1, components}, type, 5));
}

TEST_CASE_METHOD(test::IoFolder, "a step that nobody gave stays marked, or is named where it cannot be") {
  Volume volume = test::randomVolume({7, 6, 5, 1}, ElementType::u16, 5);
  Geometry geometry;
  geometry.spacing = {0.25, 0.25, 1};
  geometry.unit = "um";
  geometry.steps[2] = StepSource::Assumed;
  volume.setGeometry(geometry);
  for (const char* name : kVolumeNames) {
    if (!writable(*io, name, volume.shape(), volume.type())) continue;
    CAPTURE(name);
    io->write(folder / name, volume, {});
    const Geometry back = io->read((folder / name).string(), {}).info.geometry;
    const bool kept = back.steps[2] == StepSource::Assumed;
    CHECK(kept == io->dropped(folder / name, geometry, {}).empty());
    // Beside the others as long as before, in whatever unit.
    if (!kept) CHECK(back.spacing[2] / back.spacing[0] == Approx(4));
  }
}

}  // namespace sscope
