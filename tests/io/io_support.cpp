#include "tests/io/io_support.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/volume/provenance.h"
#include "tests/support/catch.h"

namespace sscope::test {

bool hasItk(const VolumeIo& io) {
  const auto formats = io.formats();
  return std::any_of(formats.begin(), formats.end(), [](const FileFormat& format) { return format.name == "TIFF"; });
}

Geometry obliqueGeometry() {
  Geometry g;
  g.spacing = {0.71, 1.3, 2.45};
  g.origin = {-12.25, 33.125, -801.5};
  const double c = std::cos(0.3), s = std::sin(0.3);
  // A turn about z, then x negated: left-handed as well.
  g.direction = {-c, s, 0, s, c, 0, 0, 0, 1};
  g.unit = "mm";
  return g;
}

bool sameVoxels(const Volume& a, const Volume& b) {
  return a.shape() == b.shape() && a.type() == b.type() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

bool sameGeometry(const Geometry& a, const Geometry& b, double tolerance) {
  const auto near = [&](const auto& x, const auto& y) {
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!(std::abs(x[i] - y[i]) <= tolerance * std::max(1.0, std::abs(y[i])))) return false;
    return true;
  };
  return near(a.spacing, b.spacing) && near(a.origin, b.origin) && near(a.direction, b.direction);
}

bool isOneSentence(const std::string& text) {
  return !text.empty() && text.find('\n') == std::string::npos && text.find("itk::") == std::string::npos &&
         text.back() != '.' && text.size() < 600;
}

Error errorOfReading(VolumeIo& io, const std::string& path) {
  try {
    static_cast<void>(io.read(path, {}));
  } catch (const Error& error) {
    return error;
  }
  FAIL("reading " << path << " should have failed");
  return {ErrorKind::Usage, ""};
}

bool says(const VolumeInfo& info, const std::string& part) {
  return std::any_of(info.notices.begin(), info.notices.end(),
                     [&](const std::string& notice) { return notice.find(part) != std::string::npos; });
}

std::function<std::string(const std::string&)> someProvenance() {
  Provenance made =
      provenanceOf("filter", {{"bank", {{"name", "a <b> & \"c\\d\" \xc2\xb5"}}}}, Provenance::Data{.name = "in.nrrd"});
  made.engine = "cpu:scalar";
  return GrowingProvenance(std::move(made)).of({"g"});
}

void put(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

std::size_t entriesOf(const std::filesystem::path& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

}  // namespace sscope::test
