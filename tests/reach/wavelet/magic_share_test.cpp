// Slabs of the magic filter: the bits of the whole, for every variant of the processor.

#include "core/wavelet/ranks/magic_share.h"

#include "core/base/error.h"
#include "core/workload/noise.h"
#include "tests/reach/shares.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;
using test::CpuMachine;

namespace {

// Its passes have the planes as columns, and the sums of the last ones another order: right, but for the last bits.
constexpr const char* kAcrossPlanes = "sse-t";

OptionValues valuesOf(const OptionValues& given) { return completeOptions(MagicWorkload::options(), given); }

std::vector<std::byte> partsOf(const CpuMachine& machine, const ArraySpec& spec, const OptionValues& values,
                               Engine& engine, const std::string& variant, int ranks) {
  return test::joined(test::outputsOf<MagicShare>(
      ranks,
      [&](reach::Communicator& communicator, const Control& control) {
        return std::make_unique<MagicShare>(communicator, spec, values, engine, machine.variants,
                                            reach::ShareRequest{variant, 3, 1, {}}, control);
      },
      [](const MagicShare& share) { return test::bytesOf(share.output()); }));
}

std::vector<std::byte> wholeOf(const CpuMachine& machine, const ArraySpec& spec, const OptionValues& values,
                               Engine& engine, const std::string& variant) {
  const MagicWorkload whole(spec, values);
  const Volume input = noiseVolume({spec.extent[0], spec.extent[1], spec.extent[2], 1}, spec.type, 3, {});
  Volume output(input.shape(), spec.type);
  const ConstArrayView from = input.view();
  const ArrayView to = output.view();
  machine.variants.prepare(engine, whole, variant, {}, {})->run({{&from, 1}, 0}, {&to, 1}, {});
  return test::bytesOf(std::as_const(output).view());
}

}  // namespace

TEST_CASE("slabs of the magic filter have the bits of the whole, for every variant of the processor") {
  const CpuMachine machine;
  // The second is thinner than the filter: planes wrap around more than once.
  for (const ArraySpec& spec :
       {ArraySpec{ElementType::f64, {13, 10, 21, 1}}, ArraySpec{ElementType::f64, {5, 6, 7, 1}}})
    for (const char* direction : {"forward", "inverse"}) {
      const OptionValues values = valuesOf({{"direction", std::string(direction)}});
      for (Engine* engine : machine.engines.available())
        for (const Variant* row : machine.variants.rows("magic", engine->info().kind)) {
          if (!row->belongsTo(engine->info()) || !row->twinOf.empty() || row->lower ||
              (row->unsupported && !row->unsupported(engine->info(), MagicWorkload(spec, values)).empty()))
            continue;
          const std::vector<std::byte> expected = wholeOf(machine, spec, values, *engine, row->name);
          for (const int ranks : test::kRanks) {
            INFO(engine->info().id << " " << row->name << " " << direction << " on " << ranks);
            const bool same = partsOf(machine, spec, values, *engine, row->name, ranks) == expected;
            CHECK((same || row->name == kAcrossPlanes));
          }
        }
    }
}

TEST_CASE("ranks refuse lines, free boundaries and too few planes of the magic filter") {
  const auto slab = [](const ArraySpec& spec, const OptionValues& given, int ranks) {
    const OptionValues values = valuesOf(given);
    return magicSlab(MagicWorkload(spec, values), values, 0, ranks);
  };
  const ArraySpec spec{ElementType::f64, {32, 32, 4, 1}};
  CHECK_THROWS_WITH(slab(spec, {{"passes", std::string("lines")}}, 2), ContainsSubstring("along all axes only"));
  CHECK_THROWS_WITH(slab(spec, {{"boundary", std::string("free")}}, 2), ContainsSubstring("periodic volumes"));
  CHECK_THROWS_WITH(slab(spec, {}, 5), ContainsSubstring("fewer planes (4) than ranks (5)"));
  CHECK(slab(spec, {}, 1).halo.empty());
}
