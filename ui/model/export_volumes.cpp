#include "ui/model/export_volumes.h"

#include <algorithm>

#include "core/base/atomic_file.h"
#include "core/job/output_files.h"

namespace sscope {

namespace {

// Components innermost: all of the first output, then all of the second.
Volume interleaved(const std::vector<Volume>& outputs, const Control& control) {
  VolumeShape shape = outputs.front().shape();
  const auto each = static_cast<std::size_t>(shape.components);
  const std::size_t all = each * outputs.size();
  shape.components = static_cast<int>(all);
  Volume result(shape, outputs.front().type(), outputs.front().geometry());
  dispatch(result.type(), [&](auto tag) {
    using T = decltype(tag);
    const auto target = result.elements<T>();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      control.check();
      const auto source = outputs[i].elements<T>();
      for (std::size_t v = 0; v < source.size() / each; ++v)
        for (std::size_t c = 0; c < each; ++c) target[v * all + i * each + c] = source[v * each + c];
    }
  });
  return result;
}

// Copying what lives on a device is the quick part of an export.
constexpr double kCopyShare = 0.1;

// A step's share of the whole export's progress.
Control part(const Control& control, double from, double to) {
  Control one;
  one.stop = control.stop;
  one.progress = [&control, from, to](double fraction, std::string_view stage) {
    control.report(from + fraction * (to - from), stage);
  };
  return one;
}

}  // namespace

std::shared_ptr<const ResidentFilterResult> keptOutputs(const std::shared_ptr<const ResidentFilterResult>& result,
                                                        const FilterBank& bank) {
  if (!result) return nullptr;
  const auto rows = bank.results();
  auto kept =
      std::make_shared<ResidentFilterResult>(ResidentFilterResult{{}, {}, result->report, result->geometry, {}});
  for (std::size_t i = 0; i < result->outputs.size(); ++i)
    if (std::ranges::any_of(rows, [&](const FilterRecipe* row) { return row->name == result->names[i]; })) {
      kept->outputs.push_back(result->outputs[i]);
      kept->names.push_back(result->names[i]);
      if (i < result->lastSteps.size()) kept->lastSteps.push_back(result->lastSteps[i]);
    }
  return kept->outputs.empty() ? nullptr : kept;
}

std::vector<std::filesystem::path> exportVolumes(VolumeIo& io, const ResidentFilterResult& result,
                                                 const Metadata& ofInput, const GrowingProvenance& made,
                                                 const std::string& pattern, const Control& control) {
  const auto& [type, extent] = result.outputs.front()->spec();
  const VolumeShape shape{extent[0], extent[1], extent[2], static_cast<int>(extent[3])};
  const OutputPlan plan = planOutputs(io, pattern, result.names, shape, type, true);
  requireKept(io, plan, {shape, type, result.geometry}, ofInput, false);
  HeldNames names;
  WriteOptions how = writeOptionsFor(plan, ofInput, {});
  how.names = &names;
  const FilterResult host = hostResult(result, part(control, 0, kCopyShare));
  if (plan.interleaved) {
    how.provenance = made.of(result.names);
    io.write(plan.files.front(), interleaved(host.outputs, control), how, part(control, kCopyShare, 1));
    names.commit();
    return plan.files;
  }
  const auto shareOf = [&](std::size_t files) {
    return kCopyShare + (1 - kCopyShare) * static_cast<double>(files) / static_cast<double>(plan.files.size());
  };
  for (std::size_t i = 0; i < plan.files.size(); ++i) {
    how.provenance = made.of({result.names.at(i)});
    io.write(plan.files[i], host.outputs[i], how, part(control, shareOf(i), shareOf(i + 1)));
  }
  names.commit();
  return plan.files;
}

}  // namespace sscope
