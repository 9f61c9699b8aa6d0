// What values mean comes back from every format that holds volumes.

#include "core/volume/meaning.h"

#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/io/planes.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

using Catch::Matchers::ContainsSubstring;
using test::TemporaryFolder;

TEST_CASE("frames, channels, units of values and labels come back from every format of volumes") {
  const auto io = makeVolumeIo();
  const TemporaryFolder folder;
  const Volume volume = test::randomVolume({4, 3, 5, 6}, ElementType::u16, 3);
  Metadata metadata;
  metadata.frames = 3;
  metadata.frameSeconds = 0.25;
  metadata.channels = {"first", "second \"<&>\" \xc3\xa4"};
  metadata.valueUnit = "HU";
  const Volume plain = test::randomVolume({4, 3, 5, 1}, ElementType::u8, 4);
  Metadata labels;
  labels.labels = true;
  for (const char* name : {"v.nrrd", "v.nhdr", "v.mha", "v.mhd", "v.nii", "v.nii.gz", "v.vti", "v.h5", "v.raw", "v.tif",
                           "v.ome.tif", "v.ome.zarr"}) {
    if (!test::canWrite(*io, name, volume.shape(), volume.type())) continue;
    CAPTURE(name);
    const std::string path = folder / name;
    io->write(path, volume, {.metadata = metadata}, {});
    const VolumeInfo back = io->read(path, {}).info;
    CHECK(back.metadata.frames == 3);
    CHECK(back.metadata.frameSeconds == 0.25);
    CHECK(back.metadata.valueUnit == "HU");
    // ImageJ's lines name no channels.
    if (std::string(name) != "v.tif") CHECK(back.metadata.channels == metadata.channels);
    CHECK_FALSE(back.metadata.labels);
    CHECK(io->read(path + "@t=1,c=1", {}).volume.value(1, 2, 3) == volume.value(1, 2, 3, 3));
    io->write(path, plain, {.metadata = labels}, {});
    const VolumeInfo regions = io->probe(path, {});
    CHECK(regions.metadata.labels);
    CHECK(regions.metadata.frames == 1);
    // Files that are written by planes are the same.
    auto& streams = test::streamsOf(*io);
    const std::string by = folder / (std::string("by_planes.") + name);
    if (!streams.writesSlabs(by)) continue;
    const auto sink = streams.openSink(by, outlineOf(plain), {.metadata = labels}, {});
    sink->write(0, test::bytesOfVolume(plain), {});
    sink->finish({});
    CHECK(io->probe(by, {}).metadata.labels);
  }
}

TEST_CASE("a text of what values mean that makes no sense changes nothing") {
  for (const char* text : {"{", "[]", "{\"frames\":4}", "{\"frames\":2.5}", "{\"frames\":-2}", "{\"frames\":\"2\"}",
                           "{\"channels\":[\"a\"]}", "{\"labels\":1,\"value_unit\":7}"}) {
    CAPTURE(text);
    VolumeInfo info;
    info.shape = {2, 2, 2, 6};
    takeMeaning(text, info);
    CHECK(info.metadata == Metadata{});
  }
  Metadata many;
  many.channels.assign(2000, "a long name of a channel");
  CHECK(meaningText(many).empty());
  Metadata metadata;
  metadata.valueUnit = "HU";
  metadata.labels = true;
  metadata.fields = {{"nifti.intent_code", "1002"}, {"nifti.descrip", "d"}};
  const Metadata results = withoutValues(metadata);
  CHECK(meaningText(results).empty());
  CHECK(results.fields.size() == 1);
}

TEST_CASE("data without a placement get none on their way through other formats") {
  const auto io = makeVolumeIo();
  const TemporaryFolder folder;
  const Volume volume = test::randomVolume({4, 3, 5, 1}, ElementType::u16, 3);
  io->write(folder / "a.npy", volume, {});
  const LoadedVolume read = io->read(folder / "a.npy", {});
  CHECK_FALSE(read.info.metadata.inSpace);
  CHECK(spaceText(read.info.metadata) == "unknown");
  for (const char* name : {"v.nrrd", "v.mha", "v.nii", "v.vti", "v.h5", "v.raw", "v.tif", "v.ome.tif", "v.ome.zarr"}) {
    if (!test::canWrite(*io, name, volume.shape(), volume.type())) continue;
    CAPTURE(name);
    const std::string path = folder / name;
    io->write(path, volume, {.metadata = read.info.metadata}, {});
    CHECK_FALSE(io->probe(path, {}).metadata.inSpace);
    io->write(path, volume, {});  // in a patient's
    CHECK(io->probe(path, {}).metadata.inSpace);
  }
}

}  // namespace sscope
