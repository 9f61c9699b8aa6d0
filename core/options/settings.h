#pragma once
// Settings are structs with a table of their members: each row has the member's Option (name, type, range, choices) and
// functions that get and set it. JSON, assignment by name, equality, undo and the controls in the rooms come from the
// table: a new setting is one member and one row.

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

// A value of a list in the window.
struct SettingChoice {
  std::string value;  // as formatOption writes it
  std::string title;
  std::string tip{};  // may be empty
};

// The properties of a row's control that its option does not determine.
struct SettingLook {
  std::string group;                     // of controls shown together in one part of the room's panel
  std::string spoken;                    // for screen readers, if the label says too little; empty: the label
  std::vector<SettingChoice> choices{};  // not empty: a list of these, in this order, for any type of option
  bool slider = false;                   // over the option's slider range
  double sliderStep = 0;                 // the slider rounds to multiples of it; 0: no rounding
  double boxStep = 0;                    // of arrow keys and the wheel; 0: the option's step, or chosen from the number
};

// One member. All `void` pointers point to the struct.
struct SettingRow {
  std::string name;   // also its place in JSON: "levels", or "solve.kappa" for "kappa" in the object "solve"
  std::string label;  // as in "Change the levels"
  // Empty for members that are not one value (a list, the origin of a file) and can only be written to JSON.
  std::optional<Option> option{};
  std::function<OptionValue(const void*)> get{};  // get and set: only with an option
  std::function<void(void*, const OptionValue&)> set{};
  std::function<void(const void*, nlohmann::json&)> write{};  // write and read: only without; throw Error(BadData)
  std::function<void(void*, const nlohmann::json&)> read{};
  std::function<bool(const void*, const void*)> same{};
  std::function<void(void* to, const void* from)> copy{};
  std::optional<OptionValue> whenMissing{};  // the value if JSON lacks the member; empty: the default
  SettingLook look{};                        // only with an option
};

// A member that is the path of a file.
struct SettingsFile {
  std::string relative;  // the name in JSON of the same path relative to the session's folder
  std::function<const std::string&(const void*)> get{};
  std::function<void(void*, std::string)> set{};
};

struct SettingsTable {
  std::string key;        // unique: "lattice"
  std::string member;     // the member of a session's JSON that holds them as an object
  std::string room;       // the key of the room that shows them
  std::string title;      // of that room
  bool optional = false;  // if a session lacks them, the room keeps its settings; false: it gets the defaults
  std::vector<SettingRow> rows{};
  std::vector<SettingsFile> files{};
  // The displayed name of the document that these settings open; empty: none. Null: they never open any.
  std::function<std::string(const void*)> document{};
  // The command line that computes the same; empty: there is nothing to compute. `shown`: the session opens in their
  // room. Null: the settings only affect how something looks.
  std::function<std::string(const void*, bool shown)> command{};
  std::function<std::shared_ptr<void>(const void*)> clone{};  // null gives the defaults
  std::function<bool(const void*, const void*)> equal{};

  [[nodiscard]] const SettingRow* find(std::string_view name) const;
};

// A struct with a table: `static const SettingsTable& table()`.
template <class S>
concept HasSettingsTable = std::equality_comparable<S> && requires {
  { S::table() } -> std::same_as<const SettingsTable&>;
};

// Holds a struct of any of these types. Copies share it and are cheap.
class Settings {
 public:
  template <HasSettingsTable S>
  Settings(S value)  // NOLINT(google-explicit-constructor): any such struct is settings
      : table_(&S::table()), value_(std::make_shared<const S>(std::move(value))) {}
  explicit Settings(const SettingsTable& table) : table_(&table), value_(table.clone(nullptr)) {}

  [[nodiscard]] const SettingsTable& table() const { return *table_; }
  [[nodiscard]] const void* value() const { return value_.get(); }
  // The held struct must be an S.
  template <HasSettingsTable S>
  [[nodiscard]] const S& as() const {
    return *static_cast<const S*>(value_.get());
  }
  bool operator==(const Settings& other) const;

  // Both throw Error(Usage) for unknown names and for rows without an option, set() also for a value of the wrong type
  // or out of range.
  [[nodiscard]] OptionValue at(std::string_view name) const;
  void set(std::string_view name, const OptionValue& value);

  // The indices of the rows that differ. `other` must have the same table.
  [[nodiscard]] std::vector<std::size_t> differences(const Settings& other) const;
  // Copies the rows with these indices from `from`, which must have the same table.
  void take(const Settings& from, std::span<const std::size_t> rows);

  // Writes all rows to `object`; its other members stay.
  void write(nlohmann::json& object) const;
  // Members of `object` that are missing or null get their defaults; members without a row are ignored. Throws
  // Error(Usage, BadData) that names the member: "lattice.solve.kappa".
  [[nodiscard]] static Settings read(const SettingsTable& table, const nlohmann::json& object);
  // Writes to `object` what `relativeTo` returns for each path that is set (SettingsFile::relative), unless that is
  // empty.
  void writeRelative(nlohmann::json& object,
                     const std::function<std::string(const std::string& path)>& relativeTo) const;
  // Replaces each path by what `found` returns for it and for the relative path in `object`.
  void resolve(const nlohmann::json& object,
               const std::function<std::string(const std::string& path, const std::string& relative)>& found);

 private:
  [[nodiscard]] const SettingRow& row(std::string_view name) const;

  const SettingsTable* table_;
  std::shared_ptr<const void> value_;
};

// "flow time" gives "Flow time".
[[nodiscard]] std::string capitalized(std::string words);

// Declares the table of S, one line for each member. The defaults are those of the struct. The label beside a control
// is the row's label, capitalized, unless shown() gives another one.
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
  // For a struct within another one.
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
  // A member that is not one value and only goes to JSON.
  template <class M>
  SettingsOf& other(std::string name, std::string label, M S::*member, void (*write)(const M&, nlohmann::json&),
                    void (*read)(M&, const nlohmann::json&)) {
    SettingRow& row = add(std::move(name), std::move(label), member);
    row.write = [=](const void* from, nlohmann::json& document) { write(of(from).*member, document); };
    row.read = [=](void* to, const nlohmann::json& document) { read(of(to).*member, document); };
    return *this;
  }
  // The rows of a struct that is a member; in JSON they are in an object of this name.
  template <class M>
  SettingsOf& within(const std::string& name, M S::*member, const SettingsTable& table) {
    for (const SettingRow& inner : table.rows) {
      SettingRow& row = add(name + "." + inner.name, inner.label, member);
      const auto at = [=](auto* settings) { return &(of(settings).*member); };
      row.option = inner.option;
      row.whenMissing = inner.whenMissing;
      row.look = inner.look;
      if (inner.option) {
        row.get = [=](const void* from) { return inner.get(at(from)); };
        row.set = [=](void* to, const OptionValue& value) { inner.set(at(to), value); };
      } else {
        row.write = [=](const void* from, nlohmann::json& document) { inner.write(at(from), document); };
        row.read = [=](void* to, const nlohmann::json& document) { inner.read(at(to), document); };
      }
      row.same = [=](const void* a, const void* b) { return inner.same(at(a), at(b)); };
      row.copy = [=](void* to, const void* from) { inner.copy(at(to), at(from)); };
    }
    return *this;
  }
  // Sets the group of all rows that follow.
  SettingsOf& group(std::string name) {
    group_ = std::move(name);
    return *this;
  }
  // All functions from here to except() change the last row. shown() sets the label beside its control, and a name for
  // screen readers if the label says too little.
  SettingsOf& shown(std::string label, std::string spoken = {}) {
    option().label = std::move(label);
    table_.rows.back().look.spoken = std::move(spoken);
    return *this;
  }
  // The tooltip, one sentence.
  SettingsOf& help(std::string words) {
    option().help = std::move(words);
    return *this;
  }
  SettingsOf& unit(std::string name) {
    option().unit = std::move(name);
    return *this;
  }
  // Shows a list of values in the window, in this order, with titles and tips.
  SettingsOf& titles(std::vector<SettingChoice> choices) {
    table_.rows.back().look.choices = std::move(choices);
    return *this;
  }
  SettingsOf& slider(double low, double high, double step) {
    option().sliderMinimum = low;
    option().sliderMaximum = high;
    table_.rows.back().look.slider = true;
    table_.rows.back().look.sliderStep = step;
    return *this;
  }
  SettingsOf& step(double size) {
    table_.rows.back().look.boxStep = size;
    return *this;
  }
  // Arrow keys change the value by factors of ten.
  SettingsOf& decades() {
    option().logarithmic = true;
    return *this;
  }
  SettingsOf& whenMissing(OptionValue value) {
    table_.rows.back().whenMissing = std::move(value);
    return *this;
  }
  // Rejects a value within the range; `wanted` says what to give instead: "give -1 or 1".
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
    row.look.group = group_;
    row.same = [=](const void* a, const void* b) { return of(a).*member == of(b).*member; };
    row.copy = [=](void* to, const void* from) { of(to).*member = of(from).*member; };
    return row;
  }
  // The last row's, which must have one.
  Option& option() { return table_.rows.back().option.value(); }
  // V: the alternative of OptionValue that stores an M.
  template <class V, class M>
  SettingsOf& value(Option option, M S::*member) {
    SettingRow& row = add(option.name, option.label, member);
    option.fallback = static_cast<V>(S().*member);
    option.label = capitalized(std::move(option.label));
    row.option = std::move(option);
    row.get = [=](const void* from) { return OptionValue(static_cast<V>(of(from).*member)); };
    row.set = [=](void* to, const OptionValue& value) { of(to).*member = static_cast<M>(std::get<V>(value)); };
    return *this;
  }

  SettingsTable table_;
  std::string group_;
};

}  // namespace sscope
