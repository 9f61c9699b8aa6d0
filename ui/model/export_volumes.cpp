#include "ui/model/export_volumes.h"

#include <algorithm>

#include "core/base/error.h"

namespace sscope {

namespace {

constexpr const char* kPlaceholder = "{}";

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

std::vector<std::filesystem::path> exportFiles(const std::string& pattern, const std::vector<std::string>& names) {
  const std::size_t at = pattern.find(kPlaceholder);
  if (at == std::string::npos) return {pattern};
  std::vector<std::filesystem::path> files;
  for (const std::string& name : names) {
    std::string file = name;
    std::replace(file.begin(), file.end(), '/', '_');  // a name never leads to another folder
    files.emplace_back(pattern.substr(0, at) + file + pattern.substr(at + 2));
  }
  return files;
}

std::vector<std::filesystem::path> exportVolumes(VolumeIo& io, const FilterResult& result, const std::string& pattern,
                                                 const Control& control) {
  const std::vector<std::filesystem::path> files = exportFiles(pattern, result.names);
  const Volume& first = result.outputs.front();
  if (files.size() < result.outputs.size()) {
    VolumeShape all = first.shape();
    all.components *= static_cast<int>(result.outputs.size());
    try {
      io.checkWritable(files.front(), all, first.type());
    } catch (const Error& error) {
      throw Error(error.kind(), error.what(), "or put {} into the name to write one file per filter");
    }
    io.write(files.front(), interleaved(result.outputs, control), control);
    return files;
  }
  for (const std::filesystem::path& file : files) io.checkWritable(file, first.shape(), first.type());
  for (std::size_t i = 0; i < files.size(); ++i) io.write(files[i], result.outputs[i], part(control, i, files.size()));
  return files;
}

}  // namespace sscope
