// Input that cannot be read, and places that cannot be written: one sentence each, nothing left behind.

#include <signal.h>
#include <sys/resource.h>

#include <fstream>

#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

using test::TemporaryFolder;

void requireError(VolumeIo& io, const std::filesystem::path& path, ErrorKind kind, const std::string& part) {
  const Error error = test::errorOfReading(io, path.string());
  CAPTURE(path.string(), error.what());
  CHECK(error.kind() == kind);
  CHECK(test::isOneSentence(error.what()));
  CHECK(std::string(error.what()).find(part) != std::string::npos);
}

std::string nrrd(const std::string& sizes) {
  return "NRRD0004\ntype: float\ndimension: 3\nsizes: " + sizes + "\nencoding: raw\nendian: little\n\n";
}

}  // namespace

TEST_CASE_METHOD(test::IoFolder, "missing, empty and foreign input is named as such") {
  requireError(*io, folder / "none.nrrd", ErrorKind::NotFound, "no such file");
  test::put(folder / "empty.nrrd", "");
  requireError(*io, folder / "empty.nrrd", ErrorKind::BadData, "empty");
  test::put(folder / "text.nrrd", "hello, this is no picture at all\n");
  requireError(*io, folder / "text.nrrd", ErrorKind::BadData, "not a NRRD file");
  test::put(folder / "lfs.nrrd", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n");
  requireError(*io, folder / "lfs.nrrd", ErrorKind::BadData, "git-lfs pointer");
  test::put(folder / "none.npz", "PK\x05\x06" + std::string(18, '\0'));  // np.savez of nothing
  requireError(*io, folder / "none.npz", ErrorKind::Empty, "holds nothing");
  for (const char* name : {"x.zvi", "x.oib"}) {
    test::put(folder / name, "\xd0\xcf\x11\xe0 and more");
    requireError(*io, folder / name, ErrorKind::Unsupported, "--run-converter");
  }
  test::put(folder / "notes.txt", "hello");
  requireError(*io, folder / "notes.txt", ErrorKind::Unsupported, "not in a known image format");
  requireError(*io, folder / "slice_%03d.png", ErrorKind::NotFound, "no file matches");
  test::put(folder / "twice.json", R"({"schema": "stencilscope.volume/1", "size": [1, 1, 1], "size": [2, 1, 1]})");
  requireError(*io, folder / "twice.json", ErrorKind::BadData, "\"size\" occurs twice");
  test::put(folder / "bank.json", R"({"schema": "stencilscope.bank/1", "filters": []})");
  requireError(*io, folder / "bank.json", ErrorKind::Unsupported, "stencilscope.bank/1");
  test::put(folder / "lone.raw", "12345678");
  requireError(*io, folder / "lone.raw", ErrorKind::NotFound, "description");
  test::put(folder / "lone.nhdr", nrrd("1 1 1"));
  requireError(*io, folder / "lone.raw", ErrorKind::NotFound, "open lone.nhdr instead");
  std::filesystem::create_directory(folder / "plain");
  CHECK_THROWS_AS(static_cast<void>(io->read((folder / "plain").string(), {})), Error);
}

TEST_CASE_METHOD(test::IoFolder, "absurd dimensions and cut files are told from each other") {
  test::put(folder / "huge.nrrd", nrrd("1000000 1000000 1000000"));
  requireError(*io, folder / "huge.nrrd", ErrorKind::Memory, "4000000000000000000 bytes");
  test::put(folder / "cut.nrrd", nrrd("10 10 10") + std::string(100, 'x'));
  requireError(*io, folder / "cut.nrrd", ErrorKind::BadData, "it is cut off: 100 bytes of 3.9 KiB of voxels are there");
  test::put(folder / "zero.nrrd", nrrd("10 0 10"));
  requireError(*io, folder / "zero.nrrd", ErrorKind::BadData, "size 0");
  test::put(folder / "away.nhdr", nrrd("1 1 1").insert(9, "data file: /etc/passwd\n"));
  requireError(*io, folder / "away.nhdr", ErrorKind::Unsupported, "outside its folder");
  test::put(folder / "up.nhdr", nrrd("1 1 1").insert(9, "data file: ../up.raw\n"));
  requireError(*io, folder / "up.nhdr", ErrorKind::Unsupported, "outside its folder");
  test::put(folder / "alone.nhdr", nrrd("1 1 1").insert(9, "data file: alone.raw\n"));
  requireError(*io, folder / "alone.nhdr", ErrorKind::NotFound, "alone.raw is missing");
}

TEST_CASE_METHOD(test::IoFolder, "a MetaImage header with a senseless number of axes is refused at once") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  for (const char* axes : {"4294967297", "1e30", "0", "-1", "nan", "eleven"}) {
    test::put(folder / "v.mha", std::string("ObjectType = Image\nNDims = ") + axes +
                                    "\nDimSize = 2 2 2\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n12345678");
    requireError(*io, folder / "v.mha", ErrorKind::BadData, "number of axes");
  }
}

TEST_CASE_METHOD(test::IoFolder, "every format cut at many places is refused, never mistaken") {
  const Volume volume = test::randomVolume({9, 8, 7, 1}, ElementType::f32, 3);
  for (const char* name : {"v.nrrd", "v.mha", "v.nii", "v.nii.gz", "v.tif", "v.vti", "v.vtk", "v.h5"}) {
    try {
      io->checkWritable(name, volume.shape(), volume.type());
    } catch (const Error&) {
      continue;
    }
    io->write(folder / name, volume, {});
    const std::string whole = test::contentOf(folder / name);
    for (const double part : {0.02, 0.3, 0.7}) {
      const std::string cut = std::string("cut-") + name;
      test::put(folder / cut, whole.substr(0, static_cast<std::size_t>(part * static_cast<double>(whole.size()))));
      CAPTURE(cut, part);
      // The voxels of h5 and vti do not reach to the end of the file: the last bytes may be dispensable.
      try {
        const LoadedVolume read = io->read((folder / cut).string(), {});
        CHECK(test::sameVoxels(read.volume, volume));
      } catch (const Error& error) {
        CHECK(test::isOneSentence(error.what()));
      }
    }
  }
}

TEST_CASE_METHOD(test::IoFolder, "values that are not finite are counted in a notice") {
  Volume volume = test::randomVolume({5, 4, 3, 1}, ElementType::f32, 8);
  volume.elements<float>()[7] = std::numeric_limits<float>::quiet_NaN();
  volume.elements<float>()[9] = std::numeric_limits<float>::infinity();
  io->write(folder / "n.nrrd", volume, {});
  const LoadedVolume back = io->read((folder / "n.nrrd").string(), {});
  REQUIRE(back.info.notices.size() == 1);
  CHECK(back.info.notices[0].find("2 values are not finite") != std::string::npos);
}

TEST_CASE_METHOD(test::IoFolder, "a write that fails leaves nothing behind and says what would do") {
  const Volume volume = test::randomVolume({64, 64, 16, 1}, ElementType::f32, 2);
  test::put(folder / "file", "not a folder");
  CHECK_THROWS_AS(io->write(folder / "file" / "v.nrrd", volume, {}), Error);
  CHECK_THROWS_AS(io->write(folder / "none" / "v.nrrd", volume, {}), Error);
  try {
    io->write(folder / "v.unknown", volume, {});
    FAIL("an unknown extension was written");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::Unsupported);
    CHECK(std::string(error.what()).find(".nrrd") != std::string::npos);
  }
  if (test::hasItk(*io)) CHECK_THROWS_AS(io->write(folder / "v.png", volume, {}), Error);
  CHECK(test::entriesOf(folder.path()) == 1);
}

TEST_CASE_METHOD(test::IoFolder, "a disk that fills up is told and cleaned up") {
  const Volume volume = test::randomVolume({64, 64, 32, 1}, ElementType::f32, 2);
  const Volume picture = test::randomVolume({512, 400, 1, 3}, ElementType::u8, 2);
  // A limit on the size of files is how a full disk looks to the writers, without filling one.
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto oldHandler = ::signal(SIGXFSZ, SIG_IGN);
  for (const char* name : {"v.nrrd", "v.nhdr", "v.mha", "v.mhd", "v.nii", "v.nii.gz", "v.tif", "v.vti", "v.vtk", "v.h5",
                           "v.raw", "z.nrrd", "z.mha", "z.tif", "v.ome.tif", "v.zarr", "z.zarr", "p.png", "p.jpg"}) {
    const Volume& content = name[0] == 'p' ? picture : volume;
    WriteOptions options;
    options.compress = name[0] == 'z';
    try {
      io->checkWritable(name, content.shape(), content.type());
    } catch (const Error&) {
      continue;
    }
    CAPTURE(name);
    const rlimit small{100000, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    bool failed = false;
    std::string sentence;
    try {
      io->write(folder / name, content, options, {});
    } catch (const Error& error) {
      failed = true;
      sentence = error.what();
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    CHECK(failed);
    CHECK(test::isOneSentence(sentence));
    CHECK(sentence.find(".part-") == std::string::npos);
    CHECK(test::entriesOf(folder.path()) == 0);
  }
  ::signal(SIGXFSZ, oldHandler);
}

}  // namespace sscope
