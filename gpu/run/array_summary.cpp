#include "gpu/run/array_summary.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/error.h"
#include "gpu/device/device.h"
#include "gpu/run/device_engine.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

constexpr std::int64_t kMostItems = 256;
constexpr std::int64_t kMostGroups = 512;
constexpr std::int64_t kPieceBytes = std::int64_t{1} << 30;  // a few ms with fast memory

// A number of an element's type in the kernels' languages.
std::string numberOf(double value, ElementType type) {
  if (type == ElementType::f64) return kernelLiteral(value, Precision::f64);
  if (type == ElementType::f32) return kernelLiteral(value, Precision::f32);
  const auto whole = static_cast<std::int64_t>(value);
  if (whole < 0) return "((IN)(" + std::to_string(whole + 1) + " - 1))";  // the least i32 is no literal
  return "((IN)" + std::to_string(whole) + (type == ElementType::u32 ? "u)" : ")");
}

}  // namespace

Device& ArraySummary::device() const { return store_.engine()->device(); }

std::int64_t ArraySummary::items() const {
  const std::int64_t most = std::min(kMostItems, device().properties().largestGroup);
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(most)));
}

Precision ArraySummary::precision() const { return device().properties().fp64 ? Precision::f64 : Precision::f32; }

KernelArgument ArraySummary::real(double value) const {
  if (precision() == Precision::f64) return value;
  return static_cast<float>(value);
}

KernelSource ArraySummary::sourceOf(const std::string& entry) const {
  const ElementType type = claim_.spec.type;
  KernelSource source{entry, {}, precision(), 1, {items(), 1}, {}};
  source.define("IN", std::string(toString(type)));
  source.define("IN_FLOAT", isInteger(type) ? 0 : 1);
  source.define("IN_LOWEST", numberOf(lowestOf(type), type));
  source.define("IN_HIGHEST", numberOf(highestOf(type), type));
  source.define(
      "REAL_HIGHEST",
      kernelLiteral(highestOf(precision() == Precision::f64 ? ElementType::f64 : ElementType::f32), precision()));
  source.define("BINS", kMostBins);
  return source;
}

DeviceKernel& ArraySummary::kernel(const std::string& entry, const std::vector<KernelArgument>& arguments) const {
  const auto nothing = [](const KernelArgument& argument) {
    return std::visit(
        [](const auto& value) -> KernelArgument {
          using Value = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, const DeviceBuffer*>) return kNoBuffer;
          return Value{};
        },
        argument);
  };
  std::vector<KernelArgument> idle;
  std::ranges::transform(arguments, std::back_inserter(idle), nothing);
  return store_.kernel(
      entry + " " + std::string(toString(claim_.spec.type)), [&] { return sourceOf(entry); }, idle, control_);
}

std::span<const std::byte> ArraySummary::launched(DeviceKernel& kernel, std::vector<KernelArgument> arguments,
                                                  std::int64_t groups, std::int64_t bytes) const {
  const std::span<std::byte> landed = store_.landed(bytes);
  control_.check();
  const auto event = device().launch(kernel, {{groups, 1}, {items(), 1}, 0}, arguments);
  std::unique_ptr<DeviceEvent> reading;
  try {
    reading = device().read(store_.gathered(bytes), 0, landed);
  } catch (...) {
    waitFor(*event, {});
    throw;
  }
  waitFor(*reading, {});
  waitFor(*event, control_);
  return landed;
}

template <class F>
void ArraySummary::forLines(const Box& box, int component, F&& f) const {
  const auto& extent = claim_.spec.extent;
  const std::int64_t components = extent[3], row = extent[0] * components, slice = row * extent[1];
  const std::int64_t one = std::min<std::int64_t>(component, components - 1);  // < 0: all
  const std::int64_t width = box.size(0) * (one < 0 ? components : 1), lines = box.size(1) * box.size(2);
  const std::int64_t start =
      box.begin[2] * slice + box.begin[1] * row + box.begin[0] * components + std::max<std::int64_t>(0, one);
  const std::int64_t lineBytes = box.size(0) * components * static_cast<std::int64_t>(bytesOf(claim_.spec.type));
  const std::int64_t step = std::max<std::int64_t>(1, kPieceBytes / lineBytes);
  for (std::int64_t first = 0; first < lines; first += step) {
    const std::int64_t end = std::min(lines, first + step);
    const std::int64_t groups =
        std::min({end - first, kMostGroups, std::int64_t{4} * device().properties().computeUnits});
    const std::vector<KernelArgument> where{
        start,        row,        slice,        int32(width), int32(one < 0 ? 1 : components), int32(box.size(1)),
        int32(first), int32(end), int32(groups)};
    f(where, groups);
  }
}

ValueRange ArraySummary::range(const Box& box, int component) const {
  ValueRange range;
  dispatch(claim_.spec.type, [&](auto tag) {
    using T = decltype(tag);
    T least = static_cast<T>(highestOf(claim_.spec.type)), most = static_cast<T>(lowestOf(claim_.spec.type));
    forLines(box, component, [&](const std::vector<KernelArgument>& where, std::int64_t groups) {
      const std::int64_t endsBytes = roundUp(groups * 2 * static_cast<std::int64_t>(sizeof(T)), 8);
      const std::int64_t bytes = endsBytes + groups * static_cast<std::int64_t>(sizeof(std::uint32_t));
      std::vector<KernelArgument> arguments{claim_.buffer.get(), &store_.gathered(bytes), endsBytes};
      arguments.insert(arguments.end(), where.begin(), where.end());
      const auto found = launched(kernel("array_range", arguments), arguments, groups, bytes);
      std::vector<T> ends(static_cast<std::size_t>(2 * groups));
      std::vector<std::uint32_t> others(static_cast<std::size_t>(groups));
      std::memcpy(ends.data(), found.data(), ends.size() * sizeof(T));
      std::memcpy(others.data(), found.data() + endsBytes, others.size() * sizeof(std::uint32_t));
      for (std::size_t g = 0; g < others.size(); ++g) {
        least = std::min(least, ends[2 * g]);
        most = std::max(most, ends[2 * g + 1]);
        range.nonFinite += others[g];
      }
    });
    const std::int64_t taken = component < 0 ? claim_.spec.extent[3] : 1;
    range.counted = box.voxels() * taken - range.nonFinite;
    if (range.counted == 0) return;
    range.least = static_cast<double>(least);
    range.most = static_cast<double>(most);
  });
  return range;
}

std::vector<std::int64_t> ArraySummary::counts(const Box& box, int component, const Bins& bins) const {
  if (bins.count < 1 || bins.count > kMostBins)
    throw Error(ErrorKind::Usage, "a result is counted in 1 to " + std::to_string(kMostBins) + " bins");
  std::vector<std::int64_t> counts(static_cast<std::size_t>(bins.count), 0);
  const BinScale scale(bins);
  forLines(box, component, [&](const std::vector<KernelArgument>& where, std::int64_t groups) {
    const std::int64_t bytes = groups * kMostBins * static_cast<std::int64_t>(sizeof(std::uint32_t));
    std::vector<KernelArgument> arguments{claim_.buffer.get(), &store_.gathered(bytes), real(scale.factor),
                                          real(scale.low),     real(scale.extent),      int32(bins.count)};
    arguments.insert(arguments.end(), where.begin(), where.end());
    const auto found = launched(kernel("array_counts", arguments), arguments, groups, bytes);
    std::vector<std::uint32_t> each(found.size() / sizeof(std::uint32_t));
    std::memcpy(each.data(), found.data(), found.size());
    for (std::size_t i = 0; i < each.size(); ++i)
      if (const std::size_t bin = i % kMostBins; bin < counts.size()) counts[bin] += each[i];
  });
  return counts;
}

std::vector<float> ArraySummary::means(const BrickBlocks& blocks) const {
  const auto& extent = claim_.spec.extent;
  const std::int64_t all = blocks.count[0] * blocks.count[1] * blocks.count[2];
  std::vector<float> means(static_cast<std::size_t>(all));
  const std::int64_t blockBytes = std::max<std::int64_t>(1, claim_.spec.bytes() / all);
  const std::int64_t step = std::clamp<std::int64_t>(kPieceBytes / blockBytes, 1, ResultStore::kStagedBytes / 4);
  for (std::int64_t first = 0; first < all; first += step) {
    const std::int64_t count = std::min(step, all - first), bytes = count * static_cast<std::int64_t>(sizeof(float));
    const std::vector<KernelArgument> arguments{claim_.buffer.get(),
                                                &store_.gathered(bytes),
                                                int32(extent[0]),
                                                int32(extent[1]),
                                                int32(extent[2]),
                                                int32(extent[3]),
                                                int32(blocks.component),
                                                int32(blocks.componentsTaken),
                                                int32(blocks.edge[0]),
                                                int32(blocks.edge[1]),
                                                int32(blocks.edge[2]),
                                                int32(blocks.count[0]),
                                                int32(blocks.count[1]),
                                                int32(first),
                                                int32(count)};
    const auto found = launched(kernel("array_means", arguments), arguments, (count + items() - 1) / items(), bytes);
    std::memcpy(means.data() + first, found.data(), found.size());
  }
  return means;
}

}  // namespace sscope
