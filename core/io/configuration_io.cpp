#include "core/io/configuration_io.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <mutex>

#include "core/io/file_error.h"
#include "core/io/lattice/lime.h"
#include "core/io/lattice/milc.h"
#include "core/io/lattice/nersc.h"
#include "core/lattice/observables.h"
#include "core/lattice/parallel.h"

namespace sscope {

using namespace lattice;

namespace {

constexpr double kUnitarityLimit = 1e-5;  // links rounded to 32 bits are at about 5e-7
constexpr double kPlaquetteLimit = 1e-5;
constexpr double kLinkTraceLimit = 1e-6;

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.10g", value);
  return text.data();
}

io::DecodedConfiguration decode(const io::ConfigurationFile& file, const std::optional<Extents>& extents,
                                const Control& control) {
  const std::string first = file.text(0, std::min<std::int64_t>(file.size(), 16));
  if (io::isNersc(first)) return io::readNersc(file, extents, control);
  if (io::isLime(first)) return io::readLime(file, extents, control);
  if (io::isMilc(first)) return io::readMilc(file, extents, control);
  throw io::cannotRead(ErrorKind::BadData, file.name(),
                       file.size() == 0 ? "the file is empty" : "it is not a gauge configuration",
                       "give one in the NERSC, ILDG or MILC v5 format");
}

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

void requireUnitary(const io::ConfigurationFile& file, const Lattice& lattice, const Worst& worst) {
  if (worst.error <= kUnitarityLimit) return;
  std::string place;
  for (int mu = 0; mu < kDirections; ++mu)
    place += (mu > 0 ? ", " : "") + std::to_string(lattice.coordinate(worst.site, mu));
  const std::string link = std::string("the link along ") + "xyzt"[worst.mu] + " at (" + place + ")";
  throw io::damaged(file.name(), std::isinf(worst.error)
                                     ? link + " is not finite"
                                     : link + " is not unitary: it is off by " + number(worst.error));
}

void requireClaim(const io::ConfigurationFile& file, const char* what, const std::optional<double>& claimed, double is,
                  double limit) {
  if (claimed && !(std::abs(*claimed - is) <= limit))
    throw io::damaged(file.name(), std::string("the ") + what + " of its links is " + number(is) + ", not the " +
                                       number(*claimed) + " of its header");
}

class ConfigurationFiles : public ConfigurationIo {
 public:
  Configuration read(const std::filesystem::path& path, const std::optional<Extents>& extents,
                     const Control& control) override {
    const io::ConfigurationFile file(path);
    io::DecodedConfiguration decoded = decode(file, extents, control);
    ConfigurationInfo& info = decoded.info;
    const Worst worst = worstLink(decoded.field, control);
    requireUnitary(file, decoded.field.lattice(), worst);
    info.maxUnitarityError = worst.error;
    info.plaquette = meanPlaquette(decoded.field, control);
    info.linkTrace = meanLinkTrace(decoded.field, control);
    requireClaim(file, "plaquette", decoded.plaquette, info.plaquette, kPlaquetteLimit);
    requireClaim(file, "link trace", decoded.linkTrace, info.linkTrace, kLinkTraceLimit);
    if (!info.checksummed && info.notices.empty())
      info.notices.push_back("it has no checksum: damage that leaves the links unitary is not seen");
    return {std::move(decoded.field), std::move(info)};
  }

  [[nodiscard]] bool recognizes(const std::filesystem::path& path) const override {
    try {
      const io::ConfigurationFile file(path);
      const std::string first = file.text(0, std::min<std::int64_t>(file.size(), 16));
      return io::isNersc(first) || io::isLime(first) || io::isMilc(first);
    } catch (const Error&) {
      return false;
    }
  }

  void write(const std::filesystem::path& path, const GaugeField& field, const ConfigurationWriteOptions& options,
             const Control& control) override {
    if (options.precision != 32 && options.precision != 64)
      throw Error(ErrorKind::Usage, "the precision is neither 32 nor 64", "give one of them");
    if (options.format == ConfigurationFormat::Nersc) return io::writeNersc(path, field, options, control);
    if (options.twoRows) throw Error(ErrorKind::Usage, "ILDG files hold all three rows", "leave two rows to NERSC");
    io::writeLime(path, field, options, control);
  }
};

}  // namespace

std::unique_ptr<ConfigurationIo> makeConfigurationIo() { return std::make_unique<ConfigurationFiles>(); }

}  // namespace sscope
