#include "ui/model/export_volumes.h"

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

// One writer's share of the whole export's progress.
Control part(const Control& control, std::size_t index, std::size_t count) {
  Control one;
  one.stop = control.stop;
  one.progress = [&control, index, count](double fraction, std::string_view stage) {
    control.report((static_cast<double>(index) + fraction) / static_cast<double>(count), stage);
  };
  return one;
}

}  // namespace

std::vector<std::filesystem::path> exportVolumes(VolumeIo& io, const FilterResult& result, const Metadata& ofInput,
                                                 const std::string& pattern, const Control& control) {
  const Volume& first = result.outputs.front();
  const OutputPlan plan = planOutputs(io, pattern, result.names, first.shape(), first.type());
  requireKept(io, plan, first.geometry(), false);
  const WriteOptions how = writeOptionsFor(plan, ofInput, false);
  if (plan.interleaved) {
    io.write(plan.files.front(), interleaved(result.outputs, control), how, control);
    return plan.files;
  }
  for (std::size_t i = 0; i < plan.files.size(); ++i)
    io.write(plan.files[i], result.outputs[i], how, part(control, i, plan.files.size()));
  return plan.files;
}

}  // namespace sscope
