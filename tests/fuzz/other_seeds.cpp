#include <nlohmann/json.hpp>

#include "core/filter/families/recipe_text.h"
#include "core/io/lattice/link_formats.h"
#include "core/io/lattice/links_protocol.h"
#include "core/lattice/job/lattice_settings.h"
#include "core/session/session.h"
#include "tests/fuzz/seeds.h"
#include "tests/support/support.h"

namespace sscope::test {

namespace {

using namespace lattice;
using WriteLinks = void (*)(const std::filesystem::path&, const GaugeField&, const ConfigurationWriteOptions&,
                            const Control&);

Seeds writtenLinks(WriteLinks write, bool twoRows) {
  const TemporaryFolder folder;
  Seeds seeds;
  for (const int precision : {32, 64}) {
    ConfigurationWriteOptions options;
    options.precision = precision;
    options.twoRows = twoRows;
    options.provenance = {{"ENSEMBLE_ID", "some"}, {"SEQUENCE_NUMBER", "12"}, {"ILDG_DATA_LFN", "lfn://here"}};
    write(folder / "a", GaugeField(Lattice({2, 2, 2, 2})), options, {});
    seeds.push_back(contentOf(folder / "a"));
  }
  return seeds;
}

std::string littleEndian(std::uint32_t value) {
  std::string bytes;
  for (int k = 0; k < 4; ++k) bytes += static_cast<char>(value >> (8 * k) & 0xff);
  return bytes;
}

FilterBank someBank() {
  FilterBank bank;
  for (const char* spec : {"gaussian:sigma=1.5mm", "sobel:axis=x,flip=true", "box"})
    bank.filters.push_back(parseFilterSpec(spec));
  FilterRecipe custom;
  custom.name = custom.family = "custom";
  custom.taps.size = {3, 1, 1};
  custom.taps.anchor = {1, 0, 0};
  custom.taps.weights = {0.25, 0.5, 0.25};
  custom.enabled = false;
  bank.filters.push_back(custom);
  bank.output = {};
  return bank;
}

}  // namespace

Seeds nerscSeeds() {
  Seeds seeds = writtenLinks(io::writeNersc, false);
  for (const std::string& one : writtenLinks(io::writeNersc, true)) seeds.push_back(one);
  return seeds;
}

Seeds limeSeeds() {
  Seeds seeds = writtenLinks(io::writeLime, false);
  // Without its first record, which says the dimensions.
  const std::string& whole = seeds[0];
  const std::size_t second = whole.find("\x45\x67\x89\xab", 4);
  seeds.push_back(whole.substr(second));
  return seeds;
}

Seeds milcSeeds() {
  std::string file = littleEndian(20103);
  for (int mu = 0; mu < 4; ++mu) file += littleEndian(2);
  file += std::string(64, 'T') + std::string(12, '\0') + std::string(16 * 4 * 18 * 4, '\0');
  return {file};
}

Seeds sessionSeeds() {
  Session plain, full;
  plain.data.sample = "gyroid";
  plain.data.size = 32;
  full.data.path = "somewhere/a.nrrd";
  full.bank = someBank();
  full.view.sourceWindow = {0.5, 2};
  LatticeSettings lattice;
  lattice.configuration.extents = {4, 4, 4, 8};
  lattice.solve.places = {{"cpu", "tuned"}, {}};
  full.put(lattice);
  return {toJson(plain).dump(), toJson(full).dump(2)};
}

Seeds bankSeeds() { return {toJson(someBank()).dump(), toJson(someBank()).dump(2)}; }

Seeds replySeeds() {
  VolumeInfo info;
  info.shape = {4, 3, 2, 2};
  info.metadata.frames = 2;
  info.metadata.fields = {{"key", "value"}};
  info.metadata.measurementFrame = std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1};
  info.format = "NRRD";
  info.notices = {"one", "two"};
  io::RawLinks links;
  links.extents = {2, 2, 2, 2};
  links.info.format = "NERSC";
  links.info.header = {{"DIMENSION_1", "2"}};
  links.info.provenance = {{"CREATOR", "someone"}};
  links.plaquette = {0.5, 0.05};
  return {io::encodeReply(info), io::encodeReply(links), io::encodeReply(Error(ErrorKind::BadData, "it is damaged")),
          io::encodeReply(MissingExtents(Error(ErrorKind::Usage, "it does not say")))};
}

Seeds requestSeeds() { return {"voxels\n/a/b.nrrd", "links\na\n4,4,4,8", "header\na@t=1", "KEY = value\nB=c"}; }

Seeds filterSeeds() {
  return {"gaussian:sigma=1.5,order_x=1",  "gaussian:sigma=2mm", "sobel:axis=x,flip=true", "box:size=5",
          "laplacian_of_gaussian:sigma=3", "custom:file=a.json", "wavelet:name=db4"};
}

Seeds selectionSeeds() { return {"a.nii@t=3", "b.tif@c=1,t=0", "scans@series=2", "a@b", "x@t=99999999999"}; }

Seeds formulaSeeds() {
  return {"sqrt(gx^2 + gy^2) * @k=0.5[0..1]", "if(source[1,-2,3] > 0.5 and not isnan(a), clamp(a, 0, 1), -x)",
          "eigabs3(a, b, c, d, e, \"f g\") / (1e-3 + max(a, b, c)) == 2 or ymm <= 3",
          "mix(a[1,0], b, smoothstep(0, 1, c)) ^ 2 ^ -1 + pow(a, b) - nx / 2 + mod(atan2(a, b), pi)"};
}

}  // namespace sscope::test
