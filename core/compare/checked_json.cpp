#include "core/compare/checked_json.h"

#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/measure/table.h"

namespace sscope::compare {

void CheckedJson::refuse(const std::string& what) const {
  throw Error(ErrorKind::BadData, (place_.empty() ? "the document" : place_) + " " + what);
}

CheckedJson CheckedJson::at(const char* key) const {
  auto member = find(key);
  if (!member) refuse("lacks \"" + std::string(key) + "\"");
  return *member;
}

std::optional<CheckedJson> CheckedJson::find(const char* key) const {
  if (!value_.is_object()) refuse("must be an object");
  const auto found = value_.find(key);
  if (found == value_.end() || found->is_null()) return {};
  return CheckedJson(*found, place_.empty() ? key : place_ + "." + key);
}

std::vector<CheckedJson> CheckedJson::list(std::size_t most) const {
  if (!value_.is_array()) refuse("must be a list");
  if (value_.size() > most) refuse("has more than " + std::to_string(most) + " elements");
  std::vector<CheckedJson> elements;
  for (std::size_t i = 0; i < value_.size(); ++i)
    elements.emplace_back(value_[i], place_ + "[" + std::to_string(i) + "]");
  return elements;
}

const nlohmann::json& CheckedJson::object() const {
  if (!value_.is_object()) refuse("must be an object");
  return value_;
}

std::string CheckedJson::text(std::size_t most) const {
  if (!value_.is_string()) refuse("must be a text");
  auto text = value_.get<std::string>();
  if (text.size() > most) refuse("is longer than " + std::to_string(most) + " bytes");
  return text;
}

bool CheckedJson::truth() const {
  if (!value_.is_boolean()) refuse("must be true or false");
  return value_.get<bool>();
}

std::int64_t CheckedJson::whole(std::int64_t low, std::int64_t high) const {
  if (!value_.is_number_integer()) refuse("must be a whole number");
  const bool large = value_.is_number_unsigned() && value_.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  const std::int64_t number = large ? INT64_MAX : value_.get<std::int64_t>();
  if ((large && high < INT64_MAX) || number < low || number > high)
    refuse("must be from " + std::to_string(low) + " to " + std::to_string(high));
  return number;
}

double CheckedJson::number(double low, double high) const {
  if (!value_.is_number()) refuse("must be a number");
  const auto number = value_.get<double>();
  if (!(number >= low && number <= high)) refuse("must be from " + shortNumber(low) + " to " + shortNumber(high));
  return number;
}

std::vector<double> CheckedJson::numbers(double low, double high, std::size_t most) const {
  std::vector<double> numbers;
  for (const CheckedJson& element : list(most)) numbers.push_back(element.number(low, high));
  return numbers;
}

std::string CheckedJson::text(const char* key, const std::string& fallback) const {
  const auto member = find(key);
  return member ? member->text() : fallback;
}

bool CheckedJson::truth(const char* key, bool fallback) const {
  const auto member = find(key);
  return member ? member->truth() : fallback;
}

double CheckedJson::number(const char* key, double low, double high, double fallback) const {
  const auto member = find(key);
  return member ? member->number(low, high) : fallback;
}

std::int64_t CheckedJson::whole(const char* key, std::int64_t low, std::int64_t high, std::int64_t fallback) const {
  const auto member = find(key);
  return member ? member->whole(low, high) : fallback;
}

}  // namespace sscope::compare
