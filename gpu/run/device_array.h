#pragma once
// An output in a device's memory.

#include <memory>

#include "core/engine/resident_array.h"
#include "gpu/run/result_store.h"

namespace sscope {

class DeviceArray final : public ResidentArray {
 public:
  // The claim's buffer holds the array without gaps, components innermost.
  DeviceArray(std::shared_ptr<ResultStore> store, std::shared_ptr<ResultClaim> claim)
      : store_(std::move(store)), claim_(std::move(claim)) {}
  ~DeviceArray() override {
    claim_->dropped = true;
    // Held while the result is moved to the host, which then is for nothing, but must not be waited for here.
    if (const std::unique_lock lock(claim_->mutex, std::try_to_lock); lock) claim_->copy.reset();
  }
  // Null for arrays in the host's memory.
  [[nodiscard]] static const DeviceArray* of(const ResidentArray& array) {
    return dynamic_cast<const DeviceArray*>(&array);
  }

  // Builds the kernel that read() uses and takes memory for three slices, which read() otherwise does when it is first
  // called. Both under the engine's lock.
  [[nodiscard]] static bool prepared(const ResultStore& store, ElementType type);
  static void prepare(ResultStore& store, const ArraySpec& spec, const Control& control);

  // Where it lies on this engine, as long as the engine's lock is held; null: not there.
  [[nodiscard]] const DeviceBuffer* bufferOn(const DeviceEngine& engine) const {
    if (store_->engine() != &engine || !claim_->buffer) return nullptr;
    store_->noteAsked(*claim_);
    return claim_->buffer.get();
  }

  [[nodiscard]] const ArraySpec& spec() const override { return claim_->spec; }
  [[nodiscard]] const std::string& engine() const override { return claim_->engine; }
  [[nodiscard]] std::int64_t deviceBytes() const override { return claim_->bytes; }
  void read(std::span<const BoxCopy> boxes, const Control& control) override;
  [[nodiscard]] Volume every(std::int64_t step, const Control& control) override;
  void copyTo(const ArrayView& to, const Control& control) override;
  [[nodiscard]] ValueRange range(const Box& box, int component, const Control& control) override;
  [[nodiscard]] std::vector<std::int64_t> counts(const Box& box, int component, const Bins& bins,
                                                 const Control& control) override;
  [[nodiscard]] std::vector<float> means(const BrickBlocks& blocks, const Control& control) override;
  [[nodiscard]] std::shared_ptr<const Volume> host(const Control& control) override;

 private:
  [[nodiscard]] std::shared_ptr<const Volume> copy() const;
  // Calls onHost(copy) when there is a copy on the host, else onDevice(engine) under the engine's lock. Throws when the
  // array is lost.
  template <class OnDevice, class OnHost>
  auto where(const Control& control, OnDevice&& onDevice, OnHost&& onHost) const;
  [[nodiscard]] std::shared_ptr<ResidentArray> onHost(const std::shared_ptr<const Volume>& there) const;
  void readPieces(DeviceEngine& engine, std::span<const BoxCopy> pieces, const Control& control) const;
  // Launches what fills the first bytes of gathered(), reads them to landed() and waits for both once.
  [[nodiscard]] std::span<const std::byte> launched(DeviceEngine& engine, std::span<const KernelLaunch> launches,
                                                    std::int64_t bytes, const Control& control) const;
  void download(DeviceEngine& engine, const ArrayView& to, const Control& control) const;

  std::shared_ptr<ResultStore> store_;
  std::shared_ptr<ResultClaim> claim_;
};

}  // namespace sscope
