// NumPy's arrays and MRC files as other programs write them.

#include <bit>
#include <cstring>

#include "core/io/volume_io.h"
#include "core/volume/selection.h"
#include "tests/io/io_support.h"
#include "tests/io/planes.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

using test::TemporaryFolder;

template <class T>
std::string bytesOf(std::initializer_list<T> values, bool swapped = false) {
  std::string bytes;
  for (const T value : values) {
    std::string one(sizeof value, '\0');
    std::memcpy(one.data(), &value, sizeof value);
    if (swapped) std::reverse(one.begin(), one.end());
    bytes += one;
  }
  return bytes;
}

std::string npy(const std::string& type, bool fortran, const std::string& shape, const std::string& values) {
  std::string text =
      "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
  text.resize(117, ' ');
  text += '\n';
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(text.size()) + '\0' + text + values;
}

struct MrcFile {
  std::int32_t mode = 2, group = 1, mz = 2, more = 0;
  std::array<std::int32_t, 3> axes{1, 2, 3};
  bool swapped = false, word = true;
  std::string values;
};

// 3 columns, 1 row, 2 sections in a cell of 30, 20 and 10 angstrom.
std::string mrc(const MrcFile& file) {
  std::string header(1024, '\0');
  const auto put = [&](std::size_t at, const std::string& bytes) { header.replace(at, bytes.size(), bytes); };
  const auto whole = [&](std::size_t at, std::initializer_list<std::int32_t> n) { put(at, bytesOf(n, file.swapped)); };
  whole(0, {3, 1, 2, file.mode});
  whole(28, {3, 1, file.mz});
  put(40, bytesOf<float>({30, 20, 10, 90, 90, 90}, file.swapped));
  whole(64, {file.axes[0], file.axes[1], file.axes[2]});
  whole(88, {file.group, file.more});
  put(196, bytesOf<float>({100, 200, 300}, file.swapped));
  if (file.word) put(208, std::string("MAP ") + (file.swapped ? "\x11\x11" : "\x44\x44"));
  return header + std::string(static_cast<std::size_t>(file.more), 'x') + file.values;
}

LoadedVolume read(const std::string& name, const std::string& bytes, const std::string& choice = {}) {
  const TemporaryFolder folder;
  test::put(folder / name, bytes);
  return makeVolumeIo()->read((folder / name).string() + choice, {});
}

Error errorOf(const std::string& name, const std::string& bytes) {
  const TemporaryFolder folder;
  test::put(folder / name, bytes);
  const auto io = makeVolumeIo();
  const Error error = test::errorOfReading(*io, (folder / name).string());
  CHECK(test::isOneSentence(error.what()));
  return error;
}

}  // namespace

TEST_CASE("arrays of either byte order and either order of axes are the same") {
  for (const bool swapped : {false, true}) {
    const std::string type = swapped ? ">i2" : "<i2";
    const auto rows = bytesOf<std::int16_t>({1, 2, 3, 4, 5, 6}, swapped),
               columns = bytesOf<std::int16_t>({1, 4, 2, 5, 3, 6}, swapped);
    for (const std::string& bytes : {npy(type, false, "(2, 3)", rows), npy(type, true, "(2, 3)", columns)}) {
      const LoadedVolume loaded = read("a.npy", bytes);
      CHECK(loaded.volume.shape() == VolumeShape{3, 2, 1, 1});
      CHECK(loaded.volume.type() == ElementType::i16);
      CHECK(loaded.volume.value(0, 1, 0) == 4);
      CHECK(loaded.info.geometry.unit.empty());
    }
  }
  CHECK(read("a.npy", npy("<i4", false, "(3,)", bytesOf<std::int32_t>({7, 8, 9}))).volume.shape() ==
        VolumeShape{3, 1, 1, 1});
}

TEST_CASE("the first of four or five axes is time, the last of five the component") {
  const auto values = bytesOf<float>({0, 1, 2, 3, 4, 5, 6, 7});
  LoadedVolume loaded = read("a.npy", npy("<f4", false, "(2, 2, 1, 2)", values));
  CHECK(loaded.volume.shape() == VolumeShape{2, 1, 2, 2});
  CHECK(loaded.info.metadata.frames == 2);
  CHECK(loaded.volume.value(1, 0, 0, 1) == 5);
  loaded = read("a.npy", npy("<f4", false, "(2, 1, 1, 2, 2)", values));
  CHECK(loaded.volume.shape() == VolumeShape{2, 1, 1, 4});
  CHECK(loaded.volume.value(1, 0, 0, 2) == 6);
  // The same in Fortran's order, and as complex numbers.
  loaded = read("a.npy", npy("<f4", true, "(2, 1, 1, 2, 2)", bytesOf<float>({0, 4, 2, 6, 1, 5, 3, 7})));
  CHECK(loaded.volume.value(1, 0, 0, 2) == 6);
  loaded = read("a.npy", npy("<c8", true, "(2, 2)", values));
  CHECK(loaded.volume.shape() == VolumeShape{2, 2, 1, 2});
  CHECK(loaded.volume.value(1, 0, 0, 1) == 5);
}

TEST_CASE("arrays of 64-bit integers, truths and half floats get types of ours") {
  CHECK(read("a.npy", npy("<i8", false, "(2,)", bytesOf<std::int64_t>({-1, 5}))).volume.type() == ElementType::i32);
  CHECK(read("a.npy", npy("|b1", false, "(2,)", "\1\1")).volume.type() == ElementType::u8);
  const LoadedVolume half = read("a.npy", npy("<f2", false, "(2,)", bytesOf<std::uint16_t>({0x3c00, 0xc000})));
  CHECK(half.volume.type() == ElementType::f32);
  CHECK(half.volume.value(1, 0, 0) == -2);
}

TEST_CASE("what is no array of numbers, or not all of one, is refused") {
  const std::string values(24, 'v');
  CHECK(errorOf("a.npy", npy("<U6", false, "(1,)", values)).kind() == ErrorKind::Unsupported);
  CHECK(errorOf("a.npy", npy("|O", false, "(1,)", values)).kind() == ErrorKind::Unsupported);
  CHECK(errorOf("a.npy", npy("<f4", false, "(0, 6)", values)).kind() == ErrorKind::Unsupported);
  CHECK(errorOf("a.npy", npy("<f4", false, "(2, 1, 1, 1, 1, 3)", values)).kind() == ErrorKind::Unsupported);
  CHECK(errorOf("a.npy", npy("<f4", false, "(7,)", values)).kind() == ErrorKind::BadData);
  CHECK(errorOf("a.npy", npy("<f4", true, "(7, 2)", values)).kind() == ErrorKind::BadData);
  CHECK(errorOf("a.npy", npy("<f4", false, "(-6,)", values)).kind() == ErrorKind::BadData);
  CHECK(errorOf("a.npy", npy("<f4", false, "(99999999999, 99999999999)", values)).kind() == ErrorKind::Memory);
  CHECK(errorOf("a.npy", npy("<f4", false, "(6,)", values).substr(0, 60)).kind() == ErrorKind::BadData);
}

TEST_CASE_METHOD(test::IoFolder, "of an archive the array that is named is read, and its checksum proves it whole") {
  // Two archives of one array each, made to one of two.
  const auto written = [&](double value) {
    Volume volume({2, 1, 1, 1}, ElementType::f32);
    for (float& each : volume.elements<float>()) each = static_cast<float>(value);
    io->write(folder / "one.npz", volume, {});
    return test::contentOf(folder / "one.npz");
  };
  const std::string first = written(1);
  std::string second = written(2);
  const auto tableOf = [](const std::string& bytes) { return bytes.find("PK\1\2"); };
  const std::size_t end = first.find("PK\6\6") - tableOf(first);
  for (std::size_t at = 0; (at = second.find("arr_0", at)) != std::string::npos;) second.replace(at, 5, "mask1");
  std::string table = second.substr(tableOf(second), end);
  const auto offset = static_cast<std::uint32_t>(tableOf(first));
  std::memcpy(table.data() + 42, &offset, 4);
  std::string both = first.substr(0, tableOf(first)) + second.substr(0, tableOf(second));
  const auto start = static_cast<std::uint32_t>(both.size()), bytes = static_cast<std::uint32_t>(2 * end);
  both += first.substr(tableOf(first), end) + table;
  std::string last = first.substr(first.rfind("PK\5\6"));
  last[10] = 2;
  std::memcpy(last.data() + 12, &bytes, 4);
  std::memcpy(last.data() + 16, &start, 4);
  both += last;
  test::put(folder / "two.npz", both);
  const std::string path = (folder / "two.npz").string();
  const LoadedVolume usual = io->read(path, {});
  CHECK(usual.volume.value(0, 0, 0) == 1);
  CHECK(
      usual.info.notices ==
      std::vector<std::string>{"the file holds 2 arrays, of which @array=arr_0 was read; one of these behind the name "
                               "chooses: " +
                               partsText(io->parts(path, {}))});
  const std::vector<FilePart> parts = io->parts(path, {});
  REQUIRE(parts.size() == 2);
  CHECK(parts[1].selector == "@array=mask1");
  CHECK(parts[1].extents == std::vector<std::int64_t>{2, 1});
  CHECK(parts[1].type == "f32");
  CHECK((parts[0].usual && !parts[1].usual));
  CHECK(withPart(path + "@spacing=2um", parts[1]) == path + "@array=mask1,spacing=2x2x2um");
  CHECK(io->parts(path + "@array=mask1", {}).empty());
  CHECK(io->parts((folder / "one.npz").string(), {}).empty());
  CHECK(io->read(path + "@array=mask1", {}).volume.value(1, 0, 0) == 2);
  CHECK(test::errorOfReading(*io, path + "@array=other").kind() == ErrorKind::Usage);
  CHECK(test::errorOfReading(*io, path + "@series=1").kind() == ErrorKind::Usage);
  std::string odd = both;
  for (std::size_t at = odd.find("mask1"); at != std::string::npos; at = odd.find("mask1")) odd.replace(at, 5, "m,@ 1");
  test::put(folder / "odd.npz", odd);
  const std::string selector = io->parts((folder / "odd.npz").string(), {}).at(1).selector;
  CHECK(selector == "@array=m%2C%40 1");
  CHECK(io->read((folder / "odd.npz").string() + selector, {}).volume.value(1, 0, 0) == 2);
  CHECK(io->read((folder / "odd.npz").string() + selector + ",spacing=2um", {}).info.geometry.unit == "um");
  const auto source = io->openSource(path + "@array=mask1", {});
  CHECK(source->plain());
  std::string broken = first;
  broken[tableOf(first) - 1] ^= 1;
  test::put(folder / "one.npz", broken);
  const Error error = test::errorOfReading(*io, (folder / "one.npz").string());
  CHECK(error.kind() == ErrorKind::BadData);
  CHECK_THAT(error.what(), ContainsSubstring("checksum"));
}

TEST_CASE("MRC files of either byte order, with and without their word, have steps and an origin") {
  for (const bool swapped : {false, true})
    for (const bool word : {true, false})
      for (const int more : {0, 160}) {
        const auto values = bytesOf<float>({1, 2, 3, 4, 5, 6}, swapped);
        const LoadedVolume loaded =
            read("a.rec", mrc({.more = more, .swapped = swapped, .word = word, .values = values}));
        CHECK(loaded.volume.shape() == VolumeShape{3, 1, 2, 1});
        CHECK(loaded.volume.value(0, 0, 1) == 4);
        const Geometry& g = loaded.info.geometry;
        CHECK(g.unit == "angstrom");
        CHECK(g.spacing == std::array<double, 3>{10, 20, 5});
        CHECK(g.origin == std::array<double, 3>{100, 200, 300});
      }
}

TEST_CASE("MRC's modes, orders of axes and stacks of volumes") {
  const auto integers = bytesOf<std::int16_t>({-1, 2, 3, 4, 5, 6});
  CHECK(read("a.mrc", mrc({.mode = 1, .values = integers})).volume.value(0, 0, 0) == -1);
  CHECK(read("a.mrc", mrc({.mode = 6, .values = integers})).volume.value(0, 0, 0) == 65535);
  CHECK(read("a.mrc", mrc({.mode = 0, .values = "\xff\1\2\3\4\5"})).volume.value(0, 0, 0) == -1);
  std::string imod = mrc({.mode = 0, .values = "\xff\1\2\3\4\5"});
  imod.replace(152, 4, "IMOD");
  CHECK(read("a.mrc", imod).volume.value(0, 0, 0) == 255);
  CHECK(read("a.mrc", mrc({.mode = 12, .values = std::string(12, '\x3c')})).volume.type() == ElementType::f32);
  CHECK(errorOf("a.mrc", mrc({.mode = 4, .values = std::string(48, 'x')})).kind() == ErrorKind::Unsupported);
  CHECK(errorOf("a.mrc", mrc({.mode = 1, .values = integers.substr(2)})).kind() == ErrorKind::BadData);
  CHECK(errorOf("a.mrc", mrc({}).substr(0, 900)).kind() == ErrorKind::BadData);

  // Columns along z, sections along x.
  const Geometry turned = read("a.mrc", mrc({.mode = 1, .axes = {3, 2, 1}, .values = integers})).info.geometry;
  CHECK(turned.spacing == std::array<double, 3>{5, 20, 10});
  CHECK(turned.direction == std::array<double, 9>{0, 0, 1, 0, 1, 0, 1, 0, 0});

  const LoadedVolume stack = read("a.mrc", mrc({.mode = 1, .group = 401, .mz = 1, .values = integers}));
  CHECK(stack.volume.shape() == VolumeShape{3, 1, 1, 2});
  CHECK(stack.info.metadata.frames == 2);
  CHECK(stack.volume.value(0, 0, 0, 1) == 4);
  CHECK(read("a.mrc", mrc({.mode = 1, .group = 0, .mz = 1, .values = integers})).info.geometry.steps[2] ==
        StepSource::Assumed);
}

}  // namespace sscope
