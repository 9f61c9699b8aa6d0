#include "tests/io/sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace sscope::test {

namespace {

// The first 32 bits of the fractional part of the n-th prime's root of the given degree.
std::uint32_t rootBits(std::uint32_t prime, bool cube) {
  const long double root =
      cube ? std::cbrt(static_cast<long double>(prime)) : std::sqrt(static_cast<long double>(prime));
  return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
}

std::vector<std::uint32_t> primes(std::size_t count) {
  std::vector<std::uint32_t> list;
  for (std::uint32_t n = 2; list.size() < count; ++n) {
    bool prime = true;
    for (const std::uint32_t p : list) prime = prime && n % p != 0;
    if (prime) list.push_back(n);
  }
  return list;
}

void mix(std::array<std::uint32_t, 8>& h, const std::byte* block, const std::array<std::uint32_t, 64>& k) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t b = 0; b < 4; ++b) w[i] = (w[i] << 8) | static_cast<std::uint32_t>(block[4 * i + b]);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  auto v = h;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t s1 = std::rotr(v[4], 6) ^ std::rotr(v[4], 11) ^ std::rotr(v[4], 25);
    const std::uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
    const std::uint32_t s0 = std::rotr(v[0], 2) ^ std::rotr(v[0], 13) ^ std::rotr(v[0], 22);
    const std::uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    v = {t1 + t2, v[0], v[1], v[2], v[3] + t1, v[4], v[5], v[6]};
  }
  for (std::size_t i = 0; i < 8; ++i) h[i] += v[i];
}

}  // namespace

std::string sha256(std::span<const std::byte> data) {
  const auto prime = primes(64);
  std::array<std::uint32_t, 64> k{};
  std::array<std::uint32_t, 8> h{};
  for (std::size_t i = 0; i < 64; ++i) k[i] = rootBits(prime[i], true);
  for (std::size_t i = 0; i < 8; ++i) h[i] = rootBits(prime[i], false);
  const std::size_t whole = data.size() / 64 * 64;
  for (std::size_t at = 0; at < whole; at += 64) mix(h, data.data() + at, k);
  std::vector<std::byte> tail(data.begin() + static_cast<std::ptrdiff_t>(whole), data.end());
  tail.push_back(std::byte{0x80});
  while (tail.size() % 64 != 56) tail.push_back(std::byte{0});
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(data.size());
  for (int shift = 56; shift >= 0; shift -= 8) tail.push_back(static_cast<std::byte>(bits >> shift));
  for (std::size_t at = 0; at < tail.size(); at += 64) mix(h, tail.data() + at, k);
  std::string text;
  for (const std::uint32_t word : h)
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[(word >> shift) & 15U];
  return text;
}

}  // namespace sscope::test
