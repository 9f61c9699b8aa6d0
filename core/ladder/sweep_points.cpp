// The sweeps as data: the points of the papers' figures.

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/ladder/ladder.h"
#include "core/ladder/ladder_kind.h"
#include "core/workload/catalog.h"

namespace sscope {

namespace {

std::vector<SweepPart> partsOf(const SweepRequest& request) {
  const LadderKind* ladder = findLadderKind(request.workload);
  if (ladder == nullptr) {
    std::string known;
    for (const LadderKind& one : ladderKinds()) known += (known.empty() ? "" : ", ") + one.workload;
    throw Error(ErrorKind::NotFound, "the workload " + request.workload + " has no ladder", "use one of " + known);
  }
  if (request.over.empty()) return ladder->parts(request.everyPoint);
  if (ladder->option.empty() || ladder->option != request.over)
    throw Error(ErrorKind::Usage, "a sweep of " + request.workload + " does not go over " + request.over,
                ladder->option.empty() ? "omit --over" : "give " + ladder->option + ", or omit --over");
  return ladder->overOption();
}

const Variant* variantOf(const EngineSet& engines, const VariantTable& variants, const std::string& workload,
                         const BenchRow& row) {
  if (const EngineInfo* info = engines.find(row.engine))
    for (const Variant* variant : variants.rows(workload, info->kind))
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

  void add(const WorkloadKind& kind, const SweepPart& part) {
    for (OptionValues values : part.values) {
      for (const auto& [name, value] : request_.values) values[name] = value;
      static_cast<void>(completeOptions(kind.options, values));  // throws for unknown values
      for (const std::vector<OptionValues>& turn : part.turns) addPoint(part, values, turn);
    }
  }

  std::vector<SweepPoint> points;

 private:
  void addPoint(const SweepPart& part, const OptionValues& values, const std::vector<OptionValues>& turn) {
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
    const EngineInfo* info = engines_.find(engine);
    return info != nullptr ? info->kind : EngineKind::Cpu;
  }

  // Values of the request replace those of the point; points that occur twice are left out.
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

// The baselines of speed-ups are included, whichever engines are requested.
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
    const EngineInfo* info = engines.find(id);
    if (info == nullptr) info = &engines.at(id).info();  // throws, naming the known ones
    const std::size_t before = rows.size();
    if (info->available())
      for (const Variant* variant : variants.rows(workload, info->kind))
        if (variant->belongsTo(*info)) rows.push_back({id, variant->name, {}});
    if (rows.size() == before) rows.push_back({id, {}, {}});
  }
  addBases(engines, variants, workload, rows);
  return rows;
}

const LadderKind* findLadderKind(std::string_view workload) {
  for (const LadderKind& kind : ladderKinds())
    if (kind.workload == workload) return &kind;
  return nullptr;
}

std::vector<std::string> sweptOptions(std::string_view workload) {
  const LadderKind* ladder = findLadderKind(workload);
  if (ladder == nullptr || ladder->option.empty()) return {};
  return {ladder->option};
}

Sweep makeSweep(const EngineSet& engines, const VariantTable& variants, const SweepRequest& request) {
  const std::vector<SweepPart> parts = partsOf(request);
  const WorkloadKind& kind = *findWorkloadKind(request.workload);
  Builder builder(engines, variants, request);
  for (const SweepPart& part : parts) builder.add(kind, part);
  Sweep sweep;
  sweep.workload = request.workload;
  sweep.points = std::move(builder.points);
  if (request.over.empty()) sweep.threads = findLadderKind(request.workload)->threads;
  const bool given = request.shape[0] > 0;
  sweep.shape = given ? request.shape : kind.shape;
  sweep.sizeReason = given && request.shape != kind.shape ? "the requested size" : "the paper's size";
  return sweep;
}

}  // namespace sscope
