// Every family behind another one, and while a slider moves. Families, and kinds of operators that they are made of,
// are met here when they come into the table.
#include <algorithm>
#include <array>
#include <optional>

#include "core/filter/families/family.h"
#include "core/filter/job/filter_job.h"
#include "core/filter/job/kept_filter.h"
#include "tests/agreement/judged.h"
#include "tests/support/catch.h"
#include "tests/support/cpu_machine.h"
#include "tests/support/runs.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

constexpr const char* kFirst = "first";

// A row of this family that reads the data or, as its first input, a row above.
FilterRecipe rowOf(const FilterFamily& family, const std::string& name, const char* reads) {
  FilterRecipe row;
  row.name = name;
  row.family = family.name;
  if (!family.make) row.taps = {{3, 2, 1}, {1, 0, 0}, {0.25, 0.5, 0.25, -0.5, 1, 0.5}};
  // Each step takes time, and makes the bound of what it rounds grow.
  if (findOption(family.options, "steps") != nullptr) row.parameters["steps"] = std::int64_t{2};
  if (family.name == "formula") {
    row.parameters["e"] = std::string("abs(") + reads + ") + @k=0.5[0..1] * " + reads + "[1,0,0]";
  } else if (reads != std::string(kSourceName)) {
    row.inputs.assign(family.inputs.size(), kSourceName);
    row.inputs.front() = reads;
  }
  return row;
}

// The row with its first number moved by a tick of its slider, or none if it has no number.
std::optional<FilterRecipe> moved(FilterRecipe row) {
  const std::vector<Option> options = optionsOf(filterFamily(row.family), row.parameters);
  const OptionValues values = completeOptions(options, row.parameters);
  const auto slider = std::ranges::find_if(options, [](const Option& option) {
    return option.type == OptionType::Real || option.type == OptionType::Integer || option.type == OptionType::Length;
  });
  if (slider == options.end()) return std::nullopt;
  const auto tick = [&](double value) {
    const double end = value > slider->sliderMinimum ? slider->sliderMinimum : slider->sliderMaximum;
    return value + 0.01 * (end - value);
  };
  OptionValue value = values.at(slider->name);
  if (auto* whole = std::get_if<std::int64_t>(&value)) {
    const bool isLast = static_cast<double>(*whole + slider->step) > slider->maximum;
    *whole += isLast ? -slider->step : slider->step;
  } else if (auto* length = std::get_if<Length>(&value)) {
    length->value = tick(length->value);
  } else {
    value = tick(std::get<double>(value));
  }
  row.parameters[slider->name] = value;
  return row;
}

// What a bank of two rows comes to: run, verified, run again after its slider moved as it would be alone.
class Chain {
 public:
  Chain(const FilterFamily& front, const FilterFamily& behind, Boundary boundary) {
    job_.engine = machine().engines.preferred().info().id;
    job_.bank.filters = {rowOf(front, kFirst, kSourceName), rowOf(behind, "second", kFirst)};
    job_.bank.filters.front().intermediate = true;
    job_.bank.boundary = boundary;
    job_.bank.output = OutputType{ElementType::f32};
  }

  void check(const Volume& input, test::Judged& judged) {
    KeptFilter kept(machine().engines, machine().variants);
    judged.check(wrongIn(kept.run(job_, input, {}), input));
    const auto next = moved(job_.bank.filters.back());
    if (!next) return;
    job_.bank.filters.back() = *next;
    const FilterResult result = kept.run(job_, input, {});
    judged.check(wrongIn(result, input));
    const FilterResult fresh = runFilter(machine().engines, machine().variants, job_, input, {});
    CHECK(std::ranges::equal(result.outputs, fresh.outputs,
                             [](const Volume& a, const Volume& b) { return test::sameBits(a, b); }));
  }

 private:
  static const test::CpuMachine& machine() {
    static const test::CpuMachine one;
    return one;
  }
  [[nodiscard]] std::string wrongIn(const FilterResult& result, const Volume& input) const {
    return verifyFilter(job_, input, result, test::kEverywhere, {}).failure;
  }

  FilterJob job_;
};

}  // namespace

TEST_CASE("every family works behind another one, and while its first slider moves") {
  const std::span<const FilterFamily> families = filterFamilies();
  const std::array volumes{test::randomVolume({9, 8, 7, 1}, ElementType::f32, 3),
                           test::randomVolume({13, 11, 1, 2}, ElementType::u8, 4)};
  std::size_t turn = test::Sampling::ofRun().named("chains").seed % std::size(kBoundaries);
  test::Judged judged;
  for (std::size_t i = 0; i < families.size(); ++i) {
    // So each of them stands in front of one, too.
    const FilterFamily& front = families[(i + families.size() - 1) % families.size()];
    for (const Volume& input : volumes) {
      const Boundary boundary = kBoundaries[turn++ % std::size(kBoundaries)];
      INFO(front.name << " -> " << families[i].name << ", " << input.shape().text() << ", " << toString(boundary)
                      << ", " << test::Sampling::howToRepeat());
      Chain(front, families[i], boundary).check(input, judged);
    }
  }
  judged.requireMost();
}
