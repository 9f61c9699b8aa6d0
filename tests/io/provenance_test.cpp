// How a file was made, as it says itself: it comes back from every format that has room for it.

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "core/io/volume_io.h"
#include "core/volume/fingerprint.h"
#include "core/volume/provenance.h"
#include "tests/io/io_support.h"
#include "tests/io/planes.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

using test::TemporaryFolder;

namespace {

const char* const kHolds[] = {"v.ome.zarr", "v.nrrd", "v.nhdr", "v.mha", "v.mhd",  "v.nii", "w.nii.gz", "v.tif",
                              "v.ome.tif",  "v.vti",  "v.h5",   "v.raw", "v.json", "v.npz", "v.png",    "v.jpg"};

bool isPicture(const std::string& name) { return name.ends_with(".png") || name.ends_with(".jpg"); }

bool writable(const VolumeIo& io, const std::string& name, const Volume& volume) {
  try {
    io.checkWritable(name, volume.shape(), volume.type());
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool compressible(const VolumeIo& io, const std::string& name) {
  try {
    io.checkCompressible(name);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("every format that has room for it gives back how a file was made") {
  const auto io = makeVolumeIo();
  const TemporaryFolder folder;
  int written = 0;
  for (const std::string name : kHolds)
    for (const bool compress : {false, true}) {
      Volume volume = test::randomVolume({19, 13, isPicture(name) ? 1 : 5, 1}, ElementType::u8, 3);
      if (!isPicture(name) && !name.ends_with(".zarr")) volume.setGeometry(test::obliqueGeometry());
      if (!writable(*io, name, volume) || (compress && !compressible(*io, name))) continue;
      CAPTURE(name, compress);
      WriteOptions options;
      options.compress = compress;
      options.provenance = test::someProvenance();
      io->write(folder / name, volume, options, {});
      const LoadedVolume back = io->read((folder / name).string(), {});
      const bool lossy = name.ends_with(".jpg");
      const std::string wanted = options.provenance(lossy ? "" : fingerprintOf(volume, {}));
      REQUIRE_FALSE(back.info.metadata.provenance.empty());
      CHECK(nlohmann::json::parse(back.info.metadata.provenance) == nlohmann::json::parse(wanted));
      if (!lossy) CHECK(parseProvenance(back.info.metadata.provenance).fingerprint == fingerprintOf(back.volume, {}));
      CHECK(back.info.notices == [&] {
        WriteOptions none;
        none.compress = compress;
        const TemporaryFolder plain;
        io->write(plain / name, volume, none, {});
        return io->read((plain / name).string(), {}).info.notices;
      }());
      CHECK(io->probe((folder / name).string(), {}).metadata.provenance == back.info.metadata.provenance);
      // Kept by whoever copies the metadata.
      if (isPicture(name)) continue;
      WriteOptions copy;
      copy.metadata = back.info.metadata;
      io->write(folder / "copy.nrrd", back.volume, copy, {});
      const VolumeInfo copied = io->read((folder / "copy.nrrd").string(), {}).info;
      CHECK(copied.metadata.provenance == back.info.metadata.provenance);
      // As a source of planes, where the format is one.
      try {
        const auto source = io->openSource((folder / name).string(), {});
        CHECK(source->info().metadata.provenance == back.info.metadata.provenance);
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::Unsupported);
      }
      ++written;
    }
  CHECK(written >= 4);
}

TEST_CASE_METHOD(test::IoFolder, "formats without room for it are written all the same") {
  for (const std::string name : {"v.npy", "v.mrc", "v.vtk"}) {
    const Volume volume = test::randomVolume({19, 13, 5, 1}, ElementType::f32, 3);
    if (!writable(*io, name, volume)) continue;
    WriteOptions options;
    options.provenance = test::someProvenance();
    io->write(folder / name, volume, options, {});
    const LoadedVolume back = io->read((folder / name).string(), {});
    CHECK(test::sameVoxels(back.volume, volume));
    CHECK(back.info.metadata.provenance.empty());
  }
}

TEST_CASE_METHOD(test::IoFolder, "a damaged text is left out with a notice, and the voxels are read") {
  const std::string damage[] = {"nonsense",
                                "{",
                                R"({"schema":"stencilscope.provenance/1")",
                                std::string(300, '['),
                                std::string(70000, 'x'),
                                R"({"schema":"other/1"})"};
  for (const std::string name : {"v.nrrd", "v.mha", "v.tif", "v.vti", "v.h5", "v.npz", "v.png", "v.jpg"}) {
    const Volume volume = test::randomVolume({19, 13, 1, 1}, ElementType::u8, 3);
    if (!writable(*io, name, volume)) continue;
    for (const std::string& text : damage) {
      if (text.size() > 60000 && (name == "v.jpg" || name == "v.h5")) continue;  // there is no room for it
      CAPTURE(name, text.substr(0, 40));
      WriteOptions options;
      options.metadata.provenance = text;
      io->write(folder / name, volume, options, {});
      const LoadedVolume back = io->read((folder / name).string(), {});
      CHECK(back.info.metadata.provenance.empty());
      if (name != "v.jpg") CHECK(test::sameVoxels(back.volume, volume));
      for (const std::string& notice : back.info.notices) CHECK(test::isOneSentence(notice));
      CHECK(test::says(back.info, "how it was made is left out"));
    }
  }
}

TEST_CASE_METHOD(test::IoFolder, "a text that is there and cannot be read has a notice that says why") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  const Volume volume = test::randomVolume({19, 13, 1, 1}, ElementType::u8, 3);
  const auto damaged = [&](const std::string& name, const std::function<void(std::string & bytes)>& damage) {
    WriteOptions options;
    options.provenance = test::someProvenance();
    io->write(folder / name, volume, options, {});
    std::string bytes = test::contentOf(folder / name);
    damage(bytes);
    test::put(folder / name, bytes);
    const LoadedVolume back = io->read((folder / name).string(), {});
    CHECK(test::sameVoxels(back.volume, volume));
    CHECK(back.info.metadata.provenance.empty());
    return back.info;
  };
  const std::string keyword = kProvenanceKey;
  CHECK(
      test::says(damaged("v.png", [&](std::string& bytes) { bytes.at(bytes.find(keyword) + keyword.size() + 1) = 1; }),
                 "it is compressed"));
  CHECK(test::says(damaged("v.png", [&](std::string& bytes) { bytes.at(bytes.find("\"command\"") + 1) = 'C'; }),
                   "its checksum is another one"));
  CHECK(test::says(
      damaged("v.mha", [&](std::string& bytes) { bytes.at(bytes.find("StencilscopeProvenance0") + 22) = '7'; }),
      "a piece of it is missing"));
  CHECK(test::says(damaged("v.vti",
                           [&](std::string& bytes) {
                             const std::size_t at = bytes.find("ascii", bytes.find(keyword));
                             bytes.replace(at, 5, "bogus");
                           }),
                   "its array is not written as text"));
}

TEST_CASE_METHOD(test::IoFolder, "arrays beside those of an archive of ours have not been made so") {
  WriteOptions options;
  options.provenance = test::someProvenance();
  options.metadata.labels = true;
  const Volume volume = test::randomVolume({19, 13, 5, 1}, ElementType::u8, 3);
  io->write(folder / "v.npz", volume, options, {});
  CHECK_FALSE(io->probe(folder / "v.npz", {}).metadata.provenance.empty());
  // Its table at the end names it, too.
  std::string bytes = test::contentOf(folder / "v.npz");
  for (std::size_t at = bytes.find("arr_0"); at != std::string::npos; at = bytes.find("arr_0"))
    bytes.replace(at, 5, "scan1");
  test::put(folder / "v.npz", bytes);
  for (const char* name : {"v.npz", "v.npz@array=scan1"}) {
    const VolumeInfo info = io->probe(folder / name, {});
    CHECK(info.metadata.provenance.empty());
    CHECK_FALSE(info.metadata.labels);
  }
}

TEST_CASE_METHOD(test::InFolder, "names of patients and folders are not told") {
  VolumeInfo info;
  info.format = "NRRD";
  CHECK(dataNamed("/scans/ann/brain.nrrd@t=3", info).name == "brain.nrrd");
  CHECK(dataNamed("/scans/ann/brain.nrrd@t=3", info).selection == "@t=3");
  test::put(folder / "x.h5", "");
  CHECK(dataNamed((folder / "x.h5").string() + ":/entry/data", info).selection == ":/entry/data");
  CHECK(dataNamed((folder / "x.h5").string() + ":/entry/data", info).name == "x.h5");
  CHECK(dataNamed(folder.path().string(), info).name.empty());
  info.format = "DICOM series (28 slices)";
  CHECK(dataNamed("/scans/Doe^John", info).name.empty());
}

}  // namespace sscope
