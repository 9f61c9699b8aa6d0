// Gauge configurations in files: what is written reads back, and what is wrong is refused in one sentence.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/error.h"
#include "core/io/lattice/configuration_io.h"
#include "core/lattice/observables.h"
#include "tests/lattice/configuration_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope::lattice {

using test::contentOf;
using test::distance;
using test::putContent;
using test::someField;

namespace {

const Extents kExtents{4, 2, 3, 5};

std::string refusal(const std::filesystem::path& path, const std::optional<Extents>& extents = {}) {
  try {
    static_cast<void>(makeConfigurationIo()->read(path, {.extents = extents}, {}));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

// Every number of the links in the other byte order.
std::string reversed(std::string content, std::size_t size) {
  const std::size_t begin = content.find("END_HEADER\n") + 11;
  for (std::size_t at = begin; at < content.size(); at += size)
    std::reverse(content.begin() + static_cast<std::ptrdiff_t>(at),
                 content.begin() + static_cast<std::ptrdiff_t>(at + size));
  return content;
}

}  // namespace

TEST_CASE("Configurations that are written read back") {
  const test::TemporaryFolder folder;
  const GaugeField field = someField(kExtents);
  const auto io = makeConfigurationIo();
  for (const ConfigurationFormat format : {ConfigurationFormat::Nersc, ConfigurationFormat::Ildg})
    for (const int precision : {32, 64})
      for (const bool twoRows : {false, true}) {
        if (twoRows && format == ConfigurationFormat::Ildg) continue;
        CAPTURE(precision, twoRows, static_cast<int>(format));
        io->write(folder / "field", field, {format, precision, twoRows}, {});
        const Configuration back = io->read(folder / "field", {}, {});
        CHECK(back.field.lattice() == field.lattice());
        CHECK(distance(back.field, field) < (precision == 32 ? 2e-7 : 1e-15));
        CHECK(back.info.precision == precision);
        CHECK(back.info.format == (format == ConfigurationFormat::Nersc ? "NERSC" : "ILDG"));
        CHECK((back.info.checksummed || !back.info.notices.empty()));
        CHECK(back.info.plaquette == Approx(meanPlaquette(field)).epsilon(1e-6));
        // Written again, the same links: nothing drifts.
        const ConfigurationReadOptions asTheyAre{.keepLinks = true};
        const GaugeField kept = io->read(folder / "field", asTheyAre, {}).field;
        io->write(folder / "again", kept, {format, precision, twoRows}, {});
        CHECK(io->read(folder / "again", asTheyAre, {}).field == kept);
      }
}

TEST_CASE("Both byte orders are read, also where the header leaves them open") {
  const test::TemporaryFolder folder;
  const GaugeField field = someField(kExtents);
  const auto io = makeConfigurationIo();
  for (const int precision : {32, 64}) {
    const std::string bits = std::to_string(precision);
    io->write(folder / "big", field, {ConfigurationFormat::Nersc, precision, true}, {});
    const std::string big = contentOf(folder / "big");
    const std::string little = reversed(big, static_cast<std::size_t>(precision / 8));
    const std::string none =
        big.substr(big.find("CHECKSUM"), big.find('\n', big.find("CHECKSUM")) + 1 - big.find("CHECKSUM"));
    putContent(folder / "a", replaced(little, "IEEE" + bits + "BIG", "IEEE" + bits + "LITTLE"));
    putContent(folder / "b", replaced(big, "IEEE" + bits + "BIG", "IEEE" + bits));
    putContent(folder / "c", replaced(little, "IEEE" + bits + "BIG", "IEEE" + bits));
    putContent(folder / "d", replaced(replaced(little, "IEEE" + bits + "BIG", "IEEE" + bits), none, ""));
    putContent(folder / "e", replaced(replaced(big, "IEEE" + bits + "BIG", "IEEE" + bits), none, ""));
    for (const char* name : {"a", "b", "c", "d", "e"}) {
      INFO(name << bits);
      CHECK(distance(io->read(folder / name, {}, {}).field, field) < 2e-7);
    }
  }
}

TEST_CASE("MILC's files are read in both byte orders") {
  const test::TemporaryFolder folder;
  const GaugeField field = someField(kExtents);
  for (const bool big : {true, false}) {
    std::string content = test::milcFile(field, big);
    putContent(folder / "milc", content);
    const Configuration read = makeConfigurationIo()->read(folder / "milc", {}, {});
    CHECK(distance(read.field, field) < 2e-7);
    CHECK(read.info.format == "MILC v5");
    CHECK(read.info.checksummed);
    content[1000] ^= 1;
    putContent(folder / "milc", content);
    CHECK(refusal(folder / "milc").find("checksum") != std::string::npos);
  }
}

TEST_CASE("Files that are wrong are refused, saying why") {
  const test::TemporaryFolder folder;
  const auto io = makeConfigurationIo();
  const GaugeField field = someField(kExtents);
  io->write(folder / "good", field, {ConfigurationFormat::Nersc, 64, false}, {});
  const std::string good = contentOf(folder / "good");
  const auto wrong = [&](const std::string& content) {
    putContent(folder / "bad", content);
    return refusal(folder / "bad");
  };
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(refusal(folder / "missing"), ContainsSubstring("no such file"));
  CHECK_THAT(refusal(folder.path()), ContainsSubstring("not a file"));
  CHECK_THAT(wrong(""), ContainsSubstring("empty"));
  CHECK_THAT(wrong("P5 4 4 255"), ContainsSubstring("not a gauge configuration"));
  CHECK_THAT(wrong("BEGIN_HEADER\nDATATYPE = 4D_SU3_GAUGE\n"), ContainsSubstring("END_HEADER"));
  CHECK_THAT(wrong(good.substr(0, good.size() - 8)), ContainsSubstring("need"));
  CHECK_THAT(wrong(good + "x"), ContainsSubstring("need"));
  CHECK_THAT(wrong(replaced(good, "DIMENSION_1 = 4", "DIMENSION_1 = 400000")), ContainsSubstring("400000"));
  CHECK_THAT(wrong(replaced(good, "DIMENSION_1 = 4", "DIMENSION_1 = 4096")), ContainsSubstring("need"));
  CHECK_THAT(wrong(replaced(good, "DIMENSION_2 = 2", "DIMENSION_2 = -2")), ContainsSubstring("-2"));
  CHECK_THAT(wrong(replaced(good, "DIMENSION_2 = 2", "DIMENSION_2 = two")), ContainsSubstring("whole number"));
  CHECK_THAT(wrong(replaced(good, "DIMENSION_4 = 5\n", "")), ContainsSubstring("DIMENSION_4"));
  CHECK_THAT(wrong(replaced(good, "4D_SU3_GAUGE_3x3", "4D_SU2_GAUGE")), ContainsSubstring("4D_SU2_GAUGE"));
  CHECK_THAT(wrong(replaced(good, "IEEE64BIG", "VAX")), ContainsSubstring("VAX"));
  CHECK_THAT(wrong(replaced(good, "CHECKSUM = ", "CHECKSUM = 1")),
             ContainsSubstring("CHECKSUM") || ContainsSubstring("checksum"));
  CHECK_THAT(wrong(replaced(good, "PLAQUETTE = 0.", "PLAQUETTE = 0.1")), ContainsSubstring("plaquette"));
  CHECK_THAT(wrong(replaced(good, "LINK_TRACE = 0.", "LINK_TRACE = 0.1")), ContainsSubstring("link trace"));
  CHECK_THAT(refusal(folder / "good", Extents{5, 2, 3, 4}), ContainsSubstring("4x2x3x5"));

  GaugeField broken = field;
  broken.link(7, 2)(1, 1) *= 1.01;
  io->write(folder / "broken", broken, {}, {});
  CHECK_THAT(refusal(folder / "broken"),
             ContainsSubstring("not unitary") && ContainsSubstring("along z at (3, 1, 0, 0)"));
  broken = field;
  broken.link(9, 0)(0, 2) = std::numeric_limits<double>::quiet_NaN();
  io->write(folder / "broken", broken, {}, {});
  CHECK_THAT(refusal(folder / "broken"), ContainsSubstring("finite") || ContainsSubstring("not a number"));
}

TEST_CASE("Records of LIME are checked, and dimensions that are missing are asked for") {
  const test::TemporaryFolder folder;
  const auto io = makeConfigurationIo();
  const GaugeField field = someField(kExtents);
  io->write(folder / "good", field, {ConfigurationFormat::Ildg, 64, false}, {});
  const std::string good = contentOf(folder / "good");
  const auto wrong = [&](const std::string& content, const std::optional<Extents>& extents = {}) {
    putContent(folder / "bad", content);
    return refusal(folder / "bad", extents);
  };
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(wrong(good.substr(0, 100)), ContainsSubstring("header of a record"));
  CHECK_THAT(wrong(good.substr(0, 5000)), ContainsSubstring("cut off"));
  CHECK_THAT(wrong(replaced(good, "<lx>4</lx>", "<lx>5</lx>")), ContainsSubstring("need"));
  CHECK_THAT(wrong(replaced(good, "<lx>4</lx>", "<lx>0</lx>")), ContainsSubstring("0x2x3x5"));
  CHECK_THAT(wrong(replaced(good, "<lx>4</lx>", "<ly>4</ly>")), ContainsSubstring("<lx>"));
  CHECK_THAT(wrong(replaced(good, "<precision>64", "<precision>16")), ContainsSubstring("16"));
  CHECK_THAT(wrong(replaced(good, "ildg-binary-data", "ildg-binary-dust")), ContainsSubstring("no record of links"));
  const std::string nameless = replaced(good, "ildg-format", "ildg-farmat");
  CHECK_THAT(wrong(nameless), ContainsSubstring("--dims"));
  CHECK(wrong(nameless, kExtents).empty());
  CHECK_THAT(wrong(nameless, Extents{4, 4, 4, 4}), ContainsSubstring("need"));
  std::string flipped = good;
  flipped[flipped.size() / 2] ^= 1;  // the lowest bits of a number: the links stay unitary
  putContent(folder / "flipped", flipped);
  try {
    const Configuration read = io->read(folder / "flipped", {}, {});
    CHECK_FALSE(read.info.checksummed);  // a build without CRC-32 says so
    CHECK_FALSE(read.info.notices.empty());
  } catch (const Error& error) {
    CHECK_THAT(error.what(), ContainsSubstring("checksum") || ContainsSubstring("unitary"));
  }
}

TEST_CASE("ILDG files have the records that Grid asserts") {
  const test::TemporaryFolder folder;
  const auto io = makeConfigurationIo();
  ConfigurationWriteOptions options{ConfigurationFormat::Ildg, 64, false};
  for (const bool named : {false, true}) {
    if (named) options.provenance = {{"ILDG_DATA_LFN", "lfn://somewhere/of/this.name"}};
    io->write(folder / "a.lime", someField({2, 2, 2, 2}), options, {});
    // As IldgReader::readConfiguration goes through a file: record by record, by their types.
    const std::string content = contentOf(folder / "a.lime");
    std::map<std::string, std::string> records;
    for (std::size_t at = 0; at < content.size();) {
      REQUIRE(content.substr(at, 4) == "\x45\x67\x89\xab");
      std::size_t bytes = 0;
      for (std::size_t i = 8; i < 16; ++i) bytes = bytes << 8 | static_cast<unsigned char>(content[at + i]);
      records[content.substr(at + 16, 128).c_str()] = content.substr(at + 144, bytes);
      at += 144 + (bytes + 7) / 8 * 8;
    }
    for (const char* type : {"ildg-format", "ildg-binary-data", "ildg-data-lfn", "scidac-checksum"}) {
      CAPTURE(type);
      CHECK(records.contains(type));
    }
    CHECK(records["ildg-data-lfn"] == (named ? "lfn://somewhere/of/this.name" : "lfn://unknown/a.lime"));
    // A name that was made up is no provenance.
    const auto provenance = io->read(folder / "a.lime", {}, {}).info.provenance;
    CHECK(std::ranges::any_of(provenance, [](const auto& one) { return one.first == "ILDG_DATA_LFN"; }) == named);
  }
}

TEST_CASE("The sign of antiperiodic fermions in the last time slice is taken out, once") {
  const test::TemporaryFolder folder;
  const auto io = makeConfigurationIo();
  const GaugeField field = someField(kExtents);
  const Lattice& lattice = field.lattice();
  for (const ConfigurationFormat format : {ConfigurationFormat::Nersc, ConfigurationFormat::Ildg}) {
    GaugeField signedLinks = field;
    for (std::int64_t site = 0; site < lattice.volume(); ++site)
      if (lattice.coordinate(site, 3) + 1 == lattice.extent(3)) signedLinks.link(site, 3) *= -1.0;
    io->write(folder / "signed", signedLinks, {format, 64, false}, {});
    const Configuration read = io->read(folder / "signed", {}, {});
    CHECK(distance(read.field, field) < 1e-14);
    CHECK(read.info.maxUnitarityError < 1e-12);
    REQUIRE_FALSE(read.info.notices.empty());
    CHECK_THAT(read.info.notices.back(), Catch::Matchers::ContainsSubstring("antiperiodic"));
    io->write(folder / "again", read.field, {format, 64, false}, {});
    for (const std::string& notice : io->read(folder / "again", {}, {}).info.notices)
      CHECK_THAT(notice, !Catch::Matchers::ContainsSubstring("antiperiodic"));
    // One link that has no sign: whatever these are, they are not that.
    signedLinks.link(lattice.volume() - 1, 3) *= -1.0;
    io->write(folder / "signed", signedLinks, {format, 64, false}, {});
    CHECK_THAT(refusal(folder / "signed"), Catch::Matchers::ContainsSubstring("not unitary"));
  }
}

TEST_CASE("Links of SU(2) are named as such") {
  const test::TemporaryFolder folder;
  const auto io = makeConfigurationIo();
  io->write(folder / "good", someField({4, 4, 4, 4}), {ConfigurationFormat::Ildg, 64, false}, {});
  const std::string good = contentOf(folder / "good");
  const std::size_t data = good.find("ildg-binary-data") - 16 + 144, bytes = 256 * 4 * 9 * 16;
  REQUIRE(good.size() > data + bytes);
  for (const std::size_t su2 : {256 * 4 * 4 * 16, 256 * 4 * 4 * 8}) {
    std::string size(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) size[7 - i] = static_cast<char>(su2 >> (8 * i));
    std::string content = good.substr(0, data) + good.substr(data, su2) + good.substr(data + bytes);
    content.replace(data - 144 + 8, 8, size);
    putContent(folder / "su2", content);
    CHECK_THAT(refusal(folder / "su2"), Catch::Matchers::ContainsSubstring("SU(2)"));
    putContent(folder / "su2", replaced(content, "ildg-format", "ildg-farmat"));
    CHECK_THAT(refusal(folder / "su2", Extents{4, 4, 4, 4}), Catch::Matchers::ContainsSubstring("SU(2)"));
  }
}

TEST_CASE("SciDAC files without an ildg-format are read with the dimensions of their own record") {
  const test::TemporaryFolder folder;
  const auto io = makeConfigurationIo();
  const GaugeField field = someField(kExtents);
  for (const int precision : {32, 64}) {
    io->write(folder / "ildg", field, {ConfigurationFormat::Ildg, precision, false}, {});
    std::string content = replaced(contentOf(folder / "ildg"), "ildg-binary-data", std::string("scidac-binary-data"));
    content.erase(content.find("scidac-binary-data") + 18, 2);  // the record's name has a fixed length
    content = replaced(content, "ildg-format", "scidac-file");  // another record
    const std::string dims =
        "<scidacFile><version>1.1</version><spacetime>4</spacetime><dims>4 2 3 5 </dims></scidacFile>";
    std::string record = content.substr(0, 144);
    record.replace(16, 128, std::string("scidac-private-file-xml").append(105, '\0'));
    record.replace(8, 8, std::string(7, '\0') + static_cast<char>(dims.size()));
    record += dims;
    record.resize((record.size() + 7) / 8 * 8, '\0');
    putContent(folder / "scidac", record + content);
    const Configuration read = io->read(folder / "scidac", {}, {});
    CHECK(read.info.format == "SciDAC");
    CHECK(read.info.precision == precision);
    CHECK(distance(read.field, field) < 2e-7);
    CHECK(read.field == io->read(folder / "scidac", {.extents = kExtents}, {}).field);
    using Catch::Matchers::ContainsSubstring;
    CHECK_THAT(refusal(folder / "scidac", Extents{2, 4, 3, 5}), ContainsSubstring("4x2x3x5"));
    putContent(folder / "scidac", replaced(record, "4 2 3 5", "4 2 3 6") + content);
    CHECK_THAT(refusal(folder / "scidac"), ContainsSubstring("need"));
    putContent(folder / "scidac", replaced(record, "<dims>", "<dimz>") + content);
    CHECK_THAT(refusal(folder / "scidac"), ContainsSubstring("--dims"));
  }
}

TEST_CASE("Claims of the header are held to their bounds, and the worst link is named") {
  const test::TemporaryFolder folder;
  const auto io = makeConfigurationIo();
  const GaugeField field = someField(kExtents);
  io->write(folder / "good", field, {ConfigurationFormat::Nersc, 64, false}, {});
  const std::string good = contentOf(folder / "good");
  const auto claiming = [&](const std::string& key, double value) {
    const std::size_t begin = good.find(key + " = "), end = good.find('\n', begin);
    REQUIRE(begin != std::string::npos);
    std::string text = good;
    putContent(folder / "claim", text.replace(begin, end - begin, key + " = " + std::to_string(value * 1e9) + "e-9"));
    return refusal(folder / "claim");
  };
  using Catch::Matchers::ContainsSubstring;
  const double plaquette = meanPlaquette(field), trace = meanLinkTrace(field);
  for (const double sign : {-1.0, 1.0}) {
    CHECK(claiming("PLAQUETTE", plaquette + 0.9e-5 * sign) == "");
    CHECK_THAT(claiming("PLAQUETTE", plaquette + 1.1e-5 * sign), ContainsSubstring("plaquette"));
    CHECK(claiming("LINK_TRACE", trace + 0.9e-6 * sign) == "");
    CHECK_THAT(claiming("LINK_TRACE", trace + 1.1e-6 * sign), ContainsSubstring("link trace"));
  }
  // Old archives have few digits, and claim no more.
  const auto withDigits = [&](const char* key, double value, int digits) {
    const std::size_t begin = good.find(std::string(key) + " = "), end = good.find('\n', begin);
    std::array<char, 64> line{};
    std::snprintf(line.data(), line.size(), "%s = %.*f", key, digits, value);
    std::string text = good;
    putContent(folder / "digits", text.replace(begin, end - begin, line.data()));
    return refusal(folder / "digits");
  };
  for (const int digits : {2, 4}) {
    const double unit = std::pow(10.0, -digits);
    CHECK(withDigits("PLAQUETTE", plaquette, digits) == "");
    CHECK(withDigits("LINK_TRACE", trace, digits) == "");
    CHECK_THAT(withDigits("PLAQUETTE", plaquette + 1.1 * unit, digits), ContainsSubstring("plaquette"));
    CHECK_THAT(withDigits("LINK_TRACE", trace - 1.1 * unit, digits), ContainsSubstring("link trace"));
  }
  GaugeField broken = field;
  broken.link(7, 2)(1, 1) *= 1.001;
  broken.link(40, 1)(0, 0) *= 1.1;
  broken.link(90, 3)(2, 2) *= 1.01;
  io->write(folder / "broken", broken, {}, {});
  CHECK_THAT(refusal(folder / "broken"), ContainsSubstring("along y at (0, 0, 2, 1)"));
}

TEST_CASE("What a file says of itself cannot break lines or steer a terminal") {
  const test::TemporaryFolder folder;
  const auto io = makeConfigurationIo();
  const GaugeField field = someField(kExtents);
  const auto harmless = [](const std::string& text) {
    return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  };
  io->write(folder / "nersc", field, {ConfigurationFormat::Nersc, 64, false}, {});
  const std::string nersc = contentOf(folder / "nersc");
  putContent(folder / "marked", replaced(nersc, "CREATOR = ", "CREATOR = \x1b[31m\a"));
  const Configuration marked = io->read(folder / "marked", {}, {});
  for (const auto& [key, value] : marked.info.header) CHECK(harmless(key + value));
  CHECK(std::any_of(marked.info.header.begin(), marked.info.header.end(),
                    [](const auto& one) { return one.second.starts_with("?[31m?Stencilscope"); }));
  putContent(folder / "bad", replaced(nersc, "4D_SU3_GAUGE_3x3", "4D_\x1b[31m"));
  CHECK_THAT(refusal(folder / "bad"), Catch::Matchers::ContainsSubstring("4D_?[31m"));
  io->write(folder / "lime", field, {ConfigurationFormat::Ildg, 64, false}, {});
  std::string lime = replaced(contentOf(folder / "lime"), "ildg-binary-data", "ildg\n\x1b[31m\rdata");
  putContent(folder / "bad", lime.substr(0, 5000));
  CHECK_THAT(refusal(folder / "bad"), Catch::Matchers::ContainsSubstring("its record ildg??[31m?data is cut off"));
}

TEST_CASE("Records of LIME that are a short line are shown as they are") {
  const test::TemporaryFolder folder;
  const auto io = makeConfigurationIo();
  io->write(folder / "plain", someField({2, 2, 2, 2}), {ConfigurationFormat::Ildg, 64, false}, {});
  const std::string plain = contentOf(folder / "plain"), name = "lfn://somewhere/of/this.name";
  std::string record = plain.substr(0, 144) + name;
  record.replace(16, 128, std::string("ildg-data-lfn").append(115, '\0'));
  record.replace(8, 8, std::string(7, '\0') + static_cast<char>(name.size()));
  record.resize((record.size() + 7) / 8 * 8, '\0');
  putContent(folder / "named", record + plain);
  const auto header = io->read(folder / "named", {}, {}).info.header;
  REQUIRE(header.size() >= 3);
  CHECK(header[0] == std::pair<std::string, std::string>("ildg-data-lfn", name));
  CHECK_THAT(header[1].second, Catch::Matchers::EndsWith(" bytes"));  // of several lines
  CHECK(header[2].second == std::to_string(16 * 4 * 9 * 16) + " bytes");
}

TEST_CASE("A file that cannot be written leaves what was there") {
  const test::TemporaryFolder folder;
  const GaugeField field = someField({2, 2, 2, 2});
  const auto io = makeConfigurationIo();
  putContent(folder / "kept", "precious");
  std::stop_source stop;
  stop.request_stop();
  Control control;
  control.stop = stop.get_token();
  CHECK_THROWS_AS(io->write(folder / "kept", field, {}, control), Canceled);
  CHECK(contentOf(folder / "kept") == "precious");
  CHECK_THROWS_AS(io->write(folder / "nowhere" / "file", field, {}, {}), Error);
  CHECK_THROWS_AS(io->write(folder / "file", field, {ConfigurationFormat::Nersc, 16, false}, {}), Error);
  CHECK_THROWS_AS(io->write(folder / "file", field, {ConfigurationFormat::Ildg, 64, true}, {}), Error);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

}  // namespace sscope::lattice
