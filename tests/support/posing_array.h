#pragma once
// An array in host memory that passes for one on a device: what is asked of it is counted, and it may be slow.

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "core/engine/resident_array.h"

namespace sscope::test {

class PosingArray : public ResidentArray {
 public:
  explicit PosingArray(std::shared_ptr<const Volume> volume) : array_(hostArray("posing:0", std::move(volume))) {}

  std::mutex busy;                                       // while somebody holds it, everything that is asked waits
  std::atomic<int> wholes = 0, bricks = 0, counted = 0;  // copies of the whole; bricks; histograms
  std::atomic<std::int64_t> bytesRead = 0;               // in boxes and samples

  [[nodiscard]] const ArraySpec& spec() const override { return array_->spec(); }
  [[nodiscard]] const std::string& engine() const override { return array_->engine(); }
  [[nodiscard]] std::int64_t deviceBytes() const override { return array_->spec().bytes(); }
  void read(std::span<const BoxCopy> boxes, const Control& control) override {
    const std::lock_guard lock(busy);
    for (const BoxCopy& box : boxes) bytesRead += box.to.elements() * static_cast<std::int64_t>(bytesOf(box.to.type));
    array_->read(boxes, control);
  }
  [[nodiscard]] Volume every(std::int64_t step, const Control& control) override {
    const std::lock_guard lock(busy);
    Volume taken = array_->every(step, control);
    bytesRead += taken.bytes();
    return taken;
  }
  void copyTo(const ArrayView& to, const Control& control) override {
    ++wholes;
    array_->copyTo(to, control);
  }
  [[nodiscard]] ValueRange range(const Box& box, int component, const Control& control) override {
    const std::lock_guard lock(busy);
    return array_->range(box, component, control);
  }
  [[nodiscard]] std::vector<std::int64_t> counts(const Box& box, int component, const Bins& bins,
                                                 const Control& control) override {
    const std::lock_guard lock(busy);
    ++counted;
    return array_->counts(box, component, bins, control);
  }
  [[nodiscard]] std::vector<float> means(const BrickBlocks& blocks, const Control& control) override {
    const std::lock_guard lock(busy);
    ++bricks;
    return array_->means(blocks, control);
  }
  [[nodiscard]] std::shared_ptr<const Volume> host(const Control& control) override {
    ++wholes;
    return array_->host(control);
  }

 private:
  std::shared_ptr<ResidentArray> array_;
};

}  // namespace sscope::test
