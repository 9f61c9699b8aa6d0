// The fingerprint of voxels, and the text by which a file says how it was made.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/volume/fingerprint.h"
#include "core/volume/provenance.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

std::span<const std::byte> bytesOfAll(const Volume& volume) {
  return {volume.data(), static_cast<std::size_t>(volume.bytes())};
}

Provenance ofFilter() {
  Provenance made = provenanceOf("filter", {{"bank", {{"filters", nlohmann::json::array()}}}},
                                 Provenance::Data{.name = "brain.nii.gz", .selection = "@t=3"});
  made.engine = "cpu:avx2";
  made.results = {"g <1> & \"2\""};
  return made;
}

}  // namespace

TEST_CASE("a fingerprint does not depend on the pieces in which voxels are seen") {
  for (const VolumeShape& shape : {VolumeShape{7, 5, 9, 1}, {70, 11, 1, 3}, {2000, 1, 1, 1}, {64, 64, 8, 1}}) {
    const Volume volume = test::randomVolume(shape, ElementType::u16, 3);
    CAPTURE(shape.text());
    const std::string whole = fingerprintOf(volume, {});
    CHECK(whole.size() == 32);
    const auto bytes = bytesOfAll(volume);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{1000}}) {
      FingerprintSum sum(shape, ElementType::u16);
      for (std::size_t at = 0; at < bytes.size(); at += piece) {
        CHECK(sum.text().empty());
        sum.follow(bytes.subspan(at, std::min(piece, bytes.size() - at)));
      }
      CHECK(sum.text() == whole);
    }
    // From the last plane to the first, by two that share them.
    FingerprintSum one(shape, ElementType::u16), other = one.empty();
    const auto plane = bytes.size() / static_cast<std::size_t>(one.planes());
    for (std::int64_t p = one.planes(); p-- > 0;)
      (p % 3 == 0 ? one : other).add(p, bytes.subspan(static_cast<std::size_t>(p) * plane, plane));
    one += other;
    CHECK(one.text() == whole);
  }
}

TEST_CASE("a fingerprint finds every change of a byte, of a place, of extents and of the type") {
  Volume volume = test::randomVolume({9, 8, 7, 1}, ElementType::u8, 4);
  const std::string before = fingerprintOf(volume, {});
  for (std::int64_t at = 0; at < volume.bytes(); ++at) {
    volume.data()[at] ^= std::byte{1};
    CHECK(fingerprintOf(volume, {}) != before);
    volume.data()[at] ^= std::byte{1};
  }
  CHECK(fingerprintOf(volume, {}) == before);
  std::swap_ranges(volume.data(), volume.data() + 72, volume.data() + 72);  // two planes
  CHECK(fingerprintOf(volume, {}) != before);
  Volume zeros({4, 4, 4, 1}, ElementType::u8), longer({4, 4, 8, 1}, ElementType::u8),
      other({4, 2, 4, 2}, ElementType::u8), type({4, 4, 4, 1}, ElementType::i8);
  std::vector<std::string> all;
  for (Volume* each : {&zeros, &longer, &other, &type}) {
    std::fill_n(each->data(), each->bytes(), std::byte{0});
    all.push_back(fingerprintOf(*each, {}));
  }
  std::ranges::sort(all);
  CHECK(std::ranges::adjacent_find(all) == all.end());
  // Files hold it: it stays what it is.
  CHECK(fingerprintOf(zeros, {}) == "86cb3b33f7ea5097e5b6704c02ca8449");
}

TEST_CASE("what a file says of how it was made is as long before it is known as after") {
  Provenance made = ofFilter();
  const std::string before = made.text();
  made.variant = "separable";
  made.verified = Provenance::Verified{1.2345678901234567e-300, 123456789.12345678, std::int64_t{1} << 60};
  made.fingerprint = made.data->fingerprint = std::string(32, 'f');
  const std::string after = made.text();
  CHECK(before.size() == after.size());
  CHECK(after.find_first_of("<>&\n") == std::string::npos);
  CHECK(std::ranges::all_of(after, [](char c) { return c >= ' ' && c <= '~'; }));
  const Provenance back = parseProvenance(after);
  CHECK(back.text() == after);
  CHECK(back.results == made.results);
  CHECK(back.data->name == "brain.nii.gz");
  CHECK(back.verified->relativeL2 == made.verified->relativeL2);
  CHECK(pathOf(*back.data, "/scans") == "/scans/brain.nii.gz@t=3");
}

TEST_CASE("what takes too much room is left out, and said so") {
  Provenance made = ofFilter();
  made.data->provenance = nlohmann::json::parse(ofFilter().text());
  CHECK(parseProvenance(made.text()).data->provenance.at("command") == "filter");
  made.data->provenance["options"] = std::string(70000, 'x');
  CHECK(made.text().size() <= kLongestProvenance);
  CHECK(nlohmann::json::parse(made.text()).at("left_out") == nlohmann::json::array({"data.provenance"}));
  CHECK_FALSE(parseProvenance(made.text()).options.is_null());
  made.options = std::string(70000, '<');
  CHECK(made.text().size() <= kLongestProvenance);
  CHECK(parseProvenance(made.text()).options.is_null());
  CHECK(parseProvenance(made.text()).engine == "cpu:avx2");
  const auto lines = linesOf(parseProvenance(made.text()));
  CHECK(std::ranges::count(lines, std::pair<std::string, std::string>("left out", "data.provenance and options")) == 1);
}

TEST_CASE("other texts are refused in one sentence") {
  const auto refusal = [](const std::string& text) {
    try {
      static_cast<void>(parseProvenance(text));
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const std::string start = R"({"schema":"stencilscope.provenance/1","command":"filter")";
  CHECK(refusal(start + "}").empty());
  CHECK_FALSE(refusal("").empty());
  CHECK_FALSE(refusal("[1]").empty());
  CHECK_FALSE(refusal(start).empty());
  CHECK_FALSE(refusal(start + R"(,"engine":7})").empty());
  CHECK_FALSE(refusal(start + R"(,"data":{"name":"../secret.nrrd"}})").empty());
  CHECK_FALSE(refusal(start + R"(,"data":{"name":"x","selection":"/../secret"}})").empty());
  CHECK_FALSE(refusal(start + ",\"options\":" + std::string(300, '[') + std::string(300, ']') + "}").empty());
  CHECK(refusal(R"({"schema":"stencilscope.provenance/2"})").find("newer version") != std::string::npos);
}

}  // namespace sscope
