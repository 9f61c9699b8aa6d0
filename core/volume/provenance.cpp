#include "core/volume/provenance.h"

#include <charconv>
#include <filesystem>
#include <mutex>
#include <utility>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/words.h"
#include "core/volume/selection.h"

namespace sscope {

namespace {

constexpr std::string_view kSchema = "stencilscope.provenance/1", kSchemaStem = "stencilscope.provenance/";
// Values that become known last: variant, two fingerprints, three numbers.
constexpr std::size_t kLateBytes = 384, kRounded = 64;
constexpr char kUnreadable = '!';
constexpr const char* kProgram = "Stencilscope";

void put(nlohmann::json& object, const char* key, const std::string& value) {
  if (!value.empty()) object[key] = value;
}

nlohmann::json toJson(const Provenance::Data& data) {
  nlohmann::json object = nlohmann::json::object();
  put(object, "name", data.name);
  put(object, "selection", data.selection);
  put(object, "sample", data.sample);
  if (!data.sample.empty()) {
    object["seed"] = data.seed;
    if (data.size > 0) object["size"] = data.size;
  }
  put(object, "fingerprint", data.fingerprint);
  if (data.spacing) object["spacing"] = *data.spacing;
  put(object, "unit", data.unit);
  if (!data.provenance.is_null()) object["provenance"] = data.provenance;
  return object;
}

nlohmann::json toJson(const Provenance& p) {
  nlohmann::json object{{"schema", kSchema}, {"program", kProgram}, {"version", p.version}, {"command", p.command}};
  if (!p.options.is_null()) object["options"] = p.options;
  if (p.data) object["data"] = toJson(*p.data);
  put(object, "engine", p.engine);
  put(object, "variant", p.variant);
  if (!p.results.empty()) object["results"] = p.results;
  if (p.verified)
    object["verified"] = {
        {"rel_l2", p.verified->relativeL2}, {"max_ulp", p.verified->maximumUlp}, {"compared", p.verified->compared}};
  put(object, "fingerprint", p.fingerprint);
  return object;
}

std::size_t roomFor(const nlohmann::json& object) {
  return (plainJson(object).size() + kLateBytes + kRounded - 1) / kRounded * kRounded;
}

// Reads members; wrong types throw nlohmann::json's exceptions.
std::string textIn(const nlohmann::json& object, const char* key) {
  const auto at = object.find(key);
  return at == object.end() ? std::string() : at->get<std::string>();
}

Provenance::Data dataFrom(const nlohmann::json& object) {
  Provenance::Data data{.name = textIn(object, "name"),
                        .selection = textIn(object, "selection"),
                        .sample = textIn(object, "sample"),
                        .size = object.value("size", std::int64_t{0}),
                        .seed = object.value("seed", std::uint64_t{1}),
                        .fingerprint = textIn(object, "fingerprint"),
                        .unit = textIn(object, "unit"),
                        .provenance = object.value("provenance", nlohmann::json())};
  if (object.contains("spacing")) data.spacing = object["spacing"].get<std::array<double, 3>>();
  const bool chosen = data.selection.empty() || data.selection.starts_with('@') || data.selection.starts_with(":/");
  if (!chosen || data.selection.find("..") != std::string::npos)
    throw Error(ErrorKind::BadData, "its selection of the data is invalid");
  // Only files in the same folder are accepted.
  if (data.name != std::filesystem::path(data.name).filename().string() || data.name == ".." || data.name == ".")
    throw Error(ErrorKind::BadData, "it names data in another folder");
  return data;
}

Provenance fromJson(const nlohmann::json& object) {
  Provenance p;
  p.version = textIn(object, "version");
  p.command = textIn(object, "command");
  p.options = object.value("options", nlohmann::json());
  if (const auto data = object.find("data"); data != object.end()) p.data = dataFrom(*data);
  p.engine = textIn(object, "engine");
  p.variant = textIn(object, "variant");
  p.results = object.value("results", std::vector<std::string>());
  if (const auto verified = object.find("verified"); verified != object.end())
    p.verified = Provenance::Verified{.relativeL2 = verified->at("rel_l2").get<double>(),
                                      .maximumUlp = verified->at("max_ulp").get<double>(),
                                      .compared = verified->at("compared").get<std::int64_t>()};
  p.fingerprint = textIn(object, "fingerprint");
  p.leftOut = object.value("left_out", std::vector<std::string>());
  return p;
}

nlohmann::json parsed(const std::string& text) {
  if (text.size() > kLongestProvenance) throw Error(ErrorKind::BadData, "it is too long");
  nlohmann::json object;
  try {
    object = parseJson(text);
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::BadData, "it is not JSON");
  }
  if (!object.is_object() || !object.contains("schema") || !object["schema"].is_string() ||
      !object["schema"].get<std::string>().starts_with(kSchemaStem))
    throw Error(ErrorKind::BadData, "its \"schema\" is not " + std::string(kSchema));
  return object;
}

}  // namespace

std::string Provenance::text() const {
  Provenance early = *this, all = *this;
  nlohmann::json without = nlohmann::json::array();
  const auto object = [&](const Provenance& one) {
    nlohmann::json made = toJson(one);
    if (!without.empty()) made["left_out"] = without;
    return made;
  };
  early.variant.clear();
  early.verified.reset();
  early.fingerprint.clear();
  if (early.data) early.data->fingerprint.clear();
  if (roomFor(object(early)) > kLongestProvenance && early.data && !early.data->provenance.is_null()) {
    early.data->provenance = all.data->provenance = nullptr;
    without.push_back("data.provenance");
  }
  if (roomFor(object(early)) > kLongestProvenance) {
    early.options = all.options = nullptr;
    without.push_back("options");
  }
  if (roomFor(object(early)) > kLongestProvenance) {
    early.results.clear();
    all.results.clear();
    without.push_back("results");
  }
  const std::size_t room = roomFor(object(early));
  std::string result = plainJson(object(all));
  if (result.size() > room) {
    all.verified.reset();
    all.variant.clear();
    result = plainJson(object(all));
  }
  if (result.size() < room) result.insert(result.size() - 1, room - result.size(), ' ');
  return result;
}

Provenance provenanceOf(std::string command, nlohmann::json options, std::optional<Provenance::Data> data) {
  Provenance made;
  made.version = SSCOPE_VERSION;
  made.command = std::move(command);
  made.options = std::move(options);
  made.data = std::move(data);
  return made;
}

struct GrowingProvenance::State {
  std::mutex mutex;
  Provenance made;
};

GrowingProvenance::GrowingProvenance(Provenance first) : state_(std::make_shared<State>()) {
  state_->made = std::move(first);
}

void GrowingProvenance::learn(const std::function<void(Provenance& made)>& what) {
  const std::lock_guard lock(state_->mutex);
  what(state_->made);
}

std::function<std::string(const std::string&)> GrowingProvenance::of(std::vector<std::string> results) const {
  return [state = state_, results = std::move(results)](const std::string& fingerprint) {
    const std::lock_guard lock(state->mutex);
    Provenance file = state->made;
    if (!results.empty()) file.results = results;
    if (!fingerprint.empty()) file.fingerprint = fingerprint;
    return file.text();
  };
}

Provenance parseProvenance(const std::string& text) {
  const nlohmann::json object = parsed(text);
  if (const auto schema = object.at("schema").get<std::string>(); schema != kSchema) {
    int number = 0;
    const char* const end = schema.data() + schema.size();
    const auto [rest, code] = std::from_chars(schema.data() + kSchemaStem.size(), end, number);
    if (code == std::errc() && rest == end && number > 1)
      throw Error(ErrorKind::Unsupported, "it was written by a newer version of Stencilscope", "update Stencilscope");
    throw Error(ErrorKind::BadData, "its \"schema\" is not " + std::string(kSchema));
  }
  try {
    return fromJson(object);
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::BadData, "one of its members has the wrong type");
  }
}

std::string unreadable(const std::string& why) { return kUnreadable + why; }

void takeProvenance(const std::string& text, VolumeInfo& info) {
  if (text.empty()) return;
  try {
    if (text.front() == kUnreadable) throw Error(ErrorKind::BadData, inOneLine(shortened(text.substr(1), 200)));
    info.metadata.provenance = plainJson(parsed(text));
  } catch (const Error& error) {
    info.notices.push_back("the file's record of how it was made is left out: " + std::string(error.what()));
  }
}

Provenance::Data dataNamed(const std::string& path, const VolumeInfo& info) {
  Provenance::Data data;
  Selection selection = parseSelection(path);
  std::filesystem::path file = selection.path;
  if (file.filename().empty()) file = file.parent_path();
  std::error_code code;
  // Names of studies, series and folders of pictures may be a patient's. A Zarr store is a folder, but treated as a
  // file.
  const bool store = info.format.find("Zarr") != std::string::npos;
  if (!info.format.starts_with("DICOM") && (store || !std::filesystem::is_directory(file, code)))
    data.name = file.filename().string();
  selection.path.clear();
  data.selection = selection.name();
  data.spacing = info.geometry.spacing;
  data.unit = info.geometry.unit;
  if (!info.metadata.provenance.empty()) try {
      data.provenance = parsed(info.metadata.provenance);
    } catch (const Error&) {
      // A record that was read from a file has been checked.
    }
  return data;
}

std::string pathOf(const Provenance::Data& data, const std::string& folder) {
  return (std::filesystem::path(folder) / data.name).string() + data.selection;
}

namespace {

std::string shownData(const Provenance::Data& data) {
  if (!data.sample.empty())
    return "sample " + data.sample + (data.size > 0 ? ", size " + std::to_string(data.size) : "") + ", seed " +
           std::to_string(data.seed);
  return data.name.empty() ? "a file without a name" + data.selection : data.name + data.selection;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> linesOf(const Provenance& p) {
  std::vector<std::pair<std::string, std::string>> lines;
  const auto add = [&](const char* name, const std::string& value) {
    constexpr std::size_t kLongestLine = 2000;
    if (!value.empty()) lines.emplace_back(name, inOneLine(shortened(value, kLongestLine)));
  };
  add("made by", std::string(kProgram) + " " + p.version + ", " + p.command);
  if (p.data) add("from", shownData(*p.data) + (p.data->provenance.is_null() ? "" : ", which records how it was made"));
  if (p.data) add("its voxels", p.data->fingerprint);
  if (!p.options.is_null()) add("with", p.options.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  std::string results;
  for (const std::string& each : p.results) results += (results.empty() ? "" : ", ") + each;
  add("results", results);
  add("left out", listed(p.leftOut));
  add("engine", p.engine.empty() || p.variant.empty() ? p.engine : p.engine + ", " + p.variant);
  if (p.verified)
    add("verified", nlohmann::json(p.verified->compared).dump() + " elements, rel. error " +
                        nlohmann::json(p.verified->relativeL2).dump());
  add("voxels", p.fingerprint);
  return lines;
}

}  // namespace sscope
