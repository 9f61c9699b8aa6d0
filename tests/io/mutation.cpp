#include "tests/io/mutation.h"

#include <algorithm>
#include <random>

namespace sscope::test {

namespace {

// Mostly headers: that is where decoders trip.
std::size_t placeIn(const std::string& content, std::mt19937& random) {
  return random() % (random() % 4 == 0 ? content.size() : std::min<std::size_t>(content.size(), 400));
}

void flipBytes(std::string& content, std::mt19937& random) {
  for (unsigned n = 1 + random() % 8; n > 0; --n) content[placeIn(content, random)] = static_cast<char>(random());
}

void truncate(std::string& content, std::mt19937& random) { content.resize(1 + random() % content.size()); }

// Another number in place of a written one, or of two, four or eight bytes.
void changeNumber(std::string& content, std::mt19937& random) {
  const std::size_t at = placeIn(content, random);
  const std::size_t digit = content.find_first_of("0123456789", at);
  if (random() % 2 == 0 && digit < at + 64) {
    const char* const kNumbers[] = {"0", "-1", "1e30", "65536", "4294967297", "99999999999999999999", "nan", ""};
    const std::size_t end = content.find_first_not_of("0123456789", digit);
    content.replace(digit, (end == std::string::npos ? content.size() : end) - digit, kNumbers[random() % 8]);
    return;
  }
  const std::int64_t kNumbers[] = {0, -1, 1, 0x7f, 0xffff, 0x7fffffff, 0x100000000, INT64_MIN};
  const std::int64_t number = kNumbers[random() % 8];
  const std::size_t size = std::size_t{2} << random() % 3;
  for (std::size_t i = 0; i < size && at + i < content.size(); ++i)
    content[at + i] = static_cast<char>(number >> (8 * i));
}

}  // namespace

std::string mutated(std::string content, std::uint32_t seed) {
  std::mt19937 random(seed);
  switch (seed % 3) {
    case 0: flipBytes(content, random); break;
    case 1: changeNumber(content, random); break;
    default:
      truncate(content, random);
      if (random() % 2 == 0) changeNumber(content, random);
  }
  return content;
}

}  // namespace sscope::test
