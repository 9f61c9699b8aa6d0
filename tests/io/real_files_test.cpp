// Real files against figures computed by independent readers.

#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

using nlohmann::json;

json manifestEntries(const std::filesystem::path& volumes) {
  std::ifstream file(volumes / "MANIFEST.json");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  // Python writes NaN, which JSON does not know.
  for (std::size_t at = 0; (at = text.find(" NaN", at)) != std::string::npos;) text.replace(at, 4, "null");
  return json::parse(text).at("files");
}

double number(const json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

bool nearly(double value, double expected) {
  return std::abs(value - expected) <= 1e-6 * std::max(1.0, std::abs(expected));
}

// By coreutils.
std::string sha256(const Volume& volume) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "voxels", std::ios::binary)
      .write(reinterpret_cast<const char*>(volume.data()), static_cast<std::streamsize>(volume.bytes()));
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(("sha256sum " + (folder / "voxels").string()).c_str(), "r"),
                                                   ::pclose);
  std::array<char, 65> hash{};
  REQUIRE(std::fread(hash.data(), 1, 64, pipe.get()) == 64);
  return hash.data();
}

// Values of our element type in the manifest's type; the types that differ on purpose give an empty answer.
std::string hashOf(const Volume& volume, const std::string& dtype) {
  const std::map<std::string, ElementType> kTypes = {
      {"|u1", ElementType::u8},  {"|i1", ElementType::i8},  {"<u2", ElementType::u16}, {"<i2", ElementType::i16},
      {"<u4", ElementType::u32}, {"<i4", ElementType::i32}, {"<f4", ElementType::f32}, {"<f8", ElementType::f64}};
  const auto found = kTypes.find(dtype);
  if (found == kTypes.end() || found->second != volume.type()) return {};
  return sha256(volume);
}

void checkStatistics(const json& stats, const Volume& volume) {
  const VolumeStatistics own = statistics(volume);
  CHECK(volume.shape().elements() == stats.at("count").get<std::int64_t>());
  CHECK(nearly(own.minimum, number(stats.at("min"))));
  CHECK(nearly(own.maximum, number(stats.at("max"))));
  CHECK(nearly(own.mean, number(stats.at("mean"))));
}

void checkGeometry(const json& independent, const Geometry& g) {
  const auto list = [&](const char* key) {
    return independent.contains(key) && independent[key].is_array() ? independent[key] : json::array();
  };
  const json spacing = list("spacing"), origin = list("origin"), direction = list("direction");
  for (std::size_t a = 0; a < std::min<std::size_t>(3, spacing.size()); ++a)
    if (spacing[a].is_number()) CHECK(g.spacing[a] == Approx(spacing[a].get<double>()).epsilon(1e-5));
  for (std::size_t a = 0; a < std::min<std::size_t>(3, origin.size()); ++a)
    CHECK(g.origin[a] == Approx(origin[a].get<double>()).epsilon(1e-5).margin(1e-6));
  if (direction.empty() || !direction[0].is_array()) return;
  for (std::size_t r = 0; r < direction.size(); ++r)
    for (std::size_t a = 0; a < direction[r].size(); ++a)
      CHECK(g.direction[3 * r + a] == Approx(direction[r][a].get<double>()).margin(1e-5));
}

}  // namespace

TEST_CASE("good files give the independent figures") {
  const auto io = makeVolumeIo();
  const auto data = test::sharedData();
  if (!data) SSCOPE_SKIP("the shared data is not there");
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  int files = 0;
  for (const json& entry : manifestEntries(*data / "volumes")) {
    const std::string path = entry.at("path");
    if (!path.starts_with("good/")) continue;
    CAPTURE(path);
    const LoadedVolume loaded = io->read((*data / "volumes" / path).string(), {});
    const json& independent = entry.at("independent");
    auto dims = independent.at("dims").get<std::vector<std::int64_t>>();
    dims.resize(3, 1);
    CHECK(loaded.volume.shape() == VolumeShape{dims[0], dims[1], dims[2], independent.at("components").get<int>()});
    checkStatistics(entry.at("stats"), loaded.volume);
    checkGeometry(independent, loaded.volume.geometry());
    // Scaled 16-bit integers are f32 here and f64 in the manifest: the statistics decide.
    const std::string dtype = entry.at("voxel_dtype");
    if (const std::string hash = hashOf(loaded.volume, dtype); !hash.empty()) {
      CHECK(hash == entry.at("voxel_sha256").get<std::string>());
    } else {
      CHECK(path == "good/nifti/strokez.nii.gz");
    }
    const VolumeInfo probed = io->probe((*data / "volumes" / path).string(), {});
    CHECK(probed.shape == loaded.info.shape);
    CHECK(probed.type == loaded.info.type);
    ++files;
  }
  CHECK(files == 13);
}

TEST_CASE("odd files are read as they should be or refused in one sentence") {
  const auto io = makeVolumeIo();
  const auto data = test::sharedData();
  if (!data) SSCOPE_SKIP("the shared data is not there");
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  // Read, with other figures than the manifest's, for these reasons.
  const std::map<std::string, std::string> kOtherFigures = {
      {"odd/tiff/pillow/tiff_16bit_RGBa.tiff", "the manifest's reader cuts 16 bits to 8"},
      {"odd/tiff/pillow/tiff_strip_planar_16bit_RGBa.tiff", "the manifest's reader cuts 16 bits to 8"},
      {"odd/tiff/pillow/g4-multi.tiff", "three pages here, one there; small values mean white"},
      {"odd/dicom/files/rtdose.dcm", "the dose is scaled here"},
      {"odd/dicom/files/examples_palette.dcm", "the palette is applied here"},
      {"odd/2d/pillow/l_trns.png", "the transparency is a component here"},
      {"odd/2d/pillow/hopper_bw_500.png", "libpng gives 1-bit gray as 0 and 255"},
  };
  // Refused although the manifest has figures.
  const std::map<std::string, std::string> kRefused = {
      {"odd/other/small.mnc", "MINC is not among our formats"},
      {"odd/tiff/pillow/separate_planar_extra_samples.tiff", "its second strip is empty"},
      {"odd/dicom/files/SC_rgb_rle_32bit_2frame.dcm", "GDCM decodes 32-bit colors wrongly"},
  };
  int read = 0, refused = 0;
  for (const json& entry : manifestEntries(*data / "volumes")) {
    const std::string path = entry.at("path");
    if (!path.starts_with("odd/")) continue;
    CAPTURE(path);
    const std::string full = (*data / "volumes" / path).string();
    try {
      const LoadedVolume loaded = io->read(full, {});
      ++read;
      CHECK(kRefused.count(path) == 0);
      if (!entry.contains("stats") || entry["stats"]["min"].is_null() || kOtherFigures.count(path) > 0) continue;
      // Black-and-white pictures: libpng's 0 and 255 apart (above), the values are 0 and 1 as in the manifest.
      checkStatistics(entry["stats"], loaded.volume);
    } catch (const Error& error) {
      ++refused;
      CAPTURE(error.what());
      CHECK(test::isOneSentence(error.what()));
      CHECK(std::string(error.what()).find("crashed") == std::string::npos);
      const bool dataAbsent = std::string(error.what()).find("is missing") != std::string::npos;
      CHECK((entry.contains("independent_error") || path.starts_with("odd/hdf5/") || kRefused.count(path) > 0 ||
             dataAbsent));
    }
  }
  CHECK(read > 50);
  CHECK(refused > 15);
}

}  // namespace sscope
