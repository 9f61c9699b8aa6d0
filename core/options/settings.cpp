#include "core/options/settings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"

namespace sscope {

namespace {

using nlohmann::json;

// "solve" and "kappa" of "solve.kappa"; nothing and the name of others.
std::pair<std::string, std::string> placeOf(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {{}, name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

json& memberAt(json& object, const std::string& name) {
  const auto [within, member] = placeOf(name);
  return within.empty() ? object[member] : object[within][member];
}

// Null if it is missing. Throws Error(Usage) if a member that should be an object is not.
const json* memberAt(const json& object, const std::string& name, const std::string& key) {
  const auto [within, member] = placeOf(name);
  const json* holder = &object;
  if (!within.empty()) {
    const auto found = object.find(within);
    if (found == object.end() || found->is_null()) return nullptr;
    if (!found->is_object()) throw Error(ErrorKind::Usage, key + "." + within + " must be an object");
    holder = &*found;
  }
  const auto found = holder->find(member);
  return found == holder->end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

std::string capitalized(std::string words) {
  if (!words.empty() && words.front() >= 'a' && words.front() <= 'z')
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
  return words;
}

const SettingRow* SettingsTable::find(std::string_view name) const {
  const auto found = std::ranges::find(rows, name, &SettingRow::name);
  return found == rows.end() ? nullptr : &*found;
}

bool Settings::operator==(const Settings& other) const {
  return table_ == other.table_ && (value_ == other.value_ || table_->equal(value_.get(), other.value_.get()));
}

const SettingRow& Settings::row(std::string_view name) const {
  const SettingRow* found = table_->find(name);
  if (found != nullptr && found->option) return *found;
  std::string known;
  for (const SettingRow& each : table_->rows)
    if (each.option) known += (known.empty() ? "" : ", ") + each.name;
  throw Error(
      ErrorKind::Usage,
      found != nullptr ? std::string(name) + " is more than one value" : "there is no setting " + std::string(name),
      "use one of " + known);
}

OptionValue Settings::at(std::string_view name) const { return row(name).get(value_.get()); }

void Settings::set(std::string_view name, const OptionValue& value) {
  const SettingRow& found = row(name);
  checkOption(*found.option, value);
  const std::shared_ptr<void> own = table_->clone(value_.get());
  found.set(own.get(), value);
  value_ = own;
}

std::vector<std::size_t> Settings::differences(const Settings& other) const {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < table_->rows.size(); ++i)
    if (!table_->rows[i].same(value_.get(), other.value_.get())) rows.push_back(i);
  return rows;
}

void Settings::take(const Settings& from, std::span<const std::size_t> rows) {
  const std::shared_ptr<void> own = table_->clone(value_.get());
  for (const std::size_t row : rows) table_->rows.at(row).copy(own.get(), from.value_.get());
  value_ = own;
}

void Settings::write(json& object) const {
  for (const SettingRow& row : table_->rows) {
    json& at = memberAt(object, row.name);
    row.option ? static_cast<void>(at = optionToJson(row.get(value_.get()))) : row.write(value_.get(), at);
  }
}

Settings Settings::read(const SettingsTable& table, const json& object) {
  const std::shared_ptr<void> made = table.clone(nullptr);
  for (const SettingRow& row : table.rows) {
    const json* at = memberAt(object, row.name, table.member);
    if (at != nullptr && row.option) {
      try {
        row.set(made.get(), optionFromJson(*row.option, *at));
      } catch (const Error& error) {
        const std::string within = placeOf(row.name).first;
        throw Error(error.kind(), table.member + "." + (within.empty() ? within : within + ".") + error.what());
      }
    } else if (at != nullptr) {
      row.read(made.get(), *at);
    } else if (row.whenMissing) {
      row.set(made.get(), *row.whenMissing);
    }
  }
  Settings settings(table);
  settings.value_ = made;
  return settings;
}

void Settings::writeRelative(json& object, const std::function<std::string(const std::string&)>& relativeTo) const {
  for (const SettingsFile& file : table_->files)
    if (std::string relative = relativeTo(file.get(value_.get())); !relative.empty())
      memberAt(object, file.relative) = std::move(relative);
}

void Settings::resolve(const json& object,
                       const std::function<std::string(const std::string&, const std::string&)>& found) {
  const std::shared_ptr<void> own = table_->clone(value_.get());
  for (const SettingsFile& file : table_->files) {
    const json* beside = memberAt(object, file.relative, table_->member);
    const std::string relative = beside != nullptr && beside->is_string() ? beside->get<std::string>() : std::string();
    file.set(own.get(), found(file.get(own.get()), relative));
  }
  value_ = own;
}

}  // namespace sscope
