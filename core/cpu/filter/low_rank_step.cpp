#include "core/cpu/filter/low_rank_step.h"

#include "core/cpu/filter/axis_order.h"
#include "core/cpu/filter/mended_store.h"
#include "core/filter/low_rank.h"

namespace sscope::cpu {

namespace {

// The workload with one dense filter in terms; its dense taps stay beside them.
FilterWorkload inTerms(const FilterWorkload& workload, std::size_t filter) {
  std::vector<Operator> operators = workload.operators();
  auto& stencil = std::get<Stencil>(operators[filter].kind);
  stencil.terms = lowRankSum(stencil.dense, workload.precision())->terms;
  const FilterWorkload whole(std::move(operators), workload.boundary(), workload.constant(), workload.input(),
                             workload.outputType());
  return whole.restricted(workload.region()).plannedAs(workload.planned());
}

}  // namespace

template <class T>
LowRankStep<T>::LowRankStep(const FilterWorkload& workload, std::size_t filter, const PrecisionKernels<T>& kernels,
                            const TileLimits& limits)
    : filter_(filter) {
  const FilterWorkload terms = inTerms(workload, filter);
  const AxisOrder order = separableOrder(terms, filter);
  std::unique_ptr<PlaneStore> store;
  if (MendedStore<T>::needed(terms)) store = std::make_unique<MendedStore<T>>(terms, filter, order, kernels);
  terms_ = terms.stencil(filter).terms.size();
  passes_ = std::make_unique<SeparableStep<T>>(terms, filter, order, kernels, limits, std::move(store));
}

template <class T>
std::string LowRankStep<T>::description() const {
  return std::to_string(terms_) + " terms" + (sizeof(T) == 8 ? " in double precision: " : ": ") +
         passes_->description();
}

template <class T>
bool LowRankStep<T>::takeWeights(const FilterWorkload& workload) {
  return passes_->takeWeights(inTerms(workload, filter_));
}

template class LowRankStep<float>;
template class LowRankStep<double>;

}  // namespace sscope::cpu
