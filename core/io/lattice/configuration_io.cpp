#include "core/io/lattice/configuration_io.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/base/memory.h"
#include "core/base/words.h"
#include "core/io/base/file_error.h"
#include "core/io/base/formats.h"
#include "core/io/lattice/link_formats.h"
#include "core/io/lattice/links_protocol.h"
#include "core/io/stream/reader_process.h"
#include "core/lattice/observables.h"
#include "core/lattice/parallel.h"

namespace sscope {

using namespace lattice;

namespace {

constexpr double kUnitarityLimit = 1e-5;  // links rounded to 32 bits are at about 5e-7
constexpr double kPlaquetteLimit = 1e-5;
constexpr double kLinkTraceLimit = 1e-6;

std::string number(double value) { return fmt::format("{:.10g}", value); }

// The worst link's error and where it is.
struct Worst {
  double error = 0;
  std::int64_t site = 0;
  int mu = 0;
};

Worst worstLink(const GaugeField& field, const Control& control) {
  Worst worst;
  std::mutex mutex;
  forPieces(field.lattice().volume(), control, [&](std::int64_t begin, std::int64_t end) {
    Worst here;
    for (std::int64_t site = begin; site < end; ++site)
      for (int mu = 0; mu < kDirections; ++mu) {
        double error = unitarityError(field.link(site, mu));
        if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
        if (error > here.error) here = {error, site, mu};
      }
    const std::lock_guard lock(mutex);
    if (here.error > worst.error || (here.error == worst.error && here.site < worst.site)) worst = here;
  });
  return worst;
}

// Codes that put the boundary condition of fermions into the links store -U for those along time in the last slice.
// Their determinants, -1, tell. False, and nothing is changed, where they are not all of that kind.
bool takeOutTimeSign(GaugeField& field, const Control& control) {
  const Lattice& lattice = field.lattice();
  constexpr int kTime = kDirections - 1;
  const std::int64_t slice = lattice.volume() / lattice.extent(kTime), first = lattice.volume() - slice;
  for (std::int64_t site = first; site < lattice.volume(); ++site)
    if (!(unitarityError(-1.0 * field.link(site, kTime)) <= kUnitarityLimit)) return false;
  control.check();
  for (std::int64_t site = first; site < lattice.volume(); ++site) field.link(site, kTime) *= -1.0;
  return true;
}

void requireUnitary(const std::string& file, const Lattice& lattice, const Worst& worst) {
  if (worst.error <= kUnitarityLimit) return;
  std::string place;
  for (int mu = 0; mu < kDirections; ++mu)
    place += (mu > 0 ? ", " : "") + std::to_string(lattice.coordinate(worst.site, mu));
  const std::string link = std::string("the link along ") + "xyzt"[worst.mu] + " at (" + place + ")";
  throw io::damaged(file, std::isinf(worst.error) ? link + " is not finite"
                                                  : link + " is not unitary: it is off by " + number(worst.error));
}

void requireClaim(const std::string& file, const char* what, const std::optional<io::RawLinks::Claim>& claimed,
                  double is, double limit) {
  // A header of few digits claims no more than these.
  if (claimed && !(std::abs(claimed->value - is) <= std::max(limit, claimed->rounding * (1 + 1e-9))))
    throw io::damaged(file, std::string("the ") + what + " of its links is " + number(is) + ", not the " +
                                number(claimed->value) + " of its header");
}

// Links as they are in the file, in memory that lives as long as this.
struct LinksInMemory {
  io::RawLinks links;
  std::shared_ptr<const std::byte> memory;
  std::size_t bytes = 0;  // what links.extents and links.layout say
};

// Throws MissingExtents besides what readInProcess throws.
LinksInMemory readLinksInProcess(const std::filesystem::path& program, const std::string& path,
                                 const std::optional<Extents>& extents, const Control& control) {
  io::ReaderAnswer answer(program, io::linksRequest(path, extents), {}, control);
  auto reply = io::decodeLinksReply(answer.text());
  if (auto* missing = std::get_if<MissingExtents>(&reply)) throw *missing;
  if (auto* error = std::get_if<Error>(&reply)) throw *error;
  auto* links = std::get_if<io::RawLinks>(&reply);
  if (links == nullptr) throw answer.crashed();
  LinksInMemory found{std::move(*links), nullptr, 0};
  found.bytes = static_cast<std::size_t>(Lattice(found.links.extents).volume()) * found.links.layout.siteBytes();
  found.memory = answer.memory(static_cast<double>(found.bytes));
  control.report(1, "reading");
  return found;
}

GaugeField decodedLinks(const std::string& file, const LinksInMemory& found, const Control& control) {
  const Lattice lattice(found.links.extents);
  const std::int64_t held = lattice.volume() * kDirections * static_cast<std::int64_t>(sizeof(Matrix3));
  if (!fitsInMemory(held))
    throw io::cannotRead(ErrorKind::Memory, file,
                         "its links need " + bytesText(static_cast<double>(held)) + " and do not fit in memory",
                         "use a machine with more memory");
  return io::decodeLinks(lattice, found.links.layout, {found.memory.get(), found.bytes}, control);
}

class ConfigurationFiles : public ConfigurationIo {
 public:
  explicit ConfigurationFiles(std::filesystem::path reader)
      : reader_(reader.empty() ? io::defaultReaderProgram() : std::move(reader)) {}

  Configuration read(const std::filesystem::path& path, const ConfigurationReadOptions& options,
                     const Control& control) override {
    const std::string file = path.string();
    LinksInMemory found = readLinksInProcess(reader_, file, options.extents, control);
    ConfigurationInfo& info = found.links.info;
    if (!found.links.checksumProblem.empty()) {
      if (!options.ignoreChecksum)
        throw io::cannotRead(ErrorKind::BadData, file, found.links.checksumProblem,
                             "copy it again, or read on all the same with --ignore-checksum");
      info.checksumWrong = true;
      info.notices.push_back(found.links.checksumProblem + "; it was read all the same, as you asked");
    }
    GaugeField field = decodedLinks(file, found, control);
    bool timeSign = false;
    found.memory.reset();
    Worst worst = worstLink(field, control);
    info.plaquette = meanPlaquette(field, control);
    info.spatialPlaquette = meanSpatialPlaquette(field, control);
    info.linkTrace = meanLinkTrace(field, control);
    if (worst.error > kUnitarityLimit && takeOutTimeSign(field, control)) {
      worst = worstLink(field, control);
      timeSign = true;
    }
    requireUnitary(file, field.lattice(), worst);
    info.maxUnitarityError = worst.error;
    requireClaim(file, "plaquette", found.links.plaquette, info.plaquette, kPlaquetteLimit);
    requireClaim(file, "link trace", found.links.linkTrace, info.linkTrace, kLinkTraceLimit);
    if (!info.checksummed && info.notices.empty())
      info.notices.push_back("it has no checksum: damage that leaves the links unitary is not seen");
    if (timeSign) info.linkTrace = meanLinkTrace(field, control);  // the claim was that of the file
    if (timeSign)
      info.notices.push_back(
          "its links along time in the last slice have the sign of antiperiodic fermions (determinant -1), which was "
          "taken out");
    if (worst.error > kUnitaryAsItIs && !options.keepLinks) {
      projectToSu3(field, control);
      info.projected = true;
      info.notices.push_back("its links are rounded, off SU(3) by up to " + number(worst.error) +
                             ": they were projected onto it");
    }
    return {std::move(field), std::move(info)};
  }

  [[nodiscard]] bool recognizes(const std::filesystem::path& path) const override {
    try {
      return io::looksLikeLinks(io::ConfigurationFile(path));
    } catch (const Error&) {
      return false;
    }
  }

  void write(const std::filesystem::path& path, const GaugeField& field, const ConfigurationWriteOptions& options,
             const Control& control) override {
    if (options.precision != 32 && options.precision != 64)
      throw Error(ErrorKind::Usage, "the precision is neither 32 nor 64", "give one of them");
    requireConfigurationName(path);
    if (options.format == ConfigurationFormat::Nersc) return io::writeNersc(path, field, options, control);
    if (options.twoRows) throw Error(ErrorKind::Usage, "ILDG files hold all three rows", "leave two rows to NERSC");
    io::writeLime(path, field, options, control);
  }

 private:
  std::filesystem::path reader_;
};

}  // namespace

void requireConfigurationName(const std::filesystem::path& path) {
  io::requireNoFormat(path, "a gauge configuration",
                      "name it .nersc, .lime or .ildg, or anything that is no name of images, volumes or JSON");
}

std::unique_ptr<ConfigurationIo> makeConfigurationIo(std::filesystem::path readerProgram) {
  return std::make_unique<ConfigurationFiles>(std::move(readerProgram));
}

}  // namespace sscope
