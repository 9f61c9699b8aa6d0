// Where a configuration comes from is still said by its copies, and readers find the entries that they ask for.

#include <cstdlib>

#include "core/io/lattice/configuration_io.h"
#include "tests/lattice/configuration_support.h"
#include "tests/support/catch.h"
#include "tests/support/environment.h"
#include "tests/support/support.h"

namespace sscope::lattice {

namespace {

std::string valueIn(const Provenance& header, const std::string& key) {
  for (const auto& [name, value] : header)
    if (name == key) return value;
  return "(none)";
}

// SOURCE_DATE_EPOCH, for a while.
struct Epoch : test::Variable {
  explicit Epoch(const char* seconds) : Variable("SOURCE_DATE_EPOCH", seconds) {}
};

const Provenance kKnown{{"ENSEMBLE_ID", "X12"},     {"SEQUENCE_NUMBER", "4711"},
                        {"CREATOR", "Somebody"},    {"CREATION_DATE", "Wed Sep  9 18:02:51 2009"},
                        {"COLLABORATION", "a = b"}, {"ILDG_DATA_LFN", "lfn://nowhere/of/that/name"}};

}  // namespace

TEST_CASE("NERSC headers have what other readers look for, and the same bytes each time") {
  const test::TemporaryFolder folder;
  const auto io = makeConfigurationIo();
  const GaugeField field = test::someField({2, 2, 2, 2});
  io->write(folder / "plain", field, {}, {});
  const Provenance header = io->read(folder / "plain", {}, {}).info.header;
  // Grid calls std::stol on this.
  CHECK(std::stol(valueIn(header, "SEQUENCE_NUMBER")) == 0);
  CHECK(valueIn(header, "ENSEMBLE_ID") == "unknown");
  CHECK(valueIn(header, "ENSEMBLE_LABEL") == "unknown");
  CHECK(valueIn(header, "CREATOR").starts_with("Stencilscope"));
  CHECK(valueIn(header, "CREATION_DATE") == "(none)");  // no clock: the same links are the same file
  io->write(folder / "again", field, {}, {});
  CHECK(test::contentOf(folder / "plain") == test::contentOf(folder / "again"));

  io->write(folder / "odd", field, {ConfigurationFormat::Nersc, 64, false, {{"SEQUENCE_NUMBER", "many"}}}, {});
  CHECK(valueIn(io->read(folder / "odd", {}, {}).info.header, "SEQUENCE_NUMBER") == "0");
  const Epoch epoch("86400");
  io->write(folder / "dated", field, {}, {});
  const Provenance dated = io->read(folder / "dated", {}, {}).info.header;
  CHECK(valueIn(dated, "CREATION_DATE") == "Fri Jan  2 00:00:00 1970 UTC");
  CHECK(valueIn(dated, "ARCHIVE_DATE") == "Fri Jan  2 00:00:00 1970 UTC");
}

TEST_CASE("Provenance goes from file to file, through either format") {
  const test::TemporaryFolder folder;
  const auto io = makeConfigurationIo();
  const GaugeField field = test::someField({2, 2, 2, 2});
  Provenance provenance = kKnown;
  int copy = 0;
  for (const ConfigurationFormat format :
       {ConfigurationFormat::Nersc, ConfigurationFormat::Ildg, ConfigurationFormat::Ildg, ConfigurationFormat::Nersc}) {
    const auto file = folder / std::to_string(++copy);
    io->write(file, field, {format, 64, false, provenance}, {});
    const Configuration read = io->read(file, {}, {});
    CHECK(read.field == field);
    CHECK((read.info.checksummed || !read.info.notices.empty()));
    provenance = read.info.provenance;
    for (const auto& [key, value] : kKnown) CHECK(valueIn(provenance, key) == value);
    if (format == ConfigurationFormat::Ildg)
      CHECK(valueIn(read.info.header, "ildg-data-lfn") == "lfn://nowhere/of/that/name");
    else
      CHECK(valueIn(read.info.header, "CHECKSUM") != "(none)");
    // What says how the links are written is of the file, not of where it comes from.
    for (const char* key : {"CHECKSUM", "PLAQUETTE", "DIMENSION_1", "BOUNDARY_4", "FLOATING_POINT"})
      CHECK(valueIn(provenance, key) == "(none)");
  }
  test::putContent(folder / "milc", test::milcFile(field, true));
  CHECK(valueIn(io->read(folder / "milc", {}, {}).info.provenance, "CREATION_DATE") == "Sat Nov 21 12:00:00 2026");
}

TEST_CASE("A provenance cannot forge what a header says of the links, nor fill it") {
  const test::TemporaryFolder folder;
  const auto io = makeConfigurationIo();
  const GaugeField field = test::someField({2, 2, 2, 2});
  const Provenance forged{{"DIMENSION_1", "4"}, {"CHECKSUM", "0"}, {"PLAQUETTE", "1"}, {"", "nameless"}};
  for (const ConfigurationFormat format : {ConfigurationFormat::Nersc, ConfigurationFormat::Ildg}) {
    io->write(folder / "forged", field, {format, 64, false, forged}, {});
    CHECK(io->read(folder / "forged", {}, {}).field == field);
    Provenance long_;
    for (int k = 0; k < 3000; ++k) long_.emplace_back("KEY_" + std::to_string(k), std::string(60, 'x'));
    io->write(folder / "long", field, {format, 64, false, long_}, {});
    CHECK(io->read(folder / "long", {}, {}).field == field);
  }
}

}  // namespace sscope::lattice
