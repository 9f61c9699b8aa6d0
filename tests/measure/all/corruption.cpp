#include "tests/measure/all/corruption.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/workload/filter_workload.h"
#include "core/volume/element_type.h"
#include "core/workload/catalog.h"
#include "tests/support/support.h"

namespace sscope::test {

namespace {

VolumeShape shapeOf(const ArraySpec& spec) {
  return {spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])};
}

using Random = std::mt19937_64;

std::int64_t below(Random& random, std::int64_t n) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
}

// Calls change(elements) for one of the outputs; whether any byte is different afterwards.
template <class Change>
bool changed(Scene& scene, Random& random, Change&& change) {
  Volume& output = scene.outputs[static_cast<std::size_t>(below(random, std::ssize(scene.outputs)))];
  const Volume before = output.clone();
  dispatch(output.type(), [&](auto tag) { change(output, output.elements<decltype(tag)>()); });
  return std::memcmp(before.data(), output.data(), static_cast<std::size_t>(output.bytes())) != 0;
}

template <class T>
double rms(std::span<const T> elements) {
  double largest = 0, sum = 0;
  for (const T e : elements) largest = std::max(largest, std::abs(static_cast<double>(e)));
  if (largest == 0) return 0;
  for (const T e : elements) sum += std::pow(static_cast<double>(e) / largest, 2);
  return largest * std::sqrt(sum / static_cast<double>(elements.size()));
}

// One element becomes f(its value, what elements usually are).
template <class F>
auto oneElement(F f) {
  return [f](Scene& scene, Random& random) {
    return changed(scene, random, [&](Volume&, auto elements) {
      using T = std::remove_reference_t<decltype(elements[0])>;
      const double usual = rms<T>(elements);
      T& element = elements[static_cast<std::size_t>(below(random, std::ssize(elements)))];
      const double value = f(static_cast<double>(element), usual, random);
      if constexpr (std::is_integral_v<T>) {
        // At least by one, and inside the type.
        const T other = element > 0 ? static_cast<T>(element - 1) : static_cast<T>(element + 1);
        bool saturated = false;
        const T rounded = roundSaturate<T>(value, saturated);
        element = rounded == element ? other : rounded;
      } else {
        element = static_cast<T>(value);
      }
    });
  };
}

// The elements that `inside(x, y, z)` names become poison: somebody forgot to write them.
template <class Inside>
bool leaveOut(Scene& scene, Random& random, Inside&& makeInside) {
  return changed(scene, random, [&](Volume& output, auto elements) {
    using T = std::remove_reference_t<decltype(elements[0])>;
    Volume never(output.shape(), output.type());
    poison(never.view());
    const VolumeShape& n = output.shape();
    const auto inside = makeInside(n);
    std::size_t i = 0;
    for (std::int64_t z = 0; z < n.nz; ++z)
      for (std::int64_t y = 0; y < n.ny; ++y)
        for (std::int64_t x = 0; x < n.nx; ++x)
          for (int c = 0; c < n.components; ++c, ++i)
            if (inside(x, y, z)) elements[i] = never.elements<T>()[i];
  });
}

template <class T>
void swapRows(std::span<T> elements, std::int64_t one, std::int64_t other, std::int64_t length) {
  std::swap_ranges(elements.begin() + one * length, elements.begin() + (one + 1) * length,
                   elements.begin() + other * length);
}

}  // namespace

Verification Scene::verdict(const VerifyOptions& options) const {
  const ConstArrayView in = input.view();
  std::vector<ConstArrayView> views;
  for (const Volume& output : outputs) views.push_back(output.view());
  return verify(*workload, {&in, 1}, views, options, {});
}

Scene makeSceneOf(std::string name, std::shared_ptr<const Workload> workload, Volume input) {
  Scene scene{std::move(name), std::move(workload), std::move(input), {}};
  const ConstArrayView in = std::as_const(scene.input).view();
  const std::vector<ArraySpec> outputs = scene.workload->outputs();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& extent = outputs[i].extent;
    std::vector<double> values(static_cast<std::size_t>(outputs[i].elements()));
    scene.workload->reference({&in, 1}, i, {{0, 0, 0}, {extent[0], extent[1], extent[2]}}, values, {});
    Volume& output = scene.outputs.emplace_back(shapeOf(outputs[i]), outputs[i].type);
    dispatch(output.type(), [&](auto tag) {
      bool saturated = false;
      std::ranges::transform(values, output.elements<decltype(tag)>().begin(),
                             [&](double value) { return roundSaturate<decltype(tag)>(value, saturated); });
    });
  }
  return scene;
}

Scene makeScene(std::string name, std::shared_ptr<const Workload> workload, double scale) {
  const ArraySpec spec = workload->inputs()[0];
  Volume input = randomVolume(shapeOf(spec), spec.type, 1);
  if (!isInteger(spec.type))
    dispatch(spec.type, [&](auto tag) {
      using T = decltype(tag);
      for (T& e : input.elements<T>()) e = static_cast<T>(static_cast<double>(e) * scale);
    });
  return makeSceneOf(std::move(name), std::move(workload), std::move(input));
}

Scene filterScene(const std::string& spec, const VolumeShape& shape, ElementType input, ElementType output,
                  double scale) {
  const ArraySpec in{input, {shape.nx, shape.ny, shape.nz, shape.components}};
  const Operator filter = makeOperator(parseFilterSpec(spec), {shape.dimensions(), {1, 1, 1}});
  return makeScene(spec + " " + std::string(toString(input)) + " -> " + std::string(toString(output)),
                   std::make_shared<FilterWorkload>(std::vector{filter}, Boundary::mirror, 0, in, output), scale);
}

Scene ladderScene(const std::string& workload, const std::array<std::int64_t, 3>& shape, const OptionValues& values,
                  double scale) {
  const WorkloadKind* kind = findWorkloadKind(workload);
  const OptionValues complete = completeOptions(kind->options, values);
  return makeScene(workload, kind->make(kind->inputSpec(shape, complete), complete), scale);
}

std::vector<Scene> everyScene(double scale) {
  std::vector<Scene> scenes;
  for (const ElementType type : kElementTypes) {
    const ElementType real = type == ElementType::f64 ? ElementType::f64 : ElementType::f32;
    scenes.push_back(filterScene("gaussian:sigma=0.8", {13, 12, 7, 1}, type, type, scale));
    scenes.push_back(filterScene("laplacian", {14, 9, 6, 2}, type, real, scale));
  }
  const auto ladder = [&](const char* workload, const std::array<std::int64_t, 3>& shape, const OptionValues& values) {
    scenes.push_back(ladderScene(workload, shape, values, scale));
  };
  using Text = std::string;
  using Whole = std::int64_t;
  ladder("bank", {12, 11, 10}, {{"size", Whole{3}}, {"filters", Whole{3}}, {"input", Text("f32")}});
  ladder("bank", {12, 11, 10}, {{"size", Whole{3}}, {"filters", Whole{2}}, {"output", Text("u8")}});
  ladder("conv2d", {33, 31, 1}, {{"width", Whole{5}}, {"height", Whole{3}}});
  ladder("soup", {33, 31, 1}, {});
  ladder("magic", {12, 10, 9}, {});
  ladder("magic", {20, 5, 4}, {{"passes", Text("lines")}, {"transposed", true}});
  for (const char* direction : {"forward", "inverse"})
    for (const char* type : {"f32", "f64"})
      ladder("dwt", {16, 16, 8},
             {{"wavelet", Text("db2")}, {"levels", Whole{2}}, {"direction", Text(direction)}, {"input", Text(type)}});
  ladder("dirac", {4, 4, 4}, {{"time", Whole{4}}});
  ladder("cr", {4, 4, 2}, {{"time", Whole{4}}, {"iterations", Whole{5}}});
  return scenes;
}

const std::vector<Corruption>& corruptions() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  static const std::vector<Corruption> list{
      {"an element a little off", oneElement([](double value, double usual, Random& random) {
         return value + (random() % 2 == 0 ? 1 : -1) * usual * std::pow(10.0, -static_cast<double>(random() % 4));
       })},
      {"an element of the other sign",
       oneElement([](double value, double usual, Random&) { return value == 0 ? usual : -value; })},
      {"an element that is zero",
       oneElement([](double value, double usual, Random&) { return std::abs(value) > 0.1 * usual ? 0 : usual; })},
      {"NaN", oneElement([=](double, double, Random&) { return kNan; })},
      {"Inf", oneElement([=](double, double, Random& r) { return r() % 2 == 0 ? kInfinity : -kInfinity; })},
      {"a huge element", oneElement([](double, double usual, Random&) { return 1e6 * usual; })},
      {"all zero",
       [](Scene& scene, Random& random) {
         return changed(scene, random, [](Volume&, auto elements) { std::ranges::fill(elements, 0); });
       }},
      {"never written",
       [](Scene& scene, Random& random) {
         return leaveOut(scene, random, [](const VolumeShape&) { return [](auto...) { return true; }; });
       }},
      {"one element never written",
       [](Scene& scene, Random& random) {
         return leaveOut(scene, random, [&](const VolumeShape& n) {
           return [at = std::array{below(random, n.nx), below(random, n.ny), below(random, n.nz)}](
                      auto x, auto y, auto z) { return x == at[0] && y == at[1] && z == at[2]; };
         });
       }},
      {"a row never written",
       [](Scene& scene, Random& random) {
         return leaveOut(scene, random, [&](const VolumeShape& n) {
           return [at = std::array{below(random, n.ny), below(random, n.nz)}](auto, auto y, auto z) {
             return y == at[0] && z == at[1];
           };
         });
       }},
      {"the end never written",
       [](Scene& scene, Random& random) {
         return leaveOut(scene, random,
                         [](const VolumeShape& n) { return [n](auto x, auto...) { return x == n.nx - 1; }; });
       }},
      {"two slices swapped",
       [](Scene& scene, Random& random) {
         return changed(scene, random, [&](Volume& output, auto elements) {
           const VolumeShape& n = output.shape();
           const bool image = n.nz == 1;  // then rows
           const std::int64_t count = image ? n.ny : n.nz, length = n.nx * n.components * (image ? 1 : n.ny);
           const std::int64_t one = below(random, count);
           if (count > 1) swapRows(elements, one, (one + 1 + below(random, count - 1)) % count, length);
         });
       }},
      {"two neighbors swapped",
       [](Scene& scene, Random& random) {
         return changed(scene, random, [&](Volume&, auto elements) {
           using T = std::remove_reference_t<decltype(elements[0])>;
           const auto i = static_cast<std::size_t>(below(random, std::ssize(elements) - 1));
           const auto off = std::abs(static_cast<double>(elements[i]) - static_cast<double>(elements[i + 1]));
           if (off > 1e-3 * rms<T>(elements)) std::swap(elements[i], elements[i + 1]);
         });
       }},
      {"shifted by an element",
       [](Scene& scene, Random& random) {
         return changed(scene, random, [](Volume&, auto elements) {
           std::rotate(elements.begin(), elements.begin() + 1, elements.end());
         });
       }},
      {"a constant offset",
       [](Scene& scene, Random& random) {
         return changed(scene, random, [&](Volume& output, auto elements) {
           using T = std::remove_reference_t<decltype(elements[0])>;
           if constexpr (std::is_integral_v<T>) {
             for (T& e : elements) e = static_cast<T>(e > 0 ? e - 1 : e + 1);
           } else {
             // Of one bound, on the scale of the largest sum of magnitudes.
             const ConstArrayView in = std::as_const(scene.input).view();
             const VolumeShape& n = output.shape();
             std::vector<double> magnitudes(elements.size());
             const auto index = static_cast<std::size_t>(&output - scene.outputs.data());
             scene.workload->referenceMagnitude({&in, 1}, index, {{0, 0, 0}, {n.nx, n.ny, n.nz}}, magnitudes, {});
             const double bound = output.type() == ElementType::f64
                                      ? 1e-13
                                      : 1e-6 * std::sqrt(static_cast<double>(scene.workload->termsPerOutput()));
             const double offset = 1.1 * bound * *std::ranges::max_element(magnitudes);
             for (T& e : elements) e = static_cast<T>(static_cast<double>(e) + offset);
           }
         });
       }},
      {"one factor too large",
       [](Scene& scene, Random& random) {
         return changed(scene, random, [](Volume&, auto elements) {
           using T = std::remove_reference_t<decltype(elements[0])>;
           for (T& e : elements) {
             const auto wrong = static_cast<double>(e) * (1 + (std::is_integral_v<T> ? 0.02 : 1e-3));
             bool saturated = false;
             e = roundSaturate<T>(wrong, saturated);
           }
         });
       }},
      {"a bit that flipped",
       [](Scene& scene, Random& random) {
         return changed(scene, random, [&](Volume&, auto elements) {
           using T = std::remove_reference_t<decltype(elements[0])>;
           T& element = elements[static_cast<std::size_t>(below(random, std::ssize(elements)))];
           if (std::is_floating_point_v<T> && std::abs(static_cast<double>(element)) < 1e-3 * rms<T>(elements)) return;
           std::array<std::uint8_t, sizeof(T)> bytes{};
           std::memcpy(bytes.data(), &element, sizeof element);
           // The sign, the exponent and the first bits behind it (little endian); any bit of an integer.
           const std::size_t byte = std::is_integral_v<T> ? random() % sizeof(T) : sizeof(T) - 1 - random() % 2;
           bytes[byte] = static_cast<std::uint8_t>(bytes[byte] ^ (1U << random() % 8));
           std::memcpy(&element, bytes.data(), sizeof element);
         });
       }},
  };
  return list;
}

}  // namespace sscope::test
