#pragma once
// Settings are structs whose members are declared in a table: the Option of each (name, type, range, choices) and how
// it is read and set. JSON, assignment by name, equality, the steps of undo and their names come from the table: a new
// setting is a member and a row.

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"
#include "core/options/option.h"

namespace sscope {

// One member. All pointers lead to the struct.
struct SettingRow {
  std::string name;   // and where it is in JSON: "levels", or "solve.kappa" for "kappa" in the object "solve"
  std::string label;  // as in "Change the levels"
  // None: it is more than one value (a list, the origin of a file), of which only JSON is known.
  std::optional<Option> option{};
  std::function<OptionValue(const void*)> get{};  // these two with an option
  std::function<void(void*, const OptionValue&)> set{};
  std::function<void(const void*, nlohmann::json&)> write{};  // these two without; throw Error(BadData)
  std::function<void(void*, const nlohmann::json&)> read{};
  std::function<bool(const void*, const void*)> same{};
  std::function<void(void* to, const void* from)> copy{};
  std::optional<OptionValue> whenMissing{};  // what JSON without it means, where that is not the default
};

// A path to a file among the members.
struct SettingsFile {
  std::string relative;  // where JSON keeps the path from the folder of the session, beside an absolute one
  std::function<const std::string&(const void*)> get{};
  std::function<void(void*, std::string)> set{};
};

struct SettingsTable {
  std::string key;        // unique: "lattice"
  std::string member;     // of a session's JSON: which object they are in
  std::string room;       // the key of the room that shows them
  std::string title;      // of that room
  bool optional = false;  // a session without them leaves the room as it is; else that means the defaults
  std::vector<SettingRow> rows{};
  std::vector<SettingsFile> files{};
  // What of somebody's work these settings open, for people; empty: nothing. Null: they never do.
  std::function<std::string(const void*)> document{};
  // The command line for what they say; empty: they ask for nothing. `shown`: the session opens in their room. Null:
  // they say how something looks.
  std::function<std::string(const void*, bool shown)> command{};
  std::function<std::shared_ptr<void>(const void*)> clone{};  // of null: the defaults
  std::function<bool(const void*, const void*)> equal{};

  [[nodiscard]] const SettingRow* find(std::string_view name) const;
};

// Any struct that has a table: `static const SettingsTable& table()`.
template <class S>
concept HasSettingsTable = std::equality_comparable<S> && requires {
  { S::table() } -> std::same_as<const SettingsTable&>;
};

// One of these structs, whichever it is. A copy costs nothing.
class Settings {
 public:
  template <HasSettingsTable S>
  Settings(S value)  // NOLINT(google-explicit-constructor): a struct of settings is settings
      : table_(&S::table()), value_(std::make_shared<const S>(std::move(value))) {}
  explicit Settings(const SettingsTable& table) : table_(&table), value_(table.clone(nullptr)) {}

  [[nodiscard]] const SettingsTable& table() const { return *table_; }
  [[nodiscard]] const void* value() const { return value_.get(); }
  // They must be of this struct.
  template <HasSettingsTable S>
  [[nodiscard]] const S& as() const {
    return *static_cast<const S*>(value_.get());
  }
  bool operator==(const Settings& other) const;

  // Both throw Error(Usage) for names that are not there or stand for more than one value; set() also for a value of
  // the wrong type or out of range.
  [[nodiscard]] OptionValue at(std::string_view name) const;
  void set(std::string_view name, const OptionValue& value);

  // The numbers of the rows in which two of the same table differ.
  [[nodiscard]] std::vector<std::size_t> differences(const Settings& other) const;
  // These rows of `from`, which has the same table.
  void take(const Settings& from, std::span<const std::size_t> rows);

  // Into the members of `object`; what else it holds stays.
  void write(nlohmann::json& object) const;
  // A member that is missing or null has its default, others than those of the table are left alone. Throws
  // Error(Usage, BadData) that names the member: "lattice.solve.kappa".
  [[nodiscard]] static Settings read(const SettingsTable& table, const nlohmann::json& object);
  // Beside each path that they hold `object` gets the one that `relativeTo` gives for it; none where that is empty.
  void writeRelative(nlohmann::json& object,
                     const std::function<std::string(const std::string& path)>& relativeTo) const;
  // Each path becomes what `found` makes of it and of the one beside it in `object`.
  void resolve(const nlohmann::json& object,
               const std::function<std::string(const std::string& path, const std::string& relative)>& found);

 private:
  [[nodiscard]] const SettingRow& row(std::string_view name) const;

  const SettingsTable* table_;
  std::shared_ptr<const void> value_;
};

// Declares the table of S, a line for each member. Defaults are those of the struct.
template <class S>
class SettingsOf {
 public:
  SettingsOf(std::string key, std::string member, std::string room, std::string title) {
    table_.key = std::move(key);
    table_.member = std::move(member);
    table_.room = std::move(room);
    table_.title = std::move(title);
    table_.clone = [](const void* from) -> std::shared_ptr<void> {
      return from ? std::make_shared<S>(*static_cast<const S*>(from)) : std::make_shared<S>();
    };
    table_.equal = [](const void* a, const void* b) { return *static_cast<const S*>(a) == *static_cast<const S*>(b); };
  }
  // Of a struct that is part of another.
  SettingsOf() : SettingsOf({}, {}, {}, {}) {}

  SettingsOf& optional() {
    table_.optional = true;
    return *this;
  }
  SettingsOf& real(std::string name, std::string label, double S::*member, double low, double high) {
    return value<double>(realOption(std::move(name), std::move(label), 0, low, high, {}, {}), member);
  }
  template <std::integral M>
  SettingsOf& whole(std::string name, std::string label, M S::*member, std::int64_t low, std::int64_t high) {
    return value<std::int64_t>(integerOption(std::move(name), std::move(label), 0, low, high, {}), member);
  }
  SettingsOf& truth(std::string name, std::string label, bool S::*member) {
    return value<bool>(booleanOption(std::move(name), std::move(label), false, {}), member);
  }
  SettingsOf& choice(std::string name, std::string label, std::string S::*member, std::vector<std::string> choices) {
    return value<std::string>(choiceOption(std::move(name), std::move(label), std::move(choices), {}), member);
  }
  SettingsOf& text(std::string name, std::string label, std::string S::*member) {
    return value<std::string>(textOption(std::move(name), std::move(label), {}), member);
  }
  // What only JSON can say.
  template <class M>
  SettingsOf& other(std::string name, std::string label, M S::*member, void (*write)(const M&, nlohmann::json&),
                    void (*read)(M&, const nlohmann::json&)) {
    SettingRow& row = add(std::move(name), std::move(label), member);
    row.write = [=](const void* from, nlohmann::json& json) { write(of(from).*member, json); };
    row.read = [=](void* to, const nlohmann::json& json) { read(of(to).*member, json); };
    return *this;
  }
  // The members of a struct within, in an object of its own.
  template <class M>
  SettingsOf& within(const std::string& name, M S::*member, const SettingsTable& table) {
    for (const SettingRow& inner : table.rows) {
      SettingRow& row = add(name + "." + inner.name, inner.label, member);
      const auto at = [=](auto* settings) { return &(of(settings).*member); };
      row.option = inner.option;
      row.whenMissing = inner.whenMissing;
      if (inner.option) {
        row.get = [=](const void* from) { return inner.get(at(from)); };
        row.set = [=](void* to, const OptionValue& value) { inner.set(at(to), value); };
      } else {
        row.write = [=](const void* from, nlohmann::json& json) { inner.write(at(from), json); };
        row.read = [=](void* to, const nlohmann::json& json) { inner.read(at(to), json); };
      }
      row.same = [=](const void* a, const void* b) { return inner.same(at(a), at(b)); };
      row.copy = [=](void* to, const void* from) { inner.copy(at(to), at(from)); };
    }
    return *this;
  }
  // Of the row before.
  SettingsOf& whenMissing(OptionValue value) {
    table_.rows.back().whenMissing = std::move(value);
    return *this;
  }
  // A value within the range of the row before that is none; `wanted`: "give -1 or 1".
  SettingsOf& except(const OptionValue& wrong, const std::string& wanted) {
    SettingRow& row = table_.rows.back();
    row.set = [set = row.set, wrong, wanted, name = row.name](void* to, const OptionValue& value) {
      if (value == wrong) throw Error(ErrorKind::Usage, name + "=" + formatOption(value) + " is not valid", wanted);
      set(to, value);
    };
    return *this;
  }
  SettingsOf& file(std::string relative, std::string S::*member) {
    table_.files.push_back({std::move(relative),
                            [=](const void* from) -> const std::string& { return of(from).*member; },
                            [=](void* to, std::string path) { of(to).*member = std::move(path); }});
    return *this;
  }
  template <class M>
  SettingsOf& file(std::string relative, M S::*part, std::string M::*member) {
    table_.files.push_back({std::move(relative),
                            [=](const void* from) -> const std::string& { return of(from).*part.*member; },
                            [=](void* to, std::string path) { of(to).*part.*member = std::move(path); }});
    return *this;
  }
  SettingsOf& document(std::string (*name)(const S&)) {
    table_.document = [=](const void* from) { return name(of(from)); };
    return *this;
  }
  SettingsOf& command(std::string (*words)(const S&, bool shown)) {
    table_.command = [=](const void* from, bool shown) { return words(of(from), shown); };
    return *this;
  }
  [[nodiscard]] SettingsTable table() const { return table_; }

 private:
  static const S& of(const void* settings) { return *static_cast<const S*>(settings); }
  static S& of(void* settings) { return *static_cast<S*>(settings); }
  template <class M>
  SettingRow& add(std::string name, std::string label, M S::*member) {
    SettingRow& row = table_.rows.emplace_back(SettingRow{std::move(name), std::move(label)});
    row.same = [=](const void* a, const void* b) { return of(a).*member == of(b).*member; };
    row.copy = [=](void* to, const void* from) { of(to).*member = of(from).*member; };
    return row;
  }
  // V: the alternative of OptionValue that holds an M.
  template <class V, class M>
  SettingsOf& value(Option option, M S::*member) {
    SettingRow& row = add(option.name, option.label, member);
    option.fallback = static_cast<V>(S().*member);
    row.option = std::move(option);
    row.get = [=](const void* from) { return OptionValue(static_cast<V>(of(from).*member)); };
    row.set = [=](void* to, const OptionValue& value) { of(to).*member = static_cast<M>(std::get<V>(value)); };
    return *this;
  }

  SettingsTable table_;
};

}  // namespace sscope
