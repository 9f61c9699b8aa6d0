#pragma once
// Members of a foreign document, with checks of their types and ranges. Every function throws Error(BadData) that names
// the place: "lanes[2].totals_s must be a list".

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace sscope::compare {

inline constexpr std::size_t kLongestText = 4096;  // bytes of UTF-8

class CheckedJson {
 public:
  // `value` outlives this. `place` is "" for the whole document.
  explicit CheckedJson(const nlohmann::json& value, std::string place = {}) : value_(value), place_(std::move(place)) {}

  // A required member; a member that may be missing or null.
  [[nodiscard]] CheckedJson at(const char* key) const;
  [[nodiscard]] std::optional<CheckedJson> find(const char* key) const;
  // The elements of a list of at most `most`.
  [[nodiscard]] std::vector<CheckedJson> list(std::size_t most) const;

  [[nodiscard]] const nlohmann::json& object() const;
  [[nodiscard]] std::string text(std::size_t most = kLongestText) const;
  [[nodiscard]] bool truth() const;
  [[nodiscard]] std::int64_t whole(std::int64_t low, std::int64_t high) const;
  [[nodiscard]] double number(double low, double high) const;
  // Seconds: 0 to 1e9.
  [[nodiscard]] double seconds() const { return number(0, 1e9); }
  [[nodiscard]] std::vector<double> numbers(double low, double high, std::size_t most) const;

  // The same for a member; `otherwise` where it is missing.
  [[nodiscard]] std::string text(const char* key, const std::string& fallback) const;
  [[nodiscard]] bool truth(const char* key, bool fallback) const;
  [[nodiscard]] double number(const char* key, double low, double high, double fallback) const;
  [[nodiscard]] std::int64_t whole(const char* key, std::int64_t low, std::int64_t high, std::int64_t fallback) const;

  [[noreturn]] void refuse(const std::string& what) const;

 private:
  const nlohmann::json& value_;
  std::string place_;
};

}  // namespace sscope::compare
