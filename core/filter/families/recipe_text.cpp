#include "core/filter/families/recipe_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/base/words.h"
#include "core/filter/families/family.h"
#include "core/filter/families/family_rows.h"
#include "core/filter/families/filter_files.h"
#include "core/filter/families/program.h"
#include "core/filter/formula/formula_lexer.h"

namespace sscope {

using nlohmann::json;

namespace {

constexpr const char* kBankSchema = "stencilscope.bank/1";

[[noreturn]] void badBank(const std::string& what) {
  throw Error(ErrorKind::BadData, "the filter bank is not valid: " + what,
              "see docs/manual/file-formats.md for the format");
}

template <std::size_t N>
std::array<std::int64_t, N> triple(const json& value, const char* key, std::int64_t fill) {
  if (!value.is_array() || value.empty() || value.size() > N)
    badBank(std::string(key) + " must be an array of 1 to 3 whole numbers");
  std::array<std::int64_t, N> result;
  result.fill(fill);
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!value[i].is_number_integer()) badBank(std::string(key) + " must hold whole numbers");
    result[i] = value[i].get<std::int64_t>();
  }
  return result;
}

// Unknown members are refused, because a misspelled one would have no effect.
void requireKnown(const json& object, const std::string& what, std::initializer_list<const char*> known) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string list;
    for (const char* one : known) list += (list.empty() ? "" : ", ") + std::string(one);
    badBank(what + " has no \"" + key + "\", only " + list);
  }
}

template <class T>
T get(const json& object, const char* key, T fallback, bool (json::*is)() const noexcept, const char* kind) {
  if (!object.contains(key)) return fallback;
  if (!(object.at(key).*is)()) badBank(std::string(key) + " must be " + kind);
  return object.at(key).get<T>();
}

std::vector<std::string> inputsFromJson(const json& object) {
  if (object.contains("input") && object.contains("inputs")) badBank("a filter has \"input\" as well as \"inputs\"");
  if (object.contains("input")) return {get<std::string>(object, "input", "", &json::is_string, "a name")};
  std::vector<std::string> names;
  if (!object.contains("inputs")) return names;
  if (!object.at("inputs").is_array() || object.at("inputs").empty()) badBank("\"inputs\" must be an array of names");
  for (const json& name : object.at("inputs")) {
    if (!name.is_string()) badBank("\"inputs\" must be an array of names");
    names.push_back(name.get<std::string>());
  }
  return names;
}

}  // namespace

DenseTaps tapsFromJson(const json& object) {
  DenseTaps taps;
  if (!object.contains("size") || !object.contains("taps")) badBank("custom taps need \"size\" and \"taps\"");
  taps.size = triple<3>(object.at("size"), "size", 1);
  for (const std::int64_t extent : taps.size)
    if (extent < 1 || extent > kMaximumAxisTaps)
      badBank("sizes must lie between 1 and " + std::to_string(kMaximumAxisTaps));
  const json& list = object.at("taps");
  if (!list.is_array() || static_cast<std::int64_t>(list.size()) != taps.count())
    badBank("taps must hold " + std::to_string(taps.count()) + " numbers, x fastest");
  taps.weights.clear();
  for (const json& w : list) {
    if (!w.is_number() || !std::isfinite(w.get<double>())) badBank("taps must be finite numbers");
    taps.weights.push_back(w.get<double>());
  }
  if (object.contains("anchor")) {
    taps.anchor = triple<3>(object.at("anchor"), "anchor", 0);
    for (std::size_t a = 0; a < 3; ++a)
      if (taps.anchor[a] < 0 || taps.anchor[a] >= taps.size[a]) badBank("the anchor must lie inside the taps");
  } else {
    for (std::size_t a = 0; a < 3; ++a) taps.anchor[a] = taps.size[a] / 2;
  }
  return taps;
}

namespace {

// The position of the next comma outside parentheses, brackets and quotes; npos if there is none.
std::size_t separator(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth <= 0) return i;
  }
  return std::string_view::npos;
}

// A name in quotes, because it has other characters.
std::string nameIn(std::string_view text) {
  const bool quoted = text.size() > 1 && text.starts_with('"') && text.find('"', 1) == text.size() - 1;
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

// Names are shown and become names of files, in which such characters would hide the text.
void requireVisible(const std::string& name) {
  if (const std::string shown = inOneLine(name); shown != name)
    throw Error(ErrorKind::Usage, "the name " + shown + " of a filter has control characters or direction marks",
                "remove them");
}

// The inverse; names with quotes cannot be written.
std::string spelledName(const std::string& name) {
  const bool plain = name.find_first_of(",;()[]") == std::string::npos;
  return plain ? name : '"' + name + '"';
}

std::vector<std::string> namesIn(std::string_view list) {
  std::vector<std::string> names;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    const std::size_t closed = list.starts_with('"') ? list.find('"', 1) : std::string_view::npos;
    end = list.find(';', closed == std::string_view::npos ? 0 : closed);
    names.push_back(nameIn(list.substr(0, end)));
    if (names.back().empty())
      throw Error(ErrorKind::Usage, "an input has no name", "write input=NAME, or inputs=NAME;NAME");
    if (end != std::string_view::npos) list.remove_prefix(end + 1);
  }
  return names;
}

DenseTaps tapsIn(const std::vector<std::pair<std::string_view, std::string_view>>& written) {
  json object = json::object();
  for (const auto& [key, value] : written) {
    json list = json::parse(value, nullptr, false);
    if (!list.is_array())
      throw Error(ErrorKind::Usage, std::string(key) + " of custom taps is not a list of numbers",
                  "write custom:size=[nx,ny,nz],taps=[...]");
    object[std::string(key)] = std::move(list);
  }
  try {
    return tapsFromJson(object);
  } catch (const Error& error) {
    throw Error(ErrorKind::Usage, error.what());
  }
}

// A former family had its own defaults.
void takeFallbacks(std::string_view named, FilterRecipe& recipe) {
  if (const FormerFamily* former = findFormerFamily(named))
    recipe.parameters.insert(former->fallbacks.begin(), former->fallbacks.end());
}

}  // namespace

FilterRecipe parseFilterSpec(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  FilterRecipe recipe;
  const std::string_view named = spec.substr(0, colon);
  const FilterFamily& family = filterFamily(named);
  recipe.family = family.name;
  recipe.name = named;
  std::string_view rest = colon == std::string_view::npos ? std::string_view{} : spec.substr(colon + 1);
  bool hasTaps = false;
  std::set<std::string_view> given;
  std::vector<std::pair<std::string_view, std::string_view>> written;  // taps in the spec itself
  std::vector<std::pair<std::string_view, std::string_view>> others;   // of options that depend on the values of others
  while (!rest.empty()) {
    const std::size_t comma = separator(rest);
    const std::string_view pair = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos)
      throw Error(ErrorKind::Usage,
                  "cannot understand \"" + std::string(pair) + "\" in the filter " + std::string(spec),
                  "write family:key=value,key=value");
    const std::string_view key = pair.substr(0, equals);
    const std::string_view value = pair.substr(equals + 1);
    if (!given.insert(key).second)
      throw Error(ErrorKind::Usage, std::string(key) + " occurs twice in the filter " + std::string(spec),
                  "leave one of the two out");
    if (key == "flip") {
      recipe.flip = std::get<bool>(parseOption(booleanOption("flip", "Flip", false, ""), value));
    } else if (key == "name") {
      recipe.name = nameIn(value);
      requireVisible(recipe.name);
    } else if (key == "input" || key == "inputs") {
      if (!recipe.inputs.empty())
        throw Error(ErrorKind::Usage, "the filter " + std::string(spec) + " has input as well as inputs",
                    "leave one of the two out");
      recipe.inputs = key == "input" ? std::vector{nameIn(value)} : namesIn(value);
    } else if (key == "intermediate") {
      recipe.intermediate =
          std::get<bool>(parseOption(booleanOption("intermediate", "Intermediate", false, ""), value));
    } else if (key == "file" && family.name == "custom") {
      recipe.taps = readTapsFile(std::string(value));
      hasTaps = true;
    } else if ((key == "size" || key == "taps" || key == "anchor") && family.name == "custom") {
      written.emplace_back(key, value);
    } else if (const Option* option = findOption(family.options, key)) {
      recipe.parameters[std::string(key)] = parseOption(*option, value);
    } else {
      others.emplace_back(key, value);
    }
  }
  const std::vector<Option> options = optionsOf(family, recipe.parameters);
  for (const auto& [key, value] : others) {
    const Option* option = findOption(options, key);
    if (const FormerOption* former = findFormerOption(family, key)) {
      renewOption(family, *former, parseOption(former->option, value), recipe.parameters);
      continue;
    }
    if (option == nullptr) {
      std::string known;
      for (const Option& o : options) known += (known.empty() ? "" : ", ") + o.name;
      if (family.name == "custom") known = "file, size, taps, anchor";
      throw Error(ErrorKind::Usage, "the filter " + family.name + " has no parameter " + std::string(key),
                  "use one of " + known + (known.empty() ? "" : ", ") + "name, input, intermediate, flip");
    }
    recipe.parameters[std::string(key)] = parseOption(*option, value);
  }
  takeFallbacks(named, recipe);
  if (!written.empty()) {
    if (hasTaps)
      throw Error(ErrorKind::Usage, "the filter " + recipe.name + " has taps as well as a file of taps",
                  "leave one of the two out");
    recipe.taps = tapsIn(written);
    hasTaps = true;
  }
  if (family.name == "custom" && !hasTaps)
    throw Error(ErrorKind::Usage, "custom taps need a file",
                "write custom:file=taps.json, or custom:size=[nx,ny,nz],taps=[...]");
  return recipe;
}

std::string formatFilterSpec(const FilterRecipe& recipe) {
  std::string text = recipe.family;
  char separator = ':';
  const auto add = [&](const std::string& key, const std::string& value) {
    text += separator + key + "=" + value;
    separator = ',';
  };
  for (const auto& [name, value] : recipe.parameters) add(name, formatOption(value));
  if (recipe.family == "custom") {
    add("size", json(recipe.taps.size).dump());
    add("anchor", json(recipe.taps.anchor).dump());
    add("taps", json(recipe.taps.weights).dump());
  }
  if (recipe.flip) add("flip", "true");
  if (recipe.inputs.size() == 1) add("input", spelledName(recipe.inputs.front()));
  if (recipe.inputs.size() > 1) {
    std::string list;
    for (const std::string& name : recipe.inputs) list += (list.empty() ? "" : ";") + spelledName(name);
    add("inputs", list);
  }
  if (recipe.intermediate) add("intermediate", "true");
  return text;
}

std::string wholeFilterSpec(const FilterRecipe& recipe) {
  std::string spec = formatFilterSpec(recipe);
  if (recipe.name != recipe.family) spec += (spec == recipe.family ? ":name=" : ",name=") + spelledName(recipe.name);
  FilterRecipe again;
  try {
    again = parseFilterSpec(spec);
  } catch (const Error&) {  // an invalid formula, or a name with an unclosed bracket
  }
  again.enabled = recipe.enabled;
  if (again != recipe)
    throw Error(ErrorKind::Unsupported, "the filter " + recipe.name + " cannot be written as a word of a command",
                "give it a name of letters and digits, or save the bank and use --bank");
  return spec;
}

json toJson(const FilterRecipe& recipe) {
  json object{{"name", recipe.name}, {"type", recipe.family}};
  if (!recipe.parameters.empty()) {
    json params = json::object();
    for (const auto& [name, value] : recipe.parameters) params[name] = optionToJson(value);
    object["params"] = std::move(params);
  }
  if (recipe.family == "custom") {
    object["size"] = recipe.taps.size;
    object["anchor"] = recipe.taps.anchor;
    object["taps"] = recipe.taps.weights;
  }
  if (recipe.flip) object["flip"] = true;
  if (!recipe.enabled) object["enabled"] = false;
  if (recipe.inputs.size() == 1) object["input"] = recipe.inputs.front();
  if (recipe.inputs.size() > 1) object["inputs"] = recipe.inputs;
  if (recipe.intermediate) object["intermediate"] = true;
  return object;
}

FilterRecipe recipeFromJson(const json& object) {
  if (!object.is_object()) badBank("each filter must be an object");
  FilterRecipe recipe;
  const auto type = get<std::string>(object, "type", "", &json::is_string, "a string");
  if (type.empty()) badBank("a filter has no \"type\"");
  const FilterFamily& family = filterFamily(type);
  recipe.family = family.name;
  if (family.name == "custom") {
    requireKnown(
        object, "a custom filter",
        {"type", "name", "flip", "enabled", "input", "inputs", "intermediate", "size", "taps", "anchor", "params"});
  } else {
    requireKnown(object, "a filter " + family.name,
                 {"type", "name", "flip", "enabled", "input", "inputs", "intermediate", "params"});
  }
  recipe.name = get<std::string>(object, "name", type, &json::is_string, "a string");
  recipe.flip = get<bool>(object, "flip", false, &json::is_boolean, "true or false");
  recipe.enabled = get<bool>(object, "enabled", true, &json::is_boolean, "true or false");
  recipe.intermediate = get<bool>(object, "intermediate", false, &json::is_boolean, "true or false");
  recipe.inputs = inputsFromJson(object);
  if (recipe.family == "custom") recipe.taps = tapsFromJson(object);
  if (object.contains("params")) {
    const json& params = object.at("params");
    if (!params.is_object()) badBank("\"params\" must be an object");
    for (const Option& option : family.options)
      if (params.contains(option.name)) recipe.parameters[option.name] = optionFromJson(option, params.at(option.name));
    const std::vector<Option> options = optionsOf(family, recipe.parameters);
    for (const auto& [name, value] : params.items()) {
      const Option* option = findOption(options, name);
      if (const FormerOption* former = findFormerOption(family, name)) {
        renewOption(family, *former, optionFromJson(former->option, value), recipe.parameters);
        continue;
      }
      if (option == nullptr) badBank("the filter " + family.name + " has no parameter " + name);
      recipe.parameters[name] = optionFromJson(*option, value);
    }
  }
  takeFallbacks(type, recipe);
  return recipe;
}

json toJson(const FilterBank& bank) {
  json filters = json::array();
  for (const FilterRecipe& recipe : bank.filters) filters.push_back(toJson(recipe));
  return {{"schema", kBankSchema},
          {"boundary", std::string(toString(bank.boundary))},
          {"constant", bank.constant},
          {"output", toString(bank.output)},
          {"filters", std::move(filters)}};
}

namespace {

// For documents: characters that are not allowed in names are replaced, so that the documents open. Rows that read such
// a row follow.
void showNames(FilterBank& bank) {
  for (FilterRecipe& recipe : bank.filters) {
    if (inOneLine(recipe.name) == recipe.name) continue;
    const std::string hidden = std::exchange(recipe.name, std::string());
    const std::string shown = uniqueName(bank, inOneLine(hidden));
    recipe.name = shown;
    renameInputs(bank, hidden, shown);
  }
}

}  // namespace

FilterBank bankFromJson(const json& object) {
  if (!object.is_object()) badBank("it must be an object");
  const auto schema = get<std::string>(object, "schema", "", &json::is_string, "a string");
  if (schema != kBankSchema) badBank("\"schema\" must be \"" + std::string(kBankSchema) + "\"");
  requireKnown(object, "a bank", {"schema", "boundary", "constant", "output", "filters"});
  FilterBank bank;
  const auto boundary = parseBoundary(get<std::string>(object, "boundary", "nearest", &json::is_string, "a string"));
  if (!boundary) badBank("\"boundary\" must be constant, nearest, mirror, reflect or wrap");
  bank.boundary = *boundary;
  bank.constant = get<double>(object, "constant", 0.0, &json::is_number, "a number");
  if (!std::isfinite(bank.constant)) badBank("\"constant\" must be finite");
  const auto output = parseOutputType(get<std::string>(object, "output", "auto", &json::is_string, "a string"));
  if (!output) badBank("\"output\" must be auto, same or an element type such as f32 or u8");
  bank.output = *output;
  if (!object.contains("filters") || !object.at("filters").is_array()) badBank("\"filters\" must be an array");
  for (const json& entry : object.at("filters")) bank.filters.push_back(recipeFromJson(entry));
  nameApart(bank);
  showNames(bank);
  return bank;
}

void nameApart(FilterBank& bank) {
  std::unordered_map<std::string, int> rows;
  for (const FilterRecipe& recipe : bank.filters) ++rows[recipe.name];
  for (const FilterRecipe& recipe : bank.filters)
    for (const std::string& name :
         recipe.inputs.empty() && formulaOf(recipe) == nullptr ? recipe.inputs : inputsOf(recipe))
      if (const auto found = rows.find(name); found != rows.end() && found->second > 1)
        throw Error(ErrorKind::Usage,
                    "the filter " + recipe.name + " reads " + name + ", which is the name of " +
                        std::to_string(found->second) + " rows",
                    "give each its own name");
  FilterNames names;
  for (FilterRecipe& recipe : bank.filters) recipe.name = names.take(recipe.name);
}

void renameInputs(FilterBank& bank, const std::string& from, const std::string& to) {
  for (FilterRecipe& recipe : bank.filters) {
    std::ranges::replace(recipe.inputs, from, to);
    if (const std::string* text = formulaOf(recipe)) recipe.parameters[kFormulaText] = renamedInput(*text, from, to);
  }
}

}  // namespace sscope
