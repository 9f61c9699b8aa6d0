#pragma once
// An output that is compared with the reference, wherever it lives: parts of it, as memory of the host.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/control.h"
#include "core/engine/resident_array.h"
#include "core/volume/array_view.h"

namespace sscope {

class ComparedOutput {
 public:
  // What either shows outlives this.
  explicit ComparedOutput(const ConstArrayView& view) : view_(view), type_(view.type), extent_(view.extent) {}
  // Boxes are fetched where the array is on a device, some MiB at a time.
  ComparedOutput(ResidentArray& array, const Control& control);

  [[nodiscard]] ElementType type() const { return type_; }
  [[nodiscard]] const std::array<std::int64_t, 4>& extent() const { return extent_; }

  // Calls `look` for every box, on all threads: with its index and the part of the output that lies in it, from (0, 0,
  // 0) on. Throws what `look` and the array throw, and Canceled.
  using Look = std::function<void(std::size_t index, const ConstArrayView& part)>;
  void forEach(const std::vector<Box>& boxes, const Look& look, const Control& control) const;

  // See standingOut() in sampled_boxes.h.
  [[nodiscard]] std::vector<Box> standingOut(std::int64_t most, const Control& control) const;

 private:
  void fetchEach(const std::vector<Box>& boxes, const Look& look, const Control& control) const;

  std::shared_ptr<const Volume> host_;  // of an array in host memory
  ResidentArray* array_ = nullptr;      // of one that is not
  ConstArrayView view_{};               // without it
  ElementType type_;
  std::array<std::int64_t, 4> extent_;
};

}  // namespace sscope
