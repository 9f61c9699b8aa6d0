#include "core/compare/lane_agreement.h"

#include <fmt/core.h>
#include <utility>

#include "core/base/error.h"
#include "core/base/words.h"
#include "core/compare/whole_result.h"
#include "core/measure/table.h"
#include "core/report/svg.h"

namespace sscope::compare {

namespace {

std::string scientific(double value) {
  if (value == 0) return "0";
  return fmt::format("{:.2e}", value);
}

TextRows normRows(const AgreementTable& table) {
  TextRows rows{{"lane", "output", "equal", "max", "ulp", "RMS", "mean", "relative", "NaN or Inf", "worst voxel"}};
  for (const LaneAgreement& lane : table.lanes) {
    if (lane.outputs.empty()) rows.push_back({lane.lane, "-", "skipped: " + lane.reason});
    for (std::size_t i = 0; i < lane.outputs.size(); ++i) {
      const Agreement& each = lane.outputs[i];
      rows.push_back({lane.lane, std::to_string(i + 1),
                      std::to_string(each.equal) + "/" + std::to_string(each.elements), scientific(each.maximum),
                      shortNumber(each.largestUlps), scientific(each.rootMeanSquare), scientific(each.meanAbsolute),
                      scientific(each.relative), std::to_string(each.nonFinite), placeText(each.type, each.worst)});
    }
  }
  return rows;
}

// One column per lane, without bins that are empty in all of them.
TextRows countRows(const AgreementTable& table) {
  TextRows rows{{"units apart"}};
  std::vector<UlpCounts> columns;
  for (const LaneAgreement& lane : table.lanes) {
    if (lane.outputs.empty()) continue;
    rows.front().push_back(lane.lane);
    UlpCounts sum{};
    for (const Agreement& each : lane.outputs)
      for (std::size_t bin = 0; bin < kUlpBins; ++bin) sum[bin] += each.counts[bin];
    columns.push_back(sum);
  }
  for (std::size_t bin = 0; bin < kUlpBins; ++bin) {
    bool any = false;
    std::vector<std::string> row{ulpBinText(bin)};
    for (const UlpCounts& column : columns) {
      any = any || column[bin] > 0;
      row.push_back(std::to_string(column[bin]));
    }
    if (any) rows.push_back(std::move(row));
  }
  return rows;
}

nlohmann::json agreementJson(const Agreement& agreement) {
  nlohmann::json counts = nlohmann::json::array();
  for (std::size_t bin = 0; bin < kUlpBins; ++bin)
    if (agreement.counts[bin] > 0) counts.push_back({{"ulps", ulpBinText(bin)}, {"elements", agreement.counts[bin]}});
  nlohmann::json value{{"type", toString(agreement.type)},
                       {"elements", agreement.elements},
                       {"equal", agreement.equal},
                       {"non_finite", agreement.nonFinite},
                       {"maximum", finiteOrText(agreement.maximum)},
                       {"largest_ulps", finiteOrText(agreement.largestUlps)},
                       {"rms", finiteOrText(agreement.rootMeanSquare)},
                       {"mean_absolute", finiteOrText(agreement.meanAbsolute)},
                       {"relative_l2", finiteOrText(agreement.relative)},
                       {"counts", std::move(counts)}};
  if (agreement.worst) value["worst"] = toJson(*agreement.worst);
  return value;
}

}  // namespace

AgreementTable agreementsWith(const RaceTrack& track, const RaceWish& wish, std::optional<std::size_t> base,
                              const Control& control) {
  const ConstArrayView input = std::as_const(*wish.input).view();
  const auto steps = static_cast<double>(wish.contenders.size() + (base ? 0 : 1));
  double step = 0;
  const auto next = [&] {
    const Control part = control.part(step / steps, (step + 1) / steps);
    ++step;
    return part;
  };
  AgreementTable table;
  std::vector<Volume> wanted;
  if (base) {
    const BenchRow& contender = wish.contenders.at(*base);
    WholeResult result = wholeResult(track, *wish.workload, input, contender, wish.how.threads, next());
    table.base = laneName(contender, result.report.variant);
    wanted = std::move(result.outputs);
  } else {
    table.base = kReferenceName;
    const Control part = next();
    const std::size_t count = wish.workload->outputs().size();
    for (std::size_t index = 0; index < count; ++index)
      wanted.push_back(referenceResult(*wish.workload, {&input, 1}, index,
                                       part.part(static_cast<double>(index) / static_cast<double>(count),
                                                 static_cast<double>(index + 1) / static_cast<double>(count))));
  }
  for (std::size_t i = 0; i < wish.contenders.size(); ++i) {
    if (base == i) continue;
    const BenchRow& contender = wish.contenders[i];
    LaneAgreement lane{laneName(contender, ""), {}, {}};
    const Control part = next();
    try {
      const WholeResult result = wholeResult(track, *wish.workload, input, contender, wish.how.threads, part);
      lane.lane = laneName(contender, result.report.variant);
      for (std::size_t index = 0; index < wanted.size(); ++index)
        lane.outputs.push_back(
            agreementOf(result.outputs[index].view(), std::as_const(wanted[index]).view(), {control.stop, {}}));
    } catch (const Canceled&) {
      throw;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Memory) throw;
      lane.reason = error.what();
    } catch (const std::exception& error) {
      lane.reason = wordsOf(error);
    }
    table.lanes.push_back(std::move(lane));
  }
  return table;
}

std::string toText(const AgreementTable& table) {
  std::string text = "agreement with " + table.base + ", all elements\n" + textTable(normRows(table));
  if (const TextRows counts = countRows(table); counts.size() > 1)
    text += "elements that lie so many units of the last place apart:\n" + textTable(counts);
  return text;
}

std::string toHtml(const AgreementTable& table) {
  std::string html = "<p>All elements of the whole results, compared with those of " + escaped(table.base) +
                     ". A unit is one in the last place of the larger of two numbers; where terms cancel, many units "
                     "are a small error.</p>\n" +
                     htmlTable(normRows(table));
  if (const TextRows counts = countRows(table); counts.size() > 1)
    html += "<h3>Elements that lie so many units apart</h3>\n" + htmlTable(counts);
  return html;
}

nlohmann::json toJson(const AgreementTable& table) {
  nlohmann::json lanes = nlohmann::json::array();
  for (const LaneAgreement& lane : table.lanes) {
    nlohmann::json outputs = nlohmann::json::array();
    for (const Agreement& each : lane.outputs) outputs.push_back(agreementJson(each));
    nlohmann::json value{{"lane", lane.lane}, {"outputs", std::move(outputs)}};
    if (!lane.reason.empty()) value["skipped"] = lane.reason;
    lanes.push_back(std::move(value));
  }
  return {{"base", table.base}, {"lanes", std::move(lanes)}};
}

}  // namespace sscope::compare
