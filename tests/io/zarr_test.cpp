// Stores of OME-Zarr: what is written comes back, nothing leads out of a store, and damaged ones end in a sentence or
// in their own values.

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/stopwatch.h"
#include "core/io/volume_io.h"
#include "core/io/zarr/zarr_codecs.h"
#include "core/volume/volume_stream.h"
#include "tests/io/io_support.h"
#include "tests/io/mutation.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::TemporaryFolder;

std::span<const std::byte> bytesOf(const Volume& volume) {
  return {volume.data(), static_cast<std::size_t>(volume.bytes())};
}

std::string little(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

std::string checked(const std::string& bytes) { return bytes + little(io::crc32c(std::as_bytes(std::span(bytes))), 4); }

json thirdArray(const json& shape, const json& chunk, const json& codecs) {
  return {{"zarr_format", 3},
          {"node_type", "array"},
          {"shape", shape},
          {"data_type", "uint8"},
          {"chunk_grid", {{"name", "regular"}, {"configuration", {{"chunk_shape", chunk}}}}},
          {"chunk_key_encoding", {{"name", "default"}, {"configuration", {{"separator", "/"}}}}},
          {"fill_value", 7},
          {"codecs", codecs}};
}

// Of 4 x 4 x 4 voxels, 0 to 63: eight chunks of 2 x 2 x 2 in one file, each with its checksum, and a table with its
// own.
void putShards(const fs::path& store) {
  const json bytes = {{"name", "bytes"}, {"configuration", {{"endian", "little"}}}}, sum = {{"name", "crc32c"}};
  const json shards = {{"name", "sharding_indexed"},
                       {"configuration",
                        {{"chunk_shape", {2, 2, 2}},
                         {"codecs", {bytes, sum}},
                         {"index_codecs", {bytes, sum}},
                         {"index_location", "end"}}}};
  std::string file, table;
  for (int z = 0; z < 4; z += 2)
    for (int y = 0; y < 4; y += 2)
      for (int x = 0; x < 4; x += 2) {
        std::string chunk;
        for (int i = 0; i < 8; ++i) chunk += static_cast<char>(16 * (z + i / 4) + 4 * (y + i / 2 % 2) + x + i % 2);
        table += little(file.size(), 8) + little(chunk.size() + 4, 8);
        file += checked(chunk);
      }
  fs::create_directories(store / "c/0/0");
  test::put(store / "zarr.json", thirdArray({4, 4, 4}, {4, 4, 4}, json::array({shards})).dump());
  test::put(store / "c/0/0/0", file + checked(table));
}

// The same voxels, in one chunk of version 2 that gzip packed.
void putGzip(const fs::path& store) {
  std::vector<std::byte> values(64), packed;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::byte>(i);
  io::packChunk(values, 1, io::ZarrPacking::gzip, packed);
  const json array = {
      {"zarr_format", 2}, {"shape", {4, 4, 4}}, {"chunks", {4, 4, 4}}, {"dtype", "|u1"},
      {"fill_value", 0},  {"order", "C"},       {"filters", nullptr},  {"compressor", {{"id", "gzip"}}}};
  fs::create_directories(store);
  test::put(store / ".zarray", array.dump());
  test::put(store / "0.0.0", {reinterpret_cast<const char*>(packed.data()), packed.size()});
}

std::vector<fs::path> filesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

struct Store {
  fs::path path;
  std::string kind;
  bool checksums = false;  // of every byte of a chunk
  bool sizes = false;      // chunks are of known sizes
};

std::vector<Store> makeStores(VolumeIo& io, const fs::path& folder) {
  std::vector<Store> stores;
  putShards(folder / "shards.zarr");
  stores.push_back({folder / "shards.zarr", "shards", true, false});
  putGzip(folder / "gzip.zarr");
  stores.push_back({folder / "gzip.zarr", "gzip", true, false});
  const auto write = [&](const char* name, const VolumeShape& shape, ElementType type, const WriteOptions& how) {
    io.write(folder / name, test::randomVolume(shape, type, 4), how, {});
    stores.push_back({folder / name, name, false, !how.compress});
  };
  WriteOptions frames;
  frames.metadata.frames = 2;
  frames.metadata.channels = {"a", "b"};
  write("plain.ome.zarr", {9, 7, 5, 1}, ElementType::u16, {});
  write("third.ome.zarr", {5, 4, 3, 4}, ElementType::f32, [&] {
    auto how = frames;
    how.zarr3 = true;
    return how;
  }());
  write("packed.ome.zarr", {300, 20, 3, 1}, ElementType::u8, {.metadata = {}, .compress = true});
  write("packed3.ome.zarr", {9, 7, 5, 1}, ElementType::i16, {.metadata = {}, .compress = true, .zarr3 = true});
  return stores;
}

struct Damage {
  const Store* store;
  fs::path file;  // within it
  std::string content;
  bool isChunk, sameSize;
};

struct DamageResult {
  int tried = 0, refused = 0;
  double longest = 0;
  std::vector<std::string> wrong;
};

// What is wrong about reading the damaged store; empty: nothing.
std::string wrongReading(VolumeIo& io, const fs::path& path, const Damage& damage, const Volume& right, bool& refused) {
  try {
    const LoadedVolume loaded = io.read(path.string(), {});
    static_cast<void>(statistics(loaded.volume));
    const bool same =
        loaded.volume.shape() == right.shape() && std::ranges::equal(bytesOf(loaded.volume), bytesOf(right));
    if (damage.isChunk && !same && damage.store->checksums) return "other values, which a checksum proves wrong";
    if (damage.isChunk && !damage.sameSize && damage.store->sizes) return "read, although a chunk has another size";
    return {};
  } catch (const Error& error) {
    refused = true;
    return test::isOneSentence(error.what()) ? std::string() : "no sentence: " + std::string(error.what());
  }
}

DamageResult damageStores(int count) {
  const auto io = makeVolumeIo();
  const TemporaryFolder folder;
  const std::vector<Store> stores = makeStores(*io, folder.path());
  std::vector<Volume> right;
  std::vector<Damage> damages;
  const auto seed = static_cast<std::uint32_t>(test::Sampling::ofRun().seed);
  for (const Store& store : stores) {
    right.push_back(io->read(store.path.string(), {}).volume);
    const std::vector<fs::path> files = filesIn(store.path);
    std::vector<fs::path> texts, chunks;
    for (const fs::path& file : files)
      (file.filename() == "zarr.json" || file.filename().string().starts_with(".z") ? texts : chunks).push_back(file);
    for (int n = 0; n < count / static_cast<int>(stores.size()) + 1; ++n) {
      const auto& from = n % 2 == 0 ? texts : chunks;
      const fs::path& file = from[static_cast<std::size_t>(n / 2) % from.size()];
      const std::string whole = test::contentOf(file);
      std::string content = test::mutated(whole, static_cast<std::uint32_t>(n) * 31 + 7919 * seed);
      const bool sameSize = content.size() == whole.size();
      damages.push_back({&store, fs::relative(file, store.path), std::move(content), n % 2 == 1, sameSize});
    }
  }
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  DamageResult result;
  const auto work = [&] {
    for (std::size_t i = next++; i < damages.size(); i = next++) {
      const Damage& damage = damages[i];
      const fs::path own = folder / (std::to_string(i) + ".zarr");
      fs::copy(damage.store->path, own, fs::copy_options::recursive);
      std::ofstream(own / damage.file, std::ios::binary | std::ios::trunc) << damage.content;
      bool refused = false;
      const Stopwatch since;
      const std::string wrong =
          wrongReading(*io, own, damage, right[static_cast<std::size_t>(damage.store - stores.data())], refused);
      const double seconds = since.seconds();
      fs::remove_all(own);
      const std::lock_guard lock(mutex);
      ++result.tried;
      result.refused += refused ? 1 : 0;
      result.longest = std::max(result.longest, seconds);
      if (!wrong.empty())
        result.wrong.push_back(damage.store->kind + ", " + damage.file.string() + " number " + std::to_string(i) +
                               ": " + wrong);
    }
  };
  {
    std::jthread other(work);
    work();
  }
  return result;
}

// A volume whose levels are worth writing.
Volume ramp() {
  Volume volume({600, 3, 2, 1}, ElementType::u16);
  auto values = volume.elements<std::uint16_t>();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint16_t>(i % 600);
  Geometry geometry;
  geometry.spacing = {0.5, 1, 2};
  geometry.origin = {10, 20, 30};
  geometry.unit = "um";
  volume.setGeometry(geometry);
  return volume;
}

}  // namespace

TEST_CASE_METHOD(test::IoFolder, "stores of both versions keep points in time, channels, labels and units") {
  for (const bool third : {false, true})
    for (const bool compress : {false, true}) {
      CAPTURE(third, compress);
      WriteOptions how;
      how.zarr3 = third;
      how.compress = compress;
      how.metadata.frames = 3;
      how.metadata.frameSeconds = 0.25;
      how.metadata.channels = {"nuclei", "membrane"};
      Volume volume = test::randomVolume({70, 6, 5, 6}, ElementType::i16, 5);
      Geometry geometry;
      geometry.unit = "nm";
      geometry.spacing = {2, 3, 4};
      volume.setGeometry(geometry);
      io->write(folder / "v.ome.zarr", volume, how, {});
      const LoadedVolume back = io->read((folder / "v.ome.zarr").string(), {});
      CHECK(test::sameVoxels(back.volume, volume));
      CHECK(back.info.metadata.frames == 3);
      CHECK(back.info.metadata.frameSeconds == 0.25);
      CHECK(back.info.metadata.channels == how.metadata.channels);
      CHECK(back.info.geometry.unit == "nm");
      CHECK(back.info.format == (third ? "OME-Zarr 0.5" : "OME-Zarr 0.4"));
      const LoadedVolume one = io->read((folder / "v.ome.zarr").string() + "@t=2,c=1", {});
      REQUIRE(one.volume.shape() == VolumeShape{70, 6, 5, 1});
      CHECK(one.volume.value(69, 5, 4) == volume.value(69, 5, 4, 5));
      CHECK(one.info.fileFrames == 3);
      const LoadedVolume channel = io->read((folder / "v.ome.zarr").string() + "@c=1", {});
      REQUIRE(channel.volume.shape().components == 3);
      CHECK(channel.volume.value(3, 2, 1, 2) == volume.value(3, 2, 1, 5));
      WriteOptions labels;
      labels.zarr3 = third;
      labels.metadata.labels = true;
      io->write(folder / "l.zarr", test::randomVolume({4, 4, 4, 1}, ElementType::u32, 5), labels, {});
      CHECK(io->probe((folder / "l.zarr").string(), {}).metadata.labels);
    }
}

TEST_CASE_METHOD(test::IoFolder, "a pyramid has means of blocks at their places, and of labels the first voxel") {
  const std::string name = (folder / "v.ome.zarr").string();
  io->write(name, ramp(), {});
  const LoadedVolume first = io->read(name + "@level=1", {}), second = io->read(name + "@level=2", {});
  REQUIRE(first.volume.shape() == VolumeShape{300, 2, 1, 1});
  CHECK(first.volume.value(7, 1, 0) == 15);  // the mean of 14 and 15, rounded
  CHECK(first.info.geometry.spacing == std::array<double, 3>{1, 2, 4});
  CHECK(first.info.geometry.origin == std::array<double, 3>{10.25, 20.5, 31});
  CHECK(second.volume.shape() == VolumeShape{150, 1, 1, 1});
  CHECK(io->probe(name, {}).levels == 3);
  CHECK(io->openSource(name, {})->info().levels == 3);
  CHECK(second.info.levels == 1);
  CHECK_THAT(test::errorOfReading(*io, name + "@level=3").what(), ContainsSubstring("no level 3"));
  WriteOptions labels;
  labels.metadata.labels = true;
  io->write(name, ramp(), labels, {});
  CHECK(io->read(name + "@level=1", {}).volume.value(7, 1, 0) == 14);
}

TEST_CASE_METHOD(test::IoFolder, "planes of a store are those of the whole, and a sink writes what the writer does") {
  for (const VolumeShape& shape : {VolumeShape{40, 30, 70, 1}, {300, 270, 1, 3}, {70000, 1, 1, 1}}) {
    CAPTURE(shape.text());
    const Volume volume = test::randomVolume(shape, ElementType::u16, 5);
    io->write(folder / "whole.zarr", volume, {.metadata = {}, .compress = true}, {});
    const std::int64_t planes = volume.spec().extent[slowestAxis(volume.spec().extent)];
    const auto planeBytes = static_cast<std::size_t>(volume.bytes() / planes);
    {
      const auto sink = io->openSink(folder / "slabs.zarr", outlineOf(volume), {.metadata = {}, .compress = true});
      for (std::int64_t at = 0; at < planes; at += 33) {
        const auto count = static_cast<std::size_t>(std::min<std::int64_t>(33, planes - at));
        sink->write(at, bytesOf(volume).subspan(static_cast<std::size_t>(at) * planeBytes, count * planeBytes), {});
      }
      sink->finish({});
    }
    const auto whole = filesIn(folder / "whole.zarr"), slabs = filesIn(folder / "slabs.zarr");
    REQUIRE(whole.size() == slabs.size());
    for (std::size_t i = 0; i < whole.size(); ++i)
      if (whole[i].filename() != ".zattrs") CHECK(test::contentOf(whole[i]) == test::contentOf(slabs[i]));
    const auto source = io->openSource((folder / "slabs.zarr").string(), {});
    std::vector<std::byte> some(20 * planeBytes);
    for (const std::int64_t begin : {planes - 20, std::int64_t{5}, std::int64_t{17}}) {
      source->read(begin, begin + 20, some, {});
      CHECK(
          std::ranges::equal(some, bytesOf(volume).subspan(static_cast<std::size_t>(begin) * planeBytes, some.size())));
    }
  }
}

TEST_CASE_METHOD(test::IoFolder, "chunks that a store does not have get its fill value, and are counted") {
  putShards(folder / "s.zarr");
  CHECK(io->read((folder / "s.zarr").string(), {}).volume.value(1, 2, 3) == 57);
  fs::remove(folder / "s.zarr/c/0/0/0");
  const LoadedVolume empty = io->read((folder / "s.zarr").string(), {});
  CHECK(empty.volume.value(1, 2, 3) == 7);
  CHECK(test::says(empty.info, "1 of 1 chunks are not in the store"));
}

TEST_CASE_METHOD(test::IoFolder, "nothing in a store leads out of it") {
  putGzip(folder / "secret.zarr");
  fs::create_directories(folder / "v.ome.zarr");
  test::put(folder / "v.ome.zarr/.zgroup", R"({"zarr_format":2})");
  const auto named = [&](const std::string& path) {
    test::put(folder / "v.ome.zarr/.zattrs",
              R"({"multiscales":[{"version":"0.4","axes":["z","y","x"],"datasets":[{"path":")" + path + R"("}]}]})");
    return std::string(test::errorOfReading(*io, (folder / "v.ome.zarr").string()).what());
  };
  CHECK_THAT(named("../secret.zarr"), ContainsSubstring("cannot be inside it"));
  CHECK_THAT(named((folder / "secret.zarr").string()), ContainsSubstring("cannot be inside it"));
  fs::create_directory_symlink(folder / "secret.zarr", folder / "v.ome.zarr/0");
  CHECK_THAT(named("0"), ContainsSubstring("symbolic link"));
  fs::remove(folder / "v.ome.zarr/0");
  fs::copy(folder / "secret.zarr", folder / "v.ome.zarr/0", fs::copy_options::recursive);
  fs::remove(folder / "v.ome.zarr/0/0.0.0");
  fs::create_symlink(folder / "secret.zarr/0.0.0", folder / "v.ome.zarr/0/0.0.0");
  CHECK_THAT(named("0"), ContainsSubstring("symbolic link"));
}

TEST_CASE_METHOD(test::IoFolder, "a store takes the place of a store, and of nothing else") {
  const Volume old = test::randomVolume({5, 4, 3, 1}, ElementType::u8, 1),
               young = test::randomVolume({6, 4, 3, 1}, ElementType::u8, 2);
  io->write(folder / "v.zarr", old, {});
  test::put(folder / "v.zarr/note", "of the old one");
  CHECK_THROWS_WITH(io->write(folder / "v.zarr", young, {}), ContainsSubstring("would remove note"));
  CHECK(test::contentOf(folder / "v.zarr/note") == "of the old one");
  fs::remove(folder / "v.zarr/note");
  for (const bool third : {true, false}) {
    WriteOptions options;
    options.zarr3 = third;
    io->write(folder / "v.zarr", young, options, {});
    CHECK(test::sameVoxels(io->read((folder / "v.zarr").string(), {}).volume, young));
  }
  fs::create_directory(folder / "other.zarr");
  test::put(folder / "other.zarr/thesis.txt", "years of work");
  test::put(folder / "file.zarr", "a file");
  for (const char* name : {"other.zarr", "file.zarr"})
    CHECK_THROWS_WITH(io->write(folder / name, young, {}), ContainsSubstring("Zarr store"));
  CHECK(test::contentOf(folder / "other.zarr/thesis.txt") == "years of work");
  // Canceled in between.
  std::stop_source stop;
  Control control{stop.get_token(), [&](double fraction, std::string_view) {
                    if (fraction > 0.5) stop.request_stop();
                  }};
  CHECK_THROWS_AS(io->write(folder / "v.zarr", old, WriteOptions{}, control), Canceled);
  CHECK(test::sameVoxels(io->read((folder / "v.zarr").string(), {}).volume, young));
  CHECK(test::entriesOf(folder.path()) == 3);
}

TEST_CASE_METHOD(test::IoFolder, "of several images the first is read, and of several arrays none") {
  fs::create_directories(folder / "s.zarr");
  test::put(folder / "s.zarr/.zgroup", R"({"zarr_format":2})");
  test::put(folder / "s.zarr/.zattrs", R"({"bioformats2raw.layout":3})");
  CHECK_THAT(test::errorOfReading(*io, (folder / "s.zarr").string()).what(), ContainsSubstring("holds no image"));
  io->write(folder / "s.zarr/0.zarr", test::randomVolume({5, 4, 3, 1}, ElementType::u8, 1), {});
  io->write(folder / "s.zarr/1.zarr", test::randomVolume({6, 4, 3, 1}, ElementType::u8, 1), {});
  const std::string name = (folder / "s.zarr").string();
  const VolumeInfo first = io->probe(name, {});
  CHECK(first.shape.nx == 5);
  CHECK(test::says(first, "the store holds 2 series, of which @series=1 was read"));
  CHECK(io->probe(name + "@series=2", {}).shape.nx == 6);
  CHECK(io->probe(name + ":/1.zarr", {}).shape.nx == 6);
  CHECK_THAT(test::errorOfReading(*io, name + "@series=3").what(), ContainsSubstring("the store holds 2"));
  test::put(folder / "s.zarr/.zattrs", "{}");
  putGzip(folder / "s.zarr/0.zarr/3");
  putGzip(folder / "s.zarr/2.zarr");
  CHECK_THAT(test::errorOfReading(*io, name).what(), ContainsSubstring("3 arrays"));
  CHECK_THAT(test::errorOfReading(*io, name + ":/nowhere").what(), ContainsSubstring("no array and no group"));
}

TEST_CASE("damaged stores end in a sentence, or in their own values where a checksum or a size proves them") {
  INFO(test::Sampling::howToRepeat());
  const int count = test::takesAll() ? 600 : 84;
  const DamageResult result = damageStores(count);
  CHECK(result.tried >= count);
  CHECK(result.refused > count / 4);
  for (const std::string& wrong : result.wrong) FAIL_CHECK(wrong);
}

TEST_CASE("ten thousand damaged stores end in a sentence, or in their own values", "[.][long]") {
  const DamageResult result = damageStores(10'000);
  CHECK(result.tried >= 10'000);
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  std::cout << result.tried << " damaged stores, " << result.refused << " refused, " << result.wrong.size()
            << " wrong outcomes; at most " << result.longest << " s and " << used.ru_maxrss / 1024 << " MiB each\n";
  for (const std::string& wrong : result.wrong) FAIL_CHECK(wrong);
}

}  // namespace sscope
