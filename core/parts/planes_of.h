#pragma once
// Some planes of a workload's outputs, in an order of their own, to be compared with its reference: of a part that was
// computed with a halo around it, those that are its own.

#include <cstdint>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/workload/workload.h"

namespace sscope::reach {

class PlanesOf final : public Workload {
 public:
  // Output plane k, along the third axis, is the workload's `planes[k]`. The workload outlives this.
  PlanesOf(const Workload& workload, std::vector<std::int64_t> planes);

  [[nodiscard]] std::string_view name() const override { return workload_.name(); }
  [[nodiscard]] nlohmann::json parameters() const override { return workload_.parameters(); }
  [[nodiscard]] std::vector<ArraySpec> inputs() const override { return workload_.inputs(); }
  [[nodiscard]] std::vector<ArraySpec> outputs() const override;
  // The planes' share of the workload's.
  [[nodiscard]] Work work() const override;
  [[nodiscard]] Precision precision() const override { return workload_.precision(); }
  [[nodiscard]] std::int64_t termsPerOutput() const override { return workload_.termsPerOutput(); }
  void reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box, std::span<double> values,
                 const Control& control) const override;
  void referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                          std::span<double> values, const Control& control) const override;
  [[nodiscard]] ErrorScale errorScale() const override { return workload_.errorScale(); }
  [[nodiscard]] Judgment judgment(std::size_t output) const override { return workload_.judgment(output); }

 private:
  using Fill = void (Workload::*)(std::span<const ConstArrayView>, std::size_t, const Box&, std::span<double>,
                                  const Control&) const;
  void fill(Fill what, std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
            std::span<double> values, const Control& control) const;

  const Workload& workload_;
  std::vector<std::int64_t> planes_;
};

}  // namespace sscope::reach
