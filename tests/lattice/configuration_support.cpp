#include "tests/lattice/configuration_support.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/lattice/heat_bath.h"
#include "tests/support/largest.h"

namespace sscope::test {

using namespace lattice;

namespace {

std::string word(std::uint32_t value, bool bigEndian) {
  std::string bytes(4, '\0');
  for (std::size_t k = 0; k < 4; ++k) bytes[bigEndian ? 3 - k : k] = static_cast<char>(value >> (8 * k) & 0xff);
  return bytes;
}

}  // namespace

void putContent(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

GaugeField someField(const Extents& extents) {
  GaugeField field{Lattice(extents)};
  heatBathSweep(field, 5.5, 8, 0, {});
  return field;
}

std::string milcFile(const GaugeField& field, bool bigEndian) {
  std::string data;
  std::uint32_t sum29 = 0, sum31 = 0;
  int count = 0;
  for (const Matrix3& link : field.links())
    for (const Complex& element : link.element)
      for (const double number : {element.real(), element.imag()}) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number));
        sum29 ^= std::rotl(bits, count % 29);
        sum31 ^= std::rotl(bits, count % 31);
        ++count;
        data += word(bits, bigEndian);
      }
  std::string header = word(20103, bigEndian);
  for (const int extent : field.lattice().extents()) header += word(static_cast<std::uint32_t>(extent), bigEndian);
  std::string stamp = "Sat Nov 21 12:00:00 2026";
  stamp.resize(64, '\0');
  return header + stamp + word(0, bigEndian) + word(sum29, bigEndian) + word(sum31, bigEndian) + data;
}

double distance(const GaugeField& a, const GaugeField& b) {
  double worst = 0;
  for (std::size_t k = 0; k < a.links().size(); ++k)
    for (std::size_t e = 0; e < 9; ++e)
      worst = test::larger(worst, std::abs(a.links()[k].element[e] - b.links()[k].element[e]));
  return worst;
}

}  // namespace sscope::test
