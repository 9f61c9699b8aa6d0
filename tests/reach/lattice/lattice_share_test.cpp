// Parts of dirac and cr that are made by ranks for themselves: the bits of the whole.

#include <cstring>
#include <functional>
#include <span>

#include "core/base/error.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/ranks/lattice_share.h"
#include "core/lattice/ranks/part_input.h"
#include "core/lattice/workload/dirac_workload.h"
#include "core/workload/noise.h"
#include "tests/reach/shares.h"

using namespace sscope;
using namespace sscope::lattice;
using Catch::Matchers::ContainsSubstring;
using test::CpuMachine;

namespace {

const ArraySpec kInput{ElementType::f64, {3, 2, 5 * 3, 24}};  // 3x2x5x3, odd, and cut along z for seven ranks

template <class Kind>
OptionValues valuesOf(const OptionValues& given) {
  OptionValues values = completeOptions(Kind::options(), given);
  values["time"] = std::int64_t{3};
  return values;
}

std::vector<std::byte> bytesOf(const SpinorField& field) {
  const auto bytes = std::as_bytes(std::span(field));
  return {bytes.begin(), bytes.end()};
}

// Parts put together.
SpinorField joined(const Lattice& whole, const std::vector<std::vector<std::byte>>& parts) {
  SpinorField field = zeroSpinor(whole);
  const std::vector<LatticePart> all = latticeParts(whole, static_cast<int>(parts.size()));
  for (std::size_t r = 0; r < parts.size(); ++r)
    putPart({reinterpret_cast<const Complex*>(parts[r].data()), parts[r].size() / sizeof(Complex)}, all[r], field);
  return field;
}

SpinorField wholeOf(const CpuMachine& machine, const Workload& workload, Engine& engine, const std::string& variant) {
  const ArraySpec spec = workload.inputs().front();
  const Volume input = noiseVolume({spec.extent[0], spec.extent[1], spec.extent[2], 24}, spec.type, 1, {});
  SpinorField result(static_cast<std::size_t>(spec.elements() / 2));
  const ConstArrayView from = input.view();
  const ArrayView to = denseView(spec, reinterpret_cast<std::byte*>(result.data()));
  machine.variants.prepare(engine, workload, variant, {}, {})->run({{&from, 1}, 0}, {&to, 1}, {});
  return result;
}

template <class Share>
SpinorField partsOf(const CpuMachine& machine, const OptionValues& values, Engine& engine, const std::string& variant,
                    int ranks, const SpinorField& (Share::*output)() const) {
  const std::function<std::unique_ptr<Share>(reach::Communicator&, const Control&)> make =
      [&](reach::Communicator& communicator, const Control& control) {
        return std::make_unique<Share>(communicator, kInput, values, engine, machine.variants,
                                       reach::ShareRequest{variant, 1, 1, {}}, control);
      };
  return joined(Lattice({3, 2, 5, 3}),
                test::outputsOf<Share>(ranks, make, [&](const Share& share) { return bytesOf((share.*output)()); }));
}

constexpr int kRankCounts[] = {1, 2, 3, 6, 9};  // that 5 x 3 planes can be cut into

}  // namespace

TEST_CASE("links and noise of parts are those of the whole") {
  const Lattice whole({3, 2, 5, 3});
  const GaugeField links = hotStart(whole, 1);
  const Volume noise = noiseVolume({3, 2, 15, 24}, ElementType::f64, 1, {});
  const std::span all(reinterpret_cast<const Complex*>(noise.data()), static_cast<std::size_t>(12 * whole.volume()));
  for (const int ranks : kRankCounts)
    for (const LatticePart& part : latticeParts(whole, ranks)) {
      CHECK(generatedLinks(part, valuesOf<DiracWorkload>({}), {}) == linksOf(links, part, {}));
      CHECK(noiseOfOwn(part, 1, {}) == takePart(all, part));
      const SpinorField extended = noiseOfExtended(part, 1, {});
      bool same = true;
      for (std::int64_t site = 0; site < part.extended.volume(); ++site)
        same = same &&
               std::memcmp(&extended[static_cast<std::size_t>(12 * site)],
                           &all[static_cast<std::size_t>(12 * siteOfExtended(part, site))], 12 * sizeof(Complex)) == 0;
      CHECK(same);
    }
}

TEST_CASE("ranks that make their parts of dirac have the bits of the whole") {
  const CpuMachine machine;
  Engine& engine = machine.engines.preferred();
  for (const char* time : {"antiperiodic", "periodic"})
    for (const bool adjoint : {false, true}) {
      const OptionValues values = valuesOf<DiracWorkload>({{"time_boundary", std::string(time)}, {"adjoint", adjoint}});
      const DiracWorkload whole(kInput, values);
      for (const Variant* row : machine.variants.rows("dirac", engine.info().kind)) {
        if (!row->belongsTo(engine.info()) || !row->twinOf.empty()) continue;
        const SpinorField expected = wholeOf(machine, whole, engine, row->name);
        for (const int ranks : kRankCounts) {
          INFO(row->name << " " << time << " on " << ranks);
          CHECK((partsOf<DiracShare>(machine, values, engine, row->name, ranks, &DiracShare::output) == expected));
        }
      }
    }
}

TEST_CASE("ranks that make their parts of cr have the bits of the whole") {
  const CpuMachine machine;
  Engine& engine = machine.engines.preferred();
  // Three iterations are compared with the reference, the others by their residual.
  for (const std::int64_t iterations : {3, 4000}) {
    const OptionValues values = valuesOf<CrWorkload>({{"iterations", iterations}, {"twist", 0.1}});
    const CrWorkload whole(kInput, values);
    for (const Variant* row : machine.variants.rows("cr", engine.info().kind)) {
      if (!row->belongsTo(engine.info()) || row->lower) continue;
      const SpinorField expected = wholeOf(machine, whole, engine, row->name);
      for (const int ranks : kRankCounts) {
        INFO(row->name << " " << iterations << " iterations on " << ranks);
        CHECK((partsOf<CrShare>(machine, values, engine, row->name, ranks, &CrShare::solution) == expected));
      }
    }
  }
}
