// Files written by planes: they are those written as a whole, and nothing is left of what is not finished.

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

#include "core/io/any/file_sink.h"
#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/io/planes.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

namespace sscope {

using test::bytesOfVolume;
using test::canWrite;
using test::kSlabNames;
using test::planesOf;
using test::TemporaryFolder;

namespace fs = std::filesystem;

namespace {

void writeBackwards(VolumeSink& sink, const Volume& volume, std::int64_t thick) {
  const std::int64_t planes = planesOf(volume.shape());
  const auto plane = static_cast<std::size_t>(volume.bytes() / planes);
  for (std::int64_t end = planes; end > 0; end -= thick) {
    const std::int64_t begin = std::max<std::int64_t>(0, end - thick);
    sink.write(begin,
               bytesOfVolume(volume).subspan(static_cast<std::size_t>(begin) * plane,
                                             static_cast<std::size_t>(end - begin) * plane),
               {});
  }
}

}  // namespace

TEST_CASE("files written by planes are those written as a whole, byte by byte") {
  const auto io = makeVolumeIo();
  const TemporaryFolder whole, slabs;
  std::uint64_t seed = 1;
  int written = 0;
  WriteOptions options;
  options.metadata.fields = {{"subject", "seven"}};
  options.provenance = test::someProvenance();
  INFO(test::Sampling::howToRepeat());
  const std::vector<VolumeShape> shapes{{7, 5, 6, 1}, {5, 9, 1, 1}, {3, 4, 5, 6}, {6, 1, 1, 2}};
  for (std::size_t n = 0; n < std::size(kSlabNames); ++n) {
    const char* name = kSlabNames[n];
    for (const ElementType type : {ElementType::u8, ElementType::i16, ElementType::f32, ElementType::f64}) {
      for (const VolumeShape& shape : test::shapesOfRun(*io, n, type, shapes)) {
        CAPTURE(name, toString(type), shape.text());
        options.metadata.frames = shape.components == 6 ? 3 : 1;
        Volume volume = test::randomVolume(shape, type, ++seed);
        if (test::keepsDirections(name)) volume.setGeometry(test::obliqueGeometry());
        io->write(whole / name, volume, options, {});
        const auto sink = io->openSink(slabs / name, outlineOf(volume), options);
        CHECK(sink->anyOrder());
        writeBackwards(*sink, volume, 2);
        sink->finish({});
        std::size_t files = 0;
        for (const auto& entry : fs::directory_iterator(whole.path())) {
          ++files;
          CHECK(test::contentOf(entry.path()) == test::contentOf(slabs / entry.path().filename().string()));
        }
        CHECK(test::entriesOf(slabs.path()) == files);
        for (const TemporaryFolder* folder : {&whole, &slabs})
          for (const auto& entry : fs::directory_iterator(folder->path())) fs::remove(entry.path());
        ++written;
      }
    }
  }
  CHECK(written >= 12);
}

TEST_CASE_METHOD(test::IoFolder, "HDF5 that is written by planes holds what is written as a whole") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no HDF5");
  CHECK(io->writesSlabs("v.h5"));
  std::uint64_t seed = 1;
  for (const ElementType type : {ElementType::u8, ElementType::f32, ElementType::f64})
    for (const VolumeShape& shape : {VolumeShape{7, 5, 6, 1}, {5, 9, 1, 1}, {3, 4, 5, 6}, {700, 500, 4, 1}}) {
      CAPTURE(toString(type), shape.text());
      Volume volume = test::randomVolume(shape, type, ++seed);
      volume.setGeometry(test::obliqueGeometry());
      io->write(folder / "whole.h5", volume, {});
      {
        const auto unfinished = io->openSink(folder / "slabs.h5", outlineOf(volume), {});
        writeBackwards(*unfinished, volume, 2);
      }
      CHECK(test::entriesOf(folder.path()) == 1);
      const auto sink = io->openSink(folder / "slabs.h5", outlineOf(volume), {});
      CHECK(sink->anyOrder());
      writeBackwards(*sink, volume, 2);
      sink->check({});
      sink->finish({});
      CHECK(test::entriesOf(folder.path()) == 2);
      const LoadedVolume whole = io->read((folder / "whole.h5").string(), {});
      const LoadedVolume slabs = io->read((folder / "slabs.h5").string(), {});
      CHECK(slabs.info.geometry == whole.info.geometry);
      CHECK(slabs.volume.shape() == whole.volume.shape());
      CHECK(slabs.volume.type() == whole.volume.type());
      CHECK(std::ranges::equal(bytesOfVolume(slabs.volume), bytesOfVolume(whole.volume)));
      fs::remove(folder / "slabs.h5");
    }
  const VolumeOutline outline{{64, 64, 64, 1}, ElementType::f32, {}};
  std::stop_source stop;
  stop.request_stop();
  const std::vector<std::byte> plane(64 * 64 * 4);
  CHECK_THROWS_AS(io->openSink(folder / "v.h5", outline, {})->write(0, plane, {stop.get_token(), {}}), Canceled);
  CHECK_THROWS_AS(io->openSink(folder / "w.h5", outline, {}, {stop.get_token(), {}}), Canceled);
  const VolumeOutline huge{{1 << 20, 1 << 20, 1 << 10, 1}, ElementType::f64, {}};
  CHECK_THROWS_WITH(io->openSink(folder / "w.h5", huge, {}), ContainsSubstring(" are free on its disk"));
  CHECK(test::entriesOf(folder.path()) == 1);
}

TEST_CASE_METHOD(test::IoFolder, "planes that are not what was written are found before a file gets its name") {
  for (const char* name : kSlabNames)
    for (const VolumeShape& shape : {VolumeShape{9, 7, 40, 1}, {6, 5, 7, 3}, {8, 30, 1, 1}}) {
      if (!canWrite(*io, name, shape, ElementType::u8)) continue;
      CAPTURE(name, shape.text());
      const Volume volume = test::randomVolume(shape, ElementType::u8, 5);
      io::FileSink sink(folder / name, outlineOf(volume), {});
      writeBackwards(sink, volume, 3);
      sink.check({});
      const io::FileLayout& layout = sink.layout();
      // The last plane; of NIfTI, its last component.
      const std::int64_t end = layout.voxelOffset() + volume.bytes();
      std::fstream file(sink.temporary(), std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(end - 1);
      const int last = file.get();
      file.seekp(end - 1);
      file.put(static_cast<char>(last ^ 1));
      file.close();
      try {
        sink.check({});
        FAIL("the change was not seen");
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::Io);
        CHECK(test::isOneSentence(error.what()));
        CHECK_THAT(error.what(),
                   ContainsSubstring("plane " + std::to_string(planesOf(shape) - 1) + " is not what was written"));
      }
    }
  CHECK(test::entriesOf(folder.path()) == 0);
}

TEST_CASE_METHOD(test::IoFolder, "several writers fill one file") {
  const Volume volume = test::randomVolume({17, 11, 9, 2}, ElementType::f32, 7);
  io->write(folder / "whole.nrrd", volume, {});
  io::FileSink sink(folder / "shared.nrrd", outlineOf(volume), {});
  io::PlaneWriter one(sink.temporary(), sink.layout()), other(sink.temporary(), sink.layout());
  const auto plane = static_cast<std::size_t>(volume.bytes() / 9);
  other.write(4, bytesOfVolume(volume).subspan(4 * plane), {});
  one.write(0, bytesOfVolume(volume).first(4 * plane), {});
  sink.finish({});
  CHECK(test::contentOf(folder / "shared.nrrd") == test::contentOf(folder / "whole.nrrd"));
}

TEST_CASE_METHOD(test::IoFolder, "a file that is not finished leaves nothing, and what was there before") {
  const Volume volume = test::randomVolume({7, 5, 6, 1}, ElementType::i16, 3);
  for (const char* name : {"v.nrrd", "v.nhdr", "v.raw"}) {
    CAPTURE(name);
    io->write(folder / name, volume, {});
    const std::string before = test::contentOf(folder / name);
    const std::size_t entries = test::entriesOf(folder.path());
    {
      const auto sink = io->openSink(folder / name, outlineOf(volume), {});
      sink->write(2, bytesOfVolume(volume).first(static_cast<std::size_t>(volume.bytes() / 2)), {});
    }
    CHECK(test::contentOf(folder / name) == before);
    CHECK(test::entriesOf(folder.path()) == entries);
    std::stop_source stop;
    stop.request_stop();
    const auto sink = io->openSink(folder / name, outlineOf(volume), {});
    CHECK_THROWS_AS(sink->write(0, bytesOfVolume(volume), {stop.get_token(), {}}), Canceled);
    CHECK_THROWS_AS(sink->finish({stop.get_token(), {}}), Canceled);
    CHECK(test::contentOf(folder / name) == before);
  }
}

TEST_CASE_METHOD(test::IoFolder, "what cannot be written by planes is refused before any of it is") {
  const VolumeOutline outline{{7, 5, 6, 1}, ElementType::i16, {}};
  const auto errorOf = [&](const fs::path& path, const VolumeOutline& volume, const WriteOptions& options) {
    try {
      static_cast<void>(io->openSink(path, volume, options));
    } catch (const Error& error) {
      CHECK(test::isOneSentence(error.what()));
      return error;
    }
    FAIL("it was opened");
    throw std::logic_error("never here");
  };
  WriteOptions packed;
  packed.compress = true;
  CHECK(errorOf(folder / "v.nrrd", outline, packed).kind() == ErrorKind::Unsupported);
  for (const char* name : {"v.nii.gz", "v.png", "v.xyz"}) {
    CHECK_FALSE(io->writesSlabs(name));
    CHECK(errorOf(folder / name, outline, {}).kind() == ErrorKind::Unsupported);
  }
  CHECK(errorOf(folder / "none" / "v.nrrd", outline, {}).kind() == ErrorKind::Io);
  CHECK(test::entriesOf(folder.path()) == 0);

  // More than any disk has: both numbers are told.
  const VolumeOutline huge{{1 << 20, 1 << 20, 1 << 10, 1}, ElementType::f64, {}};
  const Error error = errorOf(folder / "v.nrrd", huge, {});
  CHECK(error.kind() == ErrorKind::Io);
  CHECK_THAT(error.what(), ContainsSubstring("it takes 8.0 PiB and ") && ContainsSubstring(" are free on its disk"));
  CHECK(test::entriesOf(folder.path()) == 0);

  if (::geteuid() == 0) return;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  CHECK(errorOf(folder / "v.nrrd", outline, {}).kind() == ErrorKind::Io);
  fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST_CASE_METHOD(test::IoFolder, "a file larger than the limit is refused when it is opened") {
  struct rlimit old {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &old) == 0);
  const auto oldHandler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = old;
  small.rlim_cur = 1 << 20;
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  ErrorKind kind = ErrorKind::Usage;
  std::string text;
  try {
    static_cast<void>(io->openSink(folder / "v.nrrd", {{512, 512, 64, 1}, ElementType::f32, {}}, {}));
  } catch (const Error& error) {
    kind = error.kind();
    text = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, oldHandler);
  CHECK(kind == ErrorKind::Io);
  CHECK_THAT(text, ContainsSubstring("larger than this disk or account allows"));
  CHECK(test::entriesOf(folder.path()) == 0);
}

}  // namespace sscope
