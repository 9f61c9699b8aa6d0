// Volumes that are used while they are read, and written while they are made.

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

using test::TemporaryFolder;

namespace {

const char* const kInPieces[] = {"v.nrrd", "v.nhdr", "v.mha", "v.mhd", "v.vti", "v.raw", "v.json"};

// Some bytes at a time.
VoxelPieces piecesOf(const Volume& volume, std::size_t size) {
  const std::span<const std::byte> all(volume.data(), static_cast<std::size_t>(volume.bytes()));
  return [all, size, at = std::size_t{0}]() mutable {
    const auto piece = all.subspan(at, std::min(size, all.size() - at));
    at += piece.size();
    return piece;
  };
}

std::vector<std::string> contentsOf(const TemporaryFolder& folder) {
  std::vector<std::string> contents;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    contents.push_back(entry.path().filename().string() + ": " + test::contentOf(entry.path()));
  std::ranges::sort(contents);
  return contents;
}

void requireSame(const ArrivingVolume& arrived, const LoadedVolume& read) {
  CHECK(test::sameVoxels(arrived.volume(), read.volume));
  CHECK(test::sameGeometry(arrived.volume().geometry(), read.volume.geometry(), 0));
  CHECK(arrived.info().notices == read.info.notices);
  CHECK(arrived.info().format == read.info.format);
}

Volume oblique(const VolumeShape& shape, ElementType type) {
  Volume volume = test::randomVolume(shape, type, 3);
  volume.setGeometry(test::obliqueGeometry());
  return volume;
}

}  // namespace

TEST_CASE("files written in pieces are those written at once") {
  const auto io = makeVolumeIo();
  int written = 0;
  for (const char* name : kInPieces)
    for (const bool compress : {false, true})
      for (const VolumeShape& shape : {VolumeShape{17, 9, 11, 1}, VolumeShape{8, 5, 6, 3}}) {
        const Volume volume = oblique(shape, ElementType::u16);
        const TemporaryFolder once, inPieces;
        CAPTURE(name, compress, shape.text());
        WriteOptions options{.metadata = {}, .compress = compress};
        options.provenance = test::someProvenance();
        try {
          io->write(once / name, volume, options, {});
        } catch (const Error& error) {
          CHECK(error.kind() == ErrorKind::Unsupported);
          continue;
        }
        REQUIRE(io->writesPieces(name));
        io->writePieces(inPieces / name, outlineOf(volume), piecesOf(volume, 101), options, {});
        // Compressed streams may be divided otherwise.
        if (!compress) CHECK((contentsOf(once) == contentsOf(inPieces)));
        CHECK(test::sameVoxels(io->read((inPieces / name).string(), {}).volume, volume));
        ++written;
      }
  CHECK(written >= 8);
}

TEST_CASE_METHOD(test::IoFolder, "what cannot be written in pieces says so") {
  const Volume volume = test::randomVolume({4, 4, 1, 1}, ElementType::u8, 1);
  CHECK_FALSE(io->writesPieces("v.unknown"));
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build writes no other formats");
  CHECK_FALSE(io->writesPieces("v.png"));
  CHECK_THROWS_AS(io->writePieces(folder / "v.png", outlineOf(volume), piecesOf(volume, 4), {}, {}), Error);
  CHECK(test::entriesOf(folder.path()) == 0);
}

TEST_CASE("pieces that end in an error leave the file that was there") {
  const auto io = makeVolumeIo();
  const Volume before = test::randomVolume({9, 8, 7, 1}, ElementType::f32, 1);
  const Volume volume = test::randomVolume({9, 8, 7, 1}, ElementType::f32, 2);
  for (const char* name : {"v.nrrd", "v.nhdr", "v.json"}) {
    CAPTURE(name);
    const TemporaryFolder folder;
    io->write(folder / name, before, {});
    const auto contents = contentsOf(folder);
    const VoxelPieces broken = [pieces = piecesOf(volume, 100), left = 3]() mutable {
      if (left-- == 0) throw Error(ErrorKind::Device, "the device is gone");
      return pieces();
    };
    CHECK_THROWS_WITH(io->writePieces(folder / name, outlineOf(volume), broken, {}, {}), "the device is gone");
    CHECK((contentsOf(folder) == contents));
  }
}

TEST_CASE("opened files hold what reading them gives") {
  const auto io = makeVolumeIo();
  for (const char* name : {"v.nrrd", "v.nhdr", "v.json", "v.raw", "v.mha", "v.mhd", "v.nii", "w.nii.gz", "v.tif"})
    for (const VolumeShape& shape : {VolumeShape{17, 9, 11, 1}, VolumeShape{8, 5, 6, 3}, VolumeShape{700, 600, 3, 1}}) {
      const TemporaryFolder folder;
      CAPTURE(name, shape.text());
      Volume volume = oblique(shape, ElementType::f32);
      volume.elements<float>()[5] = std::numeric_limits<float>::quiet_NaN();
      try {
        io->write(folder / name, volume, {});
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::Unsupported);
        continue;
      }
      const std::string path = (folder / name).string();
      for (const std::string& choice : {std::string(), std::string("@c=0")}) {
        const auto arriving = io->open(path + choice, {});
        arriving->await(1, {});
        CHECK(std::memcmp(arriving->volume().data(), volume.data(), 1) == 0);
        arriving->await(arriving->volume().bytes(), {});
        requireSame(*arriving, io->read(path + choice, {}));
      }
    }
}

TEST_CASE_METHOD(test::IoFolder,
                 "plain voxels may be of the other byte order, at the end of the file, or beside the header") {
  const std::string header = "NRRD0004\ntype: uint16\ndimension: 3\nsizes: 2 2 1\nencoding: raw\n";
  test::put(folder / "big.nrrd", header + "endian: big\n\n" + std::string("\0\1\0\2\0\3\1\0", 8));
  test::put(folder / "end.nrrd",
            header + "endian: little\nbyte skip: -1\n\nrubbish" + std::string("\1\0\2\0\3\0\0\1", 8));
  test::put(folder / "two.nhdr", header + "endian: little\nbyte skip: 3\ndata file: two.raw\n\n");
  test::put(folder / "two.raw", "---" + std::string("\1\0\2\0\3\0\0\1", 8));
  for (const char* name : {"big.nrrd", "end.nrrd", "two.nhdr"}) {
    CAPTURE(name);
    const auto arriving = io->open((folder / name).string(), {});
    arriving->await(8, {});
    const auto values = arriving->volume().elements<std::uint16_t>();
    CHECK(std::vector<std::uint16_t>(values.begin(), values.end()) == std::vector<std::uint16_t>{1, 2, 3, 256});
    requireSame(*arriving, io->read((folder / name).string(), {}));
  }
}

TEST_CASE("opening what is cut off or leads elsewhere fails as reading does") {
  const auto io = makeVolumeIo();
  const TemporaryFolder folder, elsewhere;
  const std::string header = "NRRD0004\ntype: uint16\ndimension: 3\nsizes: 2 2 1\nendian: little\nencoding: raw\n";
  test::put(folder / "cut.nrrd", header + "\n1234567");
  test::put(folder / "gone.nhdr", header + "data file: gone.raw\n\n");
  test::put(elsewhere / "far.raw", "12345678");
  std::filesystem::create_symlink(elsewhere / "far.raw", folder / "far.raw");
  test::put(folder / "far.nhdr", header + "data file: far.raw\n\n");
  for (const char* name : {"cut.nrrd", "gone.nhdr", "far.nhdr", "none.nrrd"}) {
    CAPTURE(name);
    const std::string path = (folder / name).string();
    std::string read, opened;
    try {
      static_cast<void>(io->read(path, {}));
    } catch (const Error& error) {
      read = error.what();
    }
    try {
      static_cast<void>(io->open(path, {}));
    } catch (const Error& error) {
      opened = error.what();
    }
    CHECK(opened == read);
    if (std::string(name) != "far.nhdr") CHECK(!opened.empty());  // confined only where the system can do that
  }
}

TEST_CASE_METHOD(test::IoFolder, "a canceled wait throws, and an abandoned volume stops being read") {
  const Volume volume = test::randomVolume({256, 256, 64, 1}, ElementType::f32, 3);
  io->write(folder / "v.nrrd", volume, {});
  const auto arriving = io->open((folder / "v.nrrd").string(), {});
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(arriving->await(volume.bytes(), Control{stop.get_token(), {}}), Canceled);
}

}  // namespace sscope
