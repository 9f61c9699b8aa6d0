#pragma once
// Filters, shapes and data for each method by which engines compute: what a method is good for, where it ends, and what
// would show that it is wrong.

#include <optional>
#include <string>
#include <vector>

#include "core/filter/operator.h"
#include "tests/agreement/machine.h"
#include "tests/support/posing_engine.h"
#include "tests/support/support.h"

namespace sscope::test {

enum class Place {
  Processors,  // every level of the processor
  Devices,     // every device, with the kernels for what it is
  Cards        // one device with the kernels of graphics processors, whatever it is
};

// The engines of this machine, and one that poses as a graphics processor.
struct MethodMachine : TestMachine {
  Counted counted;
  std::unique_ptr<DeviceEngine> card = posingEngine(counted, watched);

  [[nodiscard]] std::vector<Engine*> at(Place place) const;
};

// Types of results for an input type.
using ResultTypes = std::vector<ElementType> (*)(ElementType input);
[[nodiscard]] std::vector<ElementType> realResult(ElementType input);     // f32, of f64 f64
[[nodiscard]] std::vector<ElementType> realOrSame(ElementType input);     // f32 or the input's
[[nodiscard]] std::vector<ElementType> sameResult(ElementType input);     // the input's
[[nodiscard]] std::vector<ElementType> f32Result(ElementType input);      // f32
[[nodiscard]] std::vector<ElementType> floatResults(ElementType input);   // f32 and f64
[[nodiscard]] std::vector<ElementType> narrowResults(ElementType input);  // integers of up to 16 bits

struct MethodCase {
  std::string what;
  Place place = Place::Processors;
  std::string row;  // of the table of variants: the method that the report has to name, or "auto"
  VolumeShape shape;
  std::vector<Operator> bank;
  std::vector<ElementType> inputs;
  ResultTypes outputs = f32Result;
  Volume (*data)(const VolumeShape& shape, ElementType type, std::uint64_t seed) = randomVolume;
  std::vector<double> outside{0.75};     // values for the boundary rule "constant"
  bool anySaturation = false;            // values beyond the range of the output's type are not counted
  std::optional<Precision> precision{};  // that the report has to give
  bool alone = false;                    // each filter by itself has the bits that it has in the bank
  std::string sameAs{};                  // a row that gives the same bits; empty: none
  std::vector<Box> regions{};            // that have the bits of the whole
  std::int64_t memory = 0;               // of a device: with so much, parts have the bits of the whole
};

// Every case of every method.
[[nodiscard]] const std::vector<MethodCase>& methodCases();

// Integers and reals at the ends of their types, in noise.
[[nodiscard]] Volume noiseWithEnds(const VolumeShape& shape, ElementType type, std::uint64_t seed);
// Values next to each other whose means lie on the middle between two integers, or close to it.
[[nodiscard]] Volume nearTies(const VolumeShape& shape, ElementType type, std::uint64_t seed);
// Noise with a NaN inside, Inf twice so that they meet in some windows, -Inf at an edge and in a corner.
[[nodiscard]] Volume noiseWithHoles(const VolumeShape& shape, ElementType type, std::uint64_t seed);
// Noise of at least 840 numbers with NaN of either sign and a signaling one, the infinities, both zeros and numbers
// below the normal ones.
[[nodiscard]] Volume noiseWithSpecials(const VolumeShape& shape, ElementType type, std::uint64_t seed);

}  // namespace sscope::test
