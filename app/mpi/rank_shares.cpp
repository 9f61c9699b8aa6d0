#include "app/mpi/rank_shares.h"

#include <array>

#include "core/base/error.h"
#include "core/reach/slab_share.h"
#ifndef SSCOPE_WITHOUT_WAVELET
#include "core/wavelet/ranks/magic_share.h"
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
#include "core/lattice/ranks/cr_share.h"
#include "core/lattice/ranks/dirac_share.h"
#include "core/lattice/workload/spinor_input.h"
#endif

namespace sscope::mpi {

namespace {

std::string nameOf(const cli::BenchOutline& outline) { return outline.kind == nullptr ? "" : outline.kind->name; }

#ifndef SSCOPE_WITHOUT_LATTICE
bool isLattice(const cli::BenchOutline& outline) { return nameOf(outline) == "dirac" || nameOf(outline) == "cr"; }
#endif

// Of a workload that is cut as it is.
std::unique_ptr<Workload> wholeOf(const cli::BenchOutline& outline) {
  return outline.kind->make(outline.input, outline.values);
}

}  // namespace

void requireShareable(const cli::BenchOutline& outline, int ranks) {
#ifndef SSCOPE_WITHOUT_LATTICE
  if (isLattice(outline)) {
    static_cast<void>(lattice::latticeParts(latticeOf(outline.input, integerOf(outline.values, "time")), ranks));
    return;
  }
#endif
  const std::vector<Range> planes =
      reach::planesOfRanks(outline.input.extent[slowestAxis(outline.input.extent)], ranks);
#ifndef SSCOPE_WITHOUT_WAVELET
  if (nameOf(outline) == "magic") {
    static_cast<void>(magicSlab(MagicWorkload(outline.input, outline.values), outline.values, 0, ranks));
    return;
  }
#endif
  const std::unique_ptr<Workload> made = outline.workload ? nullptr : wholeOf(outline);
  static_cast<void>(reach::planesAround(outline.workload ? *outline.workload : *made, planes.front()));
}

std::unique_ptr<reach::RankShare> makeShare(const cli::BenchOutline& outline, reach::Communicator& communicator,
                                            Engine& engine, const VariantTable& variants,
                                            const reach::ShareRequest& request, const Control& control) {
  if (outline.workload)
    return std::make_unique<reach::SlabShare>(communicator, *outline.workload, engine, variants, request, control);
#ifndef SSCOPE_WITHOUT_WAVELET
  if (nameOf(outline) == "magic")
    return std::make_unique<MagicShare>(communicator, outline.input, outline.values, engine, variants, request,
                                        control);
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
  if (nameOf(outline) == "dirac")
    return std::make_unique<lattice::DiracShare>(communicator, outline.input, outline.values, engine, variants, request,
                                                 control);
  if (nameOf(outline) == "cr")
    return std::make_unique<lattice::CrShare>(communicator, outline.input, outline.values, engine, variants, request,
                                              control);
#endif
  return std::make_unique<reach::SlabShare>(communicator, *wholeOf(outline), engine, variants, request, control);
}

namespace {

#ifndef SSCOPE_WITHOUT_LATTICE
reach::RankWork latticeWork(const cli::BenchOutline& outline, int ranks) {
  using namespace lattice;
  const LatticePart part =
      latticeParts(latticeOf(outline.input, integerOf(outline.values, "time")), ranks).front();  // the largest
  constexpr double kHalfSpinor = sizeof(Complex) * kSpinorElements / 2.0;
  double faces = 0;
  for (const int mu : {2, 3})
    if (part.halo(mu) > 0) faces += 2.0 * static_cast<double>(part.own.volume()) / part.own.extent(mu);
  reach::RankWork work;
  const double applications =
      nameOf(outline) == "cr" ? static_cast<double>(integerOf(outline.values, "iterations")) + 1 : 1;
  work.elements = static_cast<double>(part.own.volume());
  work.exchanges = faces > 0 ? applications : 0;
  work.bytes = applications * faces * kHalfSpinor;
  work.sums = nameOf(outline) == "cr" ? 3 * applications : 0;
  return work;
}
#endif

// A rank in the middle, which has neighbors on both sides.
reach::RankWork slabWork(const cli::BenchOutline& outline, int ranks) {
  const std::array<std::int64_t, 4>& extent = outline.input.extent;
  const std::size_t axis = slowestAxis(extent);
  const double plane = static_cast<double>(outline.input.elements()) / static_cast<double>(extent[axis]);
  const auto own = static_cast<double>((extent[axis] + ranks - 1) / ranks);
  double halo = 0, computedHalo = 0;
#ifndef SSCOPE_WITHOUT_WAVELET
  if (nameOf(outline) == "magic" && ranks > 1)
    computedHalo = halo = static_cast<double>(MagicWorkload(outline.input, outline.values).taps().size()) - 1;
#endif
  if (nameOf(outline) != "magic") {
    const std::unique_ptr<Workload> made = outline.workload ? nullptr : wholeOf(outline);
    const Workload& whole = outline.workload ? *outline.workload : *made;
    halo = static_cast<double>(
        reach::planesAround(whole, reach::planesOfRanks(extent[axis], ranks)[static_cast<std::size_t>(ranks / 2)]));
  }
  reach::RankWork work;
  work.elements = plane * (own + computedHalo);
  work.exchanges = halo > 0 ? 1 : 0;
  work.bytes = halo * plane * static_cast<double>(bytesOf(outline.input.type));
  return work;
}

}  // namespace

std::optional<reach::RankWork> rankWork(const cli::BenchOutline& outline, int ranks) {
  try {
    requireShareable(outline, ranks);
#ifndef SSCOPE_WITHOUT_LATTICE
    if (isLattice(outline)) return latticeWork(outline, ranks);
#endif
    return slabWork(outline, ranks);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace sscope::mpi
