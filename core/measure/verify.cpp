#include "core/measure/verify.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <mutex>
#include <random>
#include <vector>

#include "core/workload/rounding.h"

namespace sscope {

namespace {

struct Sums {
  double difference2 = 0, reference2 = 0, magnitude2 = 0;
  double largestDifference = 0, largestReference = 0;
  std::int64_t compared = 0, wrong = 0, nonFinite = 0;

  void add(const Sums& other) {
    difference2 += other.difference2;
    reference2 += other.reference2;
    magnitude2 += other.magnitude2;
    largestDifference = std::max(largestDifference, other.largestDifference);
    largestReference = std::max(largestReference, other.largestReference);
    compared += other.compared;
    wrong += other.wrong;
    nonFinite += other.nonFinite;
  }
};

template <class T>
void compareElement(T got, double reference, double magnitude, Sums& sums) {
  ++sums.compared;
  bool saturated = false;
  const auto wanted = static_cast<double>(roundSaturate<T>(reference, saturated));
  const auto value = static_cast<double>(got);
  if constexpr (std::is_integral_v<T>) {
    if (value != wanted) ++sums.wrong;
    reference = wanted;
  } else if (!std::isfinite(reference) || !std::isfinite(value)) {
    const bool same = std::isnan(reference) ? std::isnan(value) : wanted == value;
    if (!same) ++sums.nonFinite;
    return;
  }
  const double difference = value - reference;
  sums.difference2 += difference * difference;
  sums.reference2 += reference * reference;
  sums.magnitude2 += magnitude * magnitude;
  sums.largestDifference = std::max(sums.largestDifference, std::abs(difference));
  sums.largestReference = std::max(sums.largestReference, std::abs(reference));
}

Sums compareBox(const Workload& workload, std::span<const ConstArrayView> inputs, const ConstArrayView& output,
                std::size_t index, const Box& box, const Control& control) {
  const std::int64_t components = output.extent[3];
  std::vector<double> reference(static_cast<std::size_t>(box.voxels() * components));
  std::vector<double> magnitude(reference.size());
  workload.reference(inputs, index, box, reference, control);
  if (!isInteger(output.type)) workload.referenceMagnitude(inputs, index, box, magnitude, control);
  Sums sums;
  dispatch(output.type, [&](auto tag) {
    const auto* data = output.as<decltype(tag)>();
    std::size_t i = 0;
    for (std::int64_t z = box.begin[2]; z < box.end[2]; ++z)
      for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y)
        for (std::int64_t x = box.begin[0]; x < box.end[0]; ++x)
          for (std::int64_t c = 0; c < components; ++c, ++i)
            compareElement(data[output.offset(x, y, z, c)], reference[i], magnitude[i], sums);
  });
  return sums;
}

// Cuts a box into pieces small enough to be gathered and to answer a cancel quickly.
void addPieces(const Box& box, std::vector<Box>& pieces) {
  constexpr std::int64_t kEdge = 32;
  if (box.voxels() <= 0) return;
  for (std::int64_t z = box.begin[2]; z < box.end[2]; z += kEdge)
    for (std::int64_t y = box.begin[1]; y < box.end[1]; y += kEdge)
      for (std::int64_t x = box.begin[0]; x < box.end[0]; x += kEdge)
        pieces.push_back(
            {{x, y, z},
             {std::min(x + kEdge, box.end[0]), std::min(y + kEdge, box.end[1]), std::min(z + kEdge, box.end[2])}});
}

std::vector<Box> wholeVolume(const std::array<std::int64_t, 4>& extent) {
  std::vector<Box> pieces;
  addPieces({{0, 0, 0}, {extent[0], extent[1], extent[2]}}, pieces);
  return pieces;
}

// Corners and edges whole, a random window of each face, and 64 random blocks.
std::vector<Box> sampledBoxes(const std::array<std::int64_t, 4>& extent, std::uint64_t seed) {
  constexpr std::int64_t kBlock = 8;
  std::mt19937_64 random(seed);
  const auto start = [&](std::int64_t n, std::int64_t block) {
    return n <= block ? std::int64_t{0}
                      : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n - block + 1));
  };
  std::vector<Box> boxes;
  const std::array<std::int64_t, 3> n{extent[0], extent[1], extent[2]};
  for (std::size_t along = 0; along < 3; ++along)  // the twelve edges, corners included
    for (int corner = 0; corner < 4; ++corner) {
      Box box{{0, 0, 0}, n};
      const std::size_t u = (along + 1) % 3, v = (along + 2) % 3;
      box.begin[u] = (corner & 1) != 0 ? n[u] - 1 : 0;
      box.begin[v] = (corner & 2) != 0 ? n[v] - 1 : 0;
      box.end[u] = box.begin[u] + 1;
      box.end[v] = box.begin[v] + 1;
      addPieces(box, boxes);
    }
  for (std::size_t across = 0; across < 3; ++across)  // the six faces, a band each way and blocks on it
    for (const std::int64_t plane : {std::int64_t{0}, n[across] - 1})
      for (int k = 0; k < 8; ++k) {
        Box box;
        for (std::size_t a = 0; a < 3; ++a) {
          const std::int64_t size = a == across ? 1 : std::min<std::int64_t>(n[a], 16);
          box.begin[a] = a == across ? plane : start(n[a], size);
          box.end[a] = box.begin[a] + size;
        }
        boxes.push_back(box);
      }
  for (int k = 0; k < 64; ++k) {
    Box box;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int64_t size = std::min(n[a], kBlock);
      box.begin[a] = start(n[a], size);
      box.end[a] = box.begin[a] + size;
    }
    boxes.push_back(box);
  }
  return boxes;
}

}  // namespace

Verification verify(const Workload& workload, std::span<const ConstArrayView> inputs,
                    std::span<const ConstArrayView> outputs, const VerifyOptions& options, const Control& control) {
  if (options.writtenOut)
    if (const auto dense = workload.writtenOut())
      return verify(*dense, inputs, outputs, {options.fullBudgetSeconds, options.seed, false, options.bound}, control);
  Verification result;
  // The reference manages about half a GFLOP/s a core, and is evaluated twice for floats.
  const double expected = 2 * workload.work().operations / 0.5e9;
  result.full = expected < options.fullBudgetSeconds;
  result.coverage = result.full ? "full volume" : "edges, corners, patches of all faces and 64 blocks";
  Sums total;
  std::mutex mutex;
  for (std::size_t index = 0; index < outputs.size(); ++index) {
    const ConstArrayView& output = outputs[index];
    const std::vector<Box> boxes =
        result.full ? wholeVolume(output.extent) : sampledBoxes(output.extent, options.seed + index);
    tbb::parallel_for(std::size_t{0}, boxes.size(), [&](std::size_t b) {
      control.check();
      const Sums sums = compareBox(workload, inputs, output, index, boxes[b], control);
      const std::lock_guard lock(mutex);
      total.add(sums);
    });
  }
  result.compared = total.compared;
  result.wrong = total.wrong;
  result.nonFinite = total.nonFinite;
  result.relativeL2 = total.reference2 > 0 ? std::sqrt(total.difference2 / total.reference2)
                                           : (total.difference2 > 0 ? std::numeric_limits<double>::infinity() : 0.0);
  const ElementType type = outputs.empty() ? ElementType::f32 : outputs[0].type;
  const double epsilon = type == ElementType::f64 && options.bound == 0
                             ? std::numeric_limits<double>::epsilon()
                             : static_cast<double>(std::numeric_limits<float>::epsilon());
  if (total.largestReference > 0)
    result.maximumUlp = total.largestDifference / (std::exp2(std::floor(std::log2(total.largestReference))) * epsilon);
  const double scale = std::sqrt(std::max(total.reference2, total.magnitude2));
  const double bound = options.bound > 0          ? options.bound
                       : type == ElementType::f64 ? 1e-13
                                                  : 1e-6 * std::sqrt(static_cast<double>(workload.termsPerOutput()));
  if (total.compared == 0) {
    result.failure = "nothing was compared";
  } else if (total.nonFinite > 0) {
    result.failure =
        std::to_string(total.nonFinite) + " elements are NaN or Inf where they should not be, or not where they should";
  } else if (isInteger(type) && total.wrong > 0) {
    result.failure = std::to_string(total.wrong) + " of " + std::to_string(total.compared) + " elements differ";
  } else if (!isInteger(type) && std::sqrt(total.difference2) > bound * scale) {
    std::array<char, 80> text{};
    std::snprintf(text.data(), text.size(), "the relative error %.3g exceeds %.3g",
                  std::sqrt(total.difference2) / scale, bound);
    result.failure = text.data();
  }
  result.verified = result.failure.empty();
  return result;
}

Verification verifyCopy(const ConstArrayView& input, const ConstArrayView& output, const Control& control) {
  Verification result;
  result.full = true;
  result.coverage = "full copy of the input";
  if (input.type != output.type || input.extent != output.extent) {
    result.failure = "a copy has the type and the extents of its input";
    return result;
  }
  dispatch(output.type, [&](auto tag) {
    const auto* from = input.as<decltype(tag)>();
    const auto* to = output.as<decltype(tag)>();
    for (std::int64_t z = 0; z < output.extent[2]; ++z)
      for (std::int64_t y = 0; y < output.extent[1]; ++y) {
        control.check();
        for (std::int64_t x = 0; x < output.extent[0]; ++x)
          for (std::int64_t c = 0; c < output.extent[3]; ++c)
            if (from[input.offset(x, y, z, c)] != to[output.offset(x, y, z, c)]) ++result.wrong;
      }
  });
  result.compared = output.elements();
  if (result.wrong > 0)
    result.failure = std::to_string(result.wrong) + " of " + std::to_string(result.compared) + " elements differ";
  result.verified = result.failure.empty();
  return result;
}

void poison(const ArrayView& view) {
  dispatch(view.type, [&](auto tag) {
    using T = decltype(tag);
    T pattern{};
    if constexpr (std::is_floating_point_v<T>) {
      pattern = std::numeric_limits<T>::quiet_NaN();
    } else {
      std::memset(&pattern, 0xA5, sizeof pattern);
    }
    auto* data = view.as<T>();
    for (std::int64_t z = 0; z < view.extent[2]; ++z)
      for (std::int64_t y = 0; y < view.extent[1]; ++y)
        for (std::int64_t x = 0; x < view.extent[0]; ++x)
          for (std::int64_t c = 0; c < view.extent[3]; ++c) data[view.offset(x, y, z, c)] = pattern;
  });
}

}  // namespace sscope
