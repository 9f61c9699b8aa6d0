// What values mean comes back from every format that holds volumes.

#include "core/volume/meaning.h"

#include <nlohmann/json.hpp>

#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/io/planes.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

using test::TemporaryFolder;

TEST_CASE_METHOD(test::IoFolder,
                 "frames, channels, units of values and labels come back from every format of volumes") {
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
                           "v.ome.tif", "v.ome.zarr", "v.npz"}) {
    if (!test::canWrite(*io, name, volume.shape(), volume.type())) continue;
    CAPTURE(name);
    const std::string path = folder / name;
    io->write(path, volume, {.metadata = metadata}, {});
    const VolumeInfo back = io->read(path, {}).info;
    CHECK(back.metadata.frames == 3);
    CHECK(back.metadata.frameSeconds == 0.25);
    CHECK(back.metadata.valueUnit == "HU");
    CHECK(back.metadata.channels == metadata.channels);
    CHECK_FALSE(back.metadata.labels);
    CHECK(io->read(path + "@t=1,c=1", {}).volume.value(1, 2, 3) == volume.value(1, 2, 3, 3));
    io->write(path, plain, {.metadata = labels}, {});
    const VolumeInfo regions = io->probe(path, {});
    CHECK(regions.metadata.labels);
    CHECK(regions.metadata.frames == 1);
    // Files that are written by planes are the same.
    const std::string by = folder / (std::string("by_planes.") + name);
    if (!io->writesSlabs(by)) continue;
    const auto sink = io->openSink(by, outlineOf(plain), {.metadata = labels}, {});
    sink->write(0, test::bytesOfVolume(plain), {});
    sink->finish({});
    CHECK(io->probe(by, {}).metadata.labels);
  }
}

TEST_CASE("a text of what values mean that is invalid changes nothing") {
  for (const char* text : {"{", "[]", "{\"frames\":4}", "{\"frames\":2.5}", "{\"frames\":-2}", "{\"frames\":\"2\"}",
                           "{\"channels\":[\"a\"]}", "{\"labels\":1,\"value_unit\":7}"}) {
    CAPTURE(text);
    VolumeInfo info;
    info.shape = {2, 2, 2, 6};
    takeMeaning(text, info);
    CHECK(info.metadata == Metadata{});
    CHECK(info.notices.empty() == nlohmann::json::parse(text, nullptr, false).is_object());
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

TEST_CASE_METHOD(test::IoFolder, "data without a placement get none on their way through other formats") {
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

TEST_CASE_METHOD(test::IoFolder, "what a format drops of the meaning of values is named, and nothing else is") {
  struct Item {
    const char* word;
    Metadata metadata;
    int components;
    std::function<bool(const Metadata& back)> kept;
  };
  std::vector<Item> items;
  const auto add = [&](const char* word, int components, const auto& change,
                       const std::function<bool(const Metadata& back)>& kept) {
    items.push_back({word, {}, components, kept});
    change(items.back().metadata);
  };
  add(
      "3 points in time", 6, [](Metadata& m) { m.frames = 3; }, [](const Metadata& m) { return m.frames == 3; });
  const auto seconds = [](Metadata& m) { m.frames = 3, m.frameSeconds = 2; };
  add("time between", 6, seconds, [](const Metadata& m) { return m.frameSeconds == 2; });
  const auto names = [](Metadata& m) { m.channels = {"a", "b"}; };
  add("names of channels", 2, names, [](const Metadata& m) { return m.channels.size() == 2; });
  const auto one = [](Metadata& m) { m.channels = {"a"}; };
  add("name of its channel", 1, one, [](const Metadata& m) { return m.channels.size() == 1; });
  const auto unit = [](Metadata& m) { m.valueUnit = "HU"; };
  add("unit of values (HU)", 1, unit, [](const Metadata& m) { return m.valueUnit == "HU"; });
  add(
      "labels", 1, [](Metadata& m) { m.labels = true; }, [](const Metadata& m) { return m.labels; });
  const auto nowhere = [](Metadata& m) { m.inSpace = false; };
  add("no known space", 1, nowhere, [](const Metadata& m) { return spaceText(m) == "unknown"; });
  const auto mni = [](Metadata& m) { m.fields = {{"nifti.sform_code", "4"}}; };
  add("MNI 152", 1, mni, [](const Metadata& m) { return spaceText(m) == "MNI 152"; });
  for (const char* name : {"v.nrrd", "v.mha", "v.nii", "v.vti", "v.vtk", "v.h5", "v.raw", "v.tif", "v.ome.tif",
                           "v.ome.zarr", "v.npy", "v.npz", "v.mrc", "v.png", "v.jpg"})
    for (const Item& item : items) {
      const bool lossy = std::string(name) == "v.jpg";
      const Volume volume = test::randomVolume(
          {4, 3, 1, item.components}, lossy || std::string(name) == "v.png" ? ElementType::u8 : ElementType::u16, 3);
      if (!test::canWrite(*io, name, volume.shape(), volume.type())) continue;
      CAPTURE(name, item.word);
      try {
        io->write(folder / name, volume, {.metadata = item.metadata}, {});
      } catch (const Error& error) {
        CHECK_THAT(error.what(), ContainsSubstring("for colors"));
        continue;
      }
      const std::string dropped = io->dropped(folder / name, volume.geometry(), item.metadata);
      const bool kept = item.kept(io->read(folder / name, {}).info.metadata);
      CAPTURE(dropped);
      // Of a whole that is dropped its parts are not named.
      const bool said =
          dropped.find(item.word) != std::string::npos || dropped.find("points in time") != std::string::npos;
      CHECK(kept != said);
    }
  Metadata long_;
  long_.channels.assign(600, "a long name of a channel");
  if (test::hasItk(*io)) CHECK_THAT(io->dropped("v.mha", {}, long_), ContainsSubstring("names of channels"));
  CHECK(io->dropped("v.ome.zarr", {}, long_).empty());
}

}  // namespace sscope
