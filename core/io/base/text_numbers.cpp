#include "core/io/base/text_numbers.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "core/io/base/file_error.h"
#include "core/volume/element_type.h"

namespace sscope::io {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr std::size_t kLongestNumber = 400;  // the largest double, all of its digits written

template <class T>
std::optional<T> exactly(std::string_view word) {
  T value{};
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// A number that is too large or too small for a double.
std::optional<double> beyondDouble(std::string_view word) {
  const auto wide = exactly<long double>(word);
  if (!wide) return std::nullopt;
  constexpr long double most = std::numeric_limits<double>::max();
  if (std::abs(*wide) <= most) return static_cast<double>(*wide);
  return std::copysign(std::numeric_limits<double>::infinity(), *wide < 0 ? -1.0 : 1.0);
}

// "3.0" and "1e2" are whole numbers, too; a float that is too large or too small for its type is infinite or zero.
template <class T>
std::optional<T> numberOf(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  if (const auto value = exactly<T>(word)) return value;
  auto wide = exactly<double>(word);
  if (!wide && std::is_floating_point_v<T>) wide = beyondDouble(word);
  if (!wide) return std::nullopt;
  if constexpr (std::is_floating_point_v<T>) {
    return narrowed<T>(*wide);
  } else {
    constexpr double kBeyond = 2.0 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
    if (*wide != std::trunc(*wide) || *wide >= kBeyond || *wide < static_cast<double>(std::numeric_limits<T>::lowest()))
      return std::nullopt;
    return static_cast<T>(*wide);
  }
}

template <class Use>
void withType(Stored type, const Use& use) {
  switch (type) {
    case Stored::u8: return use(std::uint8_t{});
    case Stored::i8: return use(std::int8_t{});
    case Stored::u16: return use(std::uint16_t{});
    case Stored::i16: return use(std::int16_t{});
    case Stored::u32: return use(std::uint32_t{});
    case Stored::i32: return use(std::int32_t{});
    case Stored::u64: return use(std::uint64_t{});
    case Stored::i64: return use(std::int64_t{});
    case Stored::f32: return use(float{});
    case Stored::f64:
    case Stored::f16: break;
  }
  use(double{});
}

}  // namespace

TextNumbers::TextNumbers(const std::filesystem::path& file, std::string shown, std::int64_t offset,
                         std::string_view separators, std::uint64_t total)
    : shown_(std::move(shown)),
      separators_(separators),
      total_(total),
      file_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (!file_.valid() || ::lseek(file_.get(), static_cast<off_t>(offset), SEEK_SET) < 0)
    throw cannotReadErrno(shown_, errno);
}

bool TextNumbers::separates(char c) const {
  return c == ' ' || (c >= '\t' && c <= '\r') || separators_.find(c) != std::string::npos;
}

bool TextNumbers::refill() {
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + kChunk);
  ssize_t n = 0;
  do n = ::read(file_.get(), buffer_.data() + kept, kChunk);
  while (n < 0 && errno == EINTR);
  if (n < 0) throw cannotReadErrno(shown_, errno);
  buffer_.resize(kept + static_cast<std::size_t>(n));
  return n > 0;
}

std::string_view TextNumbers::word() {
  do {
    while (at_ < buffer_.size() && separates(buffer_[at_])) ++at_;
  } while (at_ == buffer_.size() && refill());
  std::size_t end = at_;
  for (;;) {
    while (end < buffer_.size() && !separates(buffer_[end])) ++end;
    if (end < buffer_.size() || end - at_ > kLongestNumber) break;
    const std::size_t length = end - at_;
    const bool more = refill();
    end = at_ + length;
    if (!more) break;
  }
  const std::string_view found(buffer_.data() + at_, end - at_);
  at_ = end;
  return found;
}

template <class T, class Take>
void TextNumbers::each(std::uint64_t count, const Take& take, const Control& control) {
  constexpr std::uint64_t kBetweenChecks = 1 << 14;
  for (std::uint64_t i = 0; i < count; ++i, ++next_) {
    if (i % kBetweenChecks == 0) {
      control.check();
      control.report(static_cast<double>(next_) / static_cast<double>(total_), "reading");
    }
    const std::string_view text = word();
    const auto there = [&] { return std::to_string(next_) + " of " + std::to_string(total_) + " numbers"; };
    if (text.empty()) throw damaged(shown_, "it is cut off: " + there() + " are there");
    const auto value = numberOf<T>(text);
    if (!value)
      throw damaged(shown_, "\"" + std::string(text.substr(0, 32)) + "\", behind " + there() +
                                ", is no number of the type of its voxels");
    take(i, *value);
  }
}

void TextNumbers::read(Stored type, std::span<std::byte> out, const Control& control) {
  withType(type, [&](auto tag) {
    using T = decltype(tag);
    each<T>(
        out.size() / sizeof(T),
        [&](std::uint64_t i, T value) { std::memcpy(out.data() + i * sizeof(T), &value, sizeof(T)); }, control);
  });
}

void TextNumbers::check(Stored type) {
  withType(type, [&](auto tag) {
    using T = decltype(tag);
    each<T>(total_, [](std::uint64_t, T) {}, {});
  });
}

void TextNumbers::requireEnd() {
  if (const std::string_view next = word(); exactly<double>(next))
    throw damaged(shown_, "it holds more numbers than its header states");
}

}  // namespace sscope::io
