// The sweeps as data: at which points the papers' figures were taken.

#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/error.h"
#include "core/ladder/ladder.h"
#include "core/wavelet/magic_taps.h"
#include "core/workload/catalog.h"

namespace sscope {

namespace {

// One figure's points. Rows of a turn run against each other; each turn is a point of its own.
struct Part {
  std::vector<OptionValues> values;                    // of the workload
  std::vector<std::string> variants{};                 // empty: all
  std::vector<std::vector<OptionValues>> turns{{{}}};  // of the variants' own options
  bool choices = false;                                // and every block shape and pitch that a variant offers
  std::array<std::int64_t, 3> shape{};                 // its own, where the request names none; zeros: the sweep's
  // Which rows belong here besides those that `variants` names; empty: all.
  std::function<bool(EngineKind, std::string_view variant)> takes{};
};

using Numbers = std::vector<std::int64_t>;

OptionValue integer(std::int64_t value) { return value; }

Numbers oddNumbers(std::int64_t first, std::int64_t last, std::int64_t step) {
  Numbers list;
  for (std::int64_t n = first; n <= last; n += step) list.push_back(n);
  return list;
}

// The paper names one of its three work-group sizes, 16 x 16; its device takes at most 256 work items.
constexpr std::array<std::pair<std::int64_t, std::int64_t>, 3> kGroups{{{8, 8}, {16, 8}, {16, 16}}};

std::vector<Part> bankParts(bool everyPoint) {
  Part filters, unroll;
  for (const std::int64_t n : {1, 2, 3, 4, 8, 16, 32}) filters.values.push_back({{"filters", integer(n)}});
  unroll.values = {{{"filters", integer(8)}}};
  unroll.variants = {"unrolled"};
  unroll.turns.clear();
  Numbers unrolls{1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40};
  if (everyPoint) unrolls = oddNumbers(1, 40, 1);
  for (const std::int64_t n : unrolls) {
    std::vector<OptionValues>& turn = unroll.turns.emplace_back();
    for (const auto& [x, y] : kGroups)
      turn.push_back({{"unroll", integer(n)}, {"group_x", integer(x)}, {"group_y", integer(y)}});
  }
  return {filters, unroll};
}

std::vector<Part> conv2dParts(bool everyPoint) {
  Part map;
  const Numbers sizes = oddNumbers(3, 27, everyPoint ? 2 : 6);
  for (const std::int64_t height : sizes)
    for (const std::int64_t width : sizes)
      map.values.push_back({{"width", integer(width)}, {"height", integer(height)}});
  return {map};
}

bool isDevice(EngineKind kind) { return kind == EngineKind::OpenCl || kind == EngineKind::Cuda; }

// Tables I, II and III for processors, table IV for devices.
std::vector<Part> magicParts() {
  const OptionValues lines{{"passes", std::string("lines")}};
  const OptionValues columns{{"passes", std::string("lines")}, {"transposed", true}};
  const auto pattern = [](std::string_view name) { return name.starts_with("sse-") && name != "sse-t"; };
  const auto column = [](std::string_view name) { return name.ends_with("-t"); };
  Part volume{.values = {{}}}, patterns{.values = {lines}}, turned{.values = {columns}};
  volume.takes = [=](EngineKind kind, std::string_view name) { return !isDevice(kind) && !pattern(name); };
  patterns.shape = turned.shape = {5040, 32, 1};
  patterns.takes = [=](EngineKind kind, std::string_view name) { return kind == EngineKind::Cpu && !column(name); };
  turned.takes = [=](EngineKind kind, std::string_view name) {
    return kind == EngineKind::Cpu && name != "sse-t" && (column(name) || name == "tuned");
  };
  std::vector<Part> parts{volume, patterns, turned};
  for (const bool inverse : {false, true})
    for (OptionValues values : {columns, OptionValues{}}) {
      if (inverse) values["direction"] = std::string("inverse");
      Part part{.values = {values}};
      part.shape = {124, 132, 130};
      part.takes = [=](EngineKind kind, std::string_view name) {
        const bool backward = name == "magic-inverse";
        return isDevice(kind) && (inverse ? backward || name == "tuned" : !backward);
      };
      parts.push_back(std::move(part));
    }
  return parts;
}

// The paper's lattice; its sites a group, of which 16 is what the rungs take by themselves.
std::vector<Part> latticeParts(bool everyPoint) {
  Part lattice{.values = {{}}};
  if (everyPoint)
    for (const std::int64_t multiple : {8, 64}) lattice.turns.front().push_back({{"multiple", integer(multiple)}});
  return {lattice};
}

// What each order of the filter costs; its accuracy follows from the taps (core/wavelet/figures/magic_orders.h).
std::vector<Part> magicOrders() {
  Part orders;
  for (std::int64_t order = 1; order <= kMagicMaximumOrder; ++order)
    orders.values.push_back({{"order", integer(order)}});
  return {orders};
}

std::vector<Part> partsOver(const std::string& workload, const std::string& option) {
  const std::vector<std::string> known = sweptOptions(workload);
  if (std::find(known.begin(), known.end(), option) == known.end())
    throw Error(ErrorKind::Usage, "a sweep of " + workload + " does not go over " + option,
                known.empty() ? "leave it out" : "give " + known.front() + ", or leave it out");
  return magicOrders();
}

std::vector<Part> partsOf(const std::string& workload, bool everyPoint) {
  if (workload == "bank") return bankParts(everyPoint);
  if (workload == "conv2d") return conv2dParts(everyPoint);
  if (workload == "soup") return {{.values = {{}}, .choices = true}};
  if (workload == "magic") return magicParts();
  if (workload == "dwt") return {{.values = {{}}}};
  if (workload == "dirac" || workload == "cr") return latticeParts(everyPoint);
  std::string known;
  for (const WorkloadKind& kind : workloadCatalog()) known += (known.empty() ? "" : ", ") + kind.name;
  throw Error(ErrorKind::NotFound, "the workload " + workload + " has no ladder", "use one of " + known);
}

const Variant* variantOf(const EngineSet& engines, const VariantTable& variants, const std::string& workload,
                         const BenchRow& row) {
  for (const EngineInfo& info : engines.infos())
    if (info.id == row.engine)
      for (const Variant* variant : variants.rows(workload, info.kind))
        if (row.variant.empty() || variant->name == row.variant) return variant;
  return nullptr;
}

// The other block shapes and pitches, one at a time.
std::vector<OptionValues> otherChoices(const Variant& variant) {
  std::vector<OptionValues> list;
  for (const char* name : {"block", "pitch"})
    if (const Option* option = findOption(variant.options, name))
      for (const std::string& choice : option->choices)
        if (OptionValue(choice) != option->fallback) list.push_back({{name, choice}});
  return list;
}

class Builder {
 public:
  Builder(const EngineSet& engines, const VariantTable& variants, const SweepRequest& request)
      : engines_(engines), variants_(variants), request_(request) {}

  void add(const WorkloadKind& kind, const Part& part) {
    for (OptionValues values : part.values) {
      for (const auto& [name, value] : request_.values) values[name] = value;
      static_cast<void>(completeOptions(kind.options, values));  // they are known and in range
      for (const std::vector<OptionValues>& turn : part.turns) addPoint(part, values, turn);
    }
  }

  std::vector<SweepPoint> points;

 private:
  void addPoint(const Part& part, const OptionValues& values, const std::vector<OptionValues>& turn) {
    SweepPoint point{values, {}, {}};
    if (request_.shape[0] == 0) point.shape = part.shape;
    for (const BenchRow& row : request_.rows) {
      const Variant* variant = variantOf(engines_, variants_, request_.workload, row);
      if (part.takes && !part.takes(kindOf(row.engine), variant == nullptr ? std::string_view{} : variant->name))
        continue;
      if (!part.variants.empty() && (variant == nullptr || std::find(part.variants.begin(), part.variants.end(),
                                                                     variant->name) == part.variants.end()))
        continue;
      std::vector<OptionValues> all = turn;
      if (part.choices && variant != nullptr)
        for (OptionValues& other : otherChoices(*variant)) all.push_back(std::move(other));
      for (const OptionValues& own : all) addRow(point, row, variant, own);
    }
    for (const auto& [name, value] : values)
      point.text += (point.text.empty() ? "" : ", ") + name + "=" + formatOption(value);
    if (part.turns.size() > 1)
      for (const auto& [name, value] : turn.front())
        if (name == "unroll") point.text += ", " + name + "=" + formatOption(value);
    if (!point.rows.empty()) points.push_back(std::move(point));
  }

  [[nodiscard]] EngineKind kindOf(const std::string& engine) const {
    for (const EngineInfo& info : engines_.infos())
      if (info.id == engine) return info.kind;
    return EngineKind::Cpu;
  }

  // Values that the request holds win; what then is there already is left out.
  void addRow(SweepPoint& point, BenchRow row, const Variant* variant, const OptionValues& own) {
    const OptionValues held = std::exchange(row.values, own);
    for (const auto& [name, value] : held) row.values[name] = value;
    for (const auto& [name, value] : row.values)
      if (variant == nullptr || findOption(variant->options, name) == nullptr) return;
    for (const SweepPoint& other : points)
      if (other.values == point.values && std::find(other.rows.begin(), other.rows.end(), row) != other.rows.end())
        return;
    if (std::find(point.rows.begin(), point.rows.end(), row) == point.rows.end()) point.rows.push_back(std::move(row));
  }

  const EngineSet& engines_;
  const VariantTable& variants_;
  const SweepRequest& request_;
};

// The rungs that speed-ups are counted from come along, whichever engines are asked for.
void addBases(const EngineSet& engines, const VariantTable& variants, std::string_view workload,
              std::vector<BenchRow>& rows) {
  for (const Variant& variant : variants.rows()) {
    if (variant.workload != workload || variant.onlyOn.empty() || !isSpeedUpBase(variant.name)) continue;
    const BenchRow row{variant.onlyOn, variant.name, {}};
    const auto there = std::find_if(engines.infos().begin(), engines.infos().end(),
                                    [&](const EngineInfo& info) { return info.id == row.engine; });
    if (there != engines.infos().end() && there->available() && std::find(rows.begin(), rows.end(), row) == rows.end())
      rows.push_back(row);
  }
}

}  // namespace

std::size_t Sweep::rowCount() const {
  std::size_t count = 0;
  for (const SweepPoint& point : points) count += point.rows.size();
  return count;
}

OptionValues Sweep::commonValues() const {
  if (points.empty()) return {};
  OptionValues common = points.front().values;
  for (const SweepPoint& point : points)
    std::erase_if(common, [&](const auto& entry) {
      const auto other = point.values.find(entry.first);
      return other == point.values.end() || other->second != entry.second;
    });
  return common;
}

std::vector<BenchRow> ladderRows(const EngineSet& engines, const VariantTable& variants, std::string_view workload,
                                 std::span<const std::string> engineIds) {
  std::vector<BenchRow> rows;
  for (const std::string& id : engineIds) {
    const auto info = std::find_if(engines.infos().begin(), engines.infos().end(),
                                   [&](const EngineInfo& one) { return one.id == id; });
    if (info == engines.infos().end()) static_cast<void>(engines.at(id));  // throws, naming the known ones
    const std::size_t before = rows.size();
    if (info->available())
      for (const Variant* variant : variants.rows(workload, info->kind))
        if (variant->belongsTo(*info)) rows.push_back({id, variant->name, {}});
    if (rows.size() == before) rows.push_back({id, {}, {}});
  }
  addBases(engines, variants, workload, rows);
  return rows;
}

std::vector<std::string> sweptOptions(std::string_view workload) {
  if (workload == "magic") return {"order"};
  return {};
}

Sweep makeSweep(const EngineSet& engines, const VariantTable& variants, const SweepRequest& request) {
  std::vector<Part> parts = partsOf(request.workload, request.everyPoint);
  if (!request.over.empty()) parts = partsOver(request.workload, request.over);
  const WorkloadKind& kind = *findWorkloadKind(request.workload);
  Builder builder(engines, variants, request);
  for (const Part& part : parts) builder.add(kind, part);
  Sweep sweep;
  sweep.workload = request.workload;
  sweep.points = std::move(builder.points);
  // Tables I to III are of one core, and the counters of table I can be read of one thread only.
  if (request.workload == "magic" && request.over.empty()) sweep.threads = 1;
  const bool given = request.shape[0] > 0;
  sweep.shape = given ? request.shape : kind.shape;
  sweep.sizeReason = given && request.shape != kind.shape ? "the size that was asked for" : "the paper's size";
  return sweep;
}

}  // namespace sscope
