#include "core/cpu/filter/separable_passes.h"

#include <algorithm>

namespace sscope::cpu {

namespace {

template <class T>
AxisPass<T> passOf(const AxisTaps& taps, std::size_t a, const TileSpace& space) {
  AxisPass<T> pass;
  pass.weights.assign(taps.weights.begin(), taps.weights.end());
  pass.offset = space.anchor()[a] - taps.anchor * (a == 0 ? space.tapDistance() : 1);
  pass.identity = taps.identity();
  pass.equal = takesEqualTaps(taps, a == 0);
  if (pass.equal) pass.split = equalSplit(taps.size());
  return pass;
}

// The place of `value` in `list`, at the end if it is new.
template <class V>
std::size_t placeOf(std::vector<V>& list, V value) {
  const auto found = std::ranges::find(list, value);
  const auto place = static_cast<std::size_t>(found - list.begin());
  if (found == list.end()) list.push_back(std::move(value));
  return place;
}

}  // namespace

template <class T>
double AxisPass<T>::cost(std::size_t a) const {
  if (equal) return equalCost(size(), a == 0).multiplyAdds;
  return (a == 0 ? 2 : 1) * static_cast<double>(size() + 2);
}

template <class T>
SeparablePasses<T>::SeparablePasses(const FilterWorkload& workload, const std::vector<std::size_t>& outputs,
                                    const TileSpace& space) {
  std::vector<AxisTaps> alongY;
  std::vector<std::pair<std::size_t, AxisTaps>> alongZ;
  for (const std::size_t f : outputs) {
    Filter& filter = filters.emplace_back();
    filter.output = f;
    for (const SeparableTerm& source : workload.stencil(f).terms) {
      const SeparableTerm term = permuted(source, space.order());
      const std::size_t row = placeOf(alongY, term.axis[1]);
      filter.terms.push_back({placeOf(alongZ, {row, term.axis[2]}), passOf<T>(term.axis[0], 0, space)});
    }
  }
  for (const AxisTaps& taps : alongY) rows.push_back(passOf<T>(taps, 1, space));
  for (const auto& [row, taps] : alongZ) {
    planes.push_back({row, passOf<T>(taps, 2, space), sums});
    if (!taps.identity()) ++sums;
  }
}

template <class T>
void SeparablePasses<T>::compile(const PrecisionKernels<T>& kernels, const TileSpace& space) {
  const auto along = [&](AxisPass<T>& pass, bool x) {
    if (pass.equal) return;
    pass.correlator =
        x ? Correlator<T>(kernels, pass.size(), 1, 1, space.tapDistance()) : Correlator<T>(kernels, 1, pass.size(), 1);
  };
  for (AxisPass<T>& row : rows) along(row, false);
  for (OfPlanes& plane : planes) along(plane.axis, false);
  for (Filter& filter : filters)
    for (OfColumns& term : filter.terms) along(term.axis, true);
}

template <class T>
bool SeparablePasses<T>::takeWeights(const FilterWorkload& workload, const TileSpace& space) {
  std::vector<std::size_t> outputs;
  for (const Filter& filter : filters) outputs.push_back(filter.output);
  SeparablePasses next(workload, outputs, space);
  const bool alike = next.rows.size() == rows.size() &&
                     std::ranges::equal(next.planes, planes, {}, &OfPlanes::row, &OfPlanes::row) &&
                     std::ranges::equal(next.filters, filters, [](const Filter& a, const Filter& b) {
                       return std::ranges::equal(a.terms, b.terms, {}, &OfColumns::plane, &OfColumns::plane);
                     });
  if (!alike) return false;
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r].weights.swap(next.rows[r].weights);
  for (std::size_t p = 0; p < planes.size(); ++p) planes[p].axis.weights.swap(next.planes[p].axis.weights);
  for (std::size_t f = 0; f < filters.size(); ++f)
    for (std::size_t t = 0; t < filters[f].terms.size(); ++t)
      filters[f].terms[t].axis.weights.swap(next.filters[f].terms[t].axis.weights);
  return true;
}

template struct AxisPass<float>;
template struct AxisPass<double>;
template struct SeparablePasses<float>;
template struct SeparablePasses<double>;

}  // namespace sscope::cpu
