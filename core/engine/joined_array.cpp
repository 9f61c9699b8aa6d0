#include "core/engine/joined_array.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"

namespace sscope {

namespace {

class JoinedArray final : public ResidentArray {
 public:
  JoinedArray(std::string engine, std::size_t axis, std::vector<std::shared_ptr<ResidentArray>> parts)
      : engine_(std::move(engine)), axis_(axis), parts_(std::move(parts)), spec_(parts_.front()->spec()) {
    spec_.extent[axis_] = 0;
    for (const auto& part : parts_) spec_.extent[axis_] += part->spec().extent[axis_];
  }

  [[nodiscard]] const ArraySpec& spec() const override { return spec_; }
  [[nodiscard]] const std::string& engine() const override { return engine_; }
  [[nodiscard]] std::int64_t deviceBytes() const override {
    std::int64_t bytes = 0;
    for (const auto& part : parts_) bytes += part->deviceBytes();
    return bytes;
  }

  void read(std::span<const BoxCopy> boxes, const Control& control) override {
    requireBoxes(spec_, boxes);
    std::vector<BoxCopy> own;
    forParts([&](ResidentArray& part, std::int64_t begin, std::int64_t end) {
      own.clear();
      for (const BoxCopy& one : boxes)
        if (Box box = one.box; clip(box, begin, end)) {
          ArrayView to = one.to;
          to.data += (box.begin[axis_] + begin - one.box.begin[axis_]) * to.stride[axis_] *
                     static_cast<std::int64_t>(bytesOf(to.type));
          to.extent[axis_] = box.end[axis_] - box.begin[axis_];
          own.push_back({box, to});
        }
      if (!own.empty()) part.read(own, control);
    });
  }

  // Few ask for it, and the steps of the parts do not meet: from the whole.
  [[nodiscard]] Volume every(std::int64_t step, const Control& control) override {
    static_cast<void>(voxelsOfEvery(spec_, step));  // checks it
    return hostArray(engine_, host(control))->every(step, control);
  }

  void copyTo(const ArrayView& to, const Control& control) override {
    const BoxCopy all{wholeBox(spec_), to};
    requireBoxes(spec_, {&all, 1});
    const auto planes = static_cast<double>(spec_.extent[axis_]);
    forParts([&](ResidentArray& part, std::int64_t begin, std::int64_t end) {
      ArrayView own = to;
      own.data += begin * to.stride[axis_] * static_cast<std::int64_t>(bytesOf(to.type));
      own.extent[axis_] = end - begin;
      part.copyTo(own, control.part(static_cast<double>(begin) / planes, static_cast<double>(end) / planes));
    });
  }

  [[nodiscard]] ValueRange range(const Box& box, int component, const Control& control) override {
    requireBox(spec_, box);
    ValueRange all;
    forParts([&](ResidentArray& part, std::int64_t begin, std::int64_t end) {
      Box own = box;
      if (!clip(own, begin, end)) return;
      const ValueRange one = part.range(own, component, control);
      if (one.counted > 0) {
        all.least = all.counted > 0 ? std::min(all.least, one.least) : one.least;
        all.most = all.counted > 0 ? std::max(all.most, one.most) : one.most;
      }
      all.nonFinite += one.nonFinite;
      all.counted += one.counted;
    });
    return all;
  }
  [[nodiscard]] std::vector<std::int64_t> counts(const Box& box, int component, const Bins& bins,
                                                 const Control& control) override {
    requireBox(spec_, box);
    std::vector<std::int64_t> all;
    forParts([&](ResidentArray& part, std::int64_t begin, std::int64_t end) {
      Box own = box;
      if (!clip(own, begin, end)) return;
      const std::vector<std::int64_t> one = part.counts(own, component, bins, control);
      all.resize(std::max(all.size(), one.size()));
      for (std::size_t i = 0; i < one.size(); ++i) all[i] += one[i];
    });
    return all;
  }
  // Blocks may reach from one part into the next.
  [[nodiscard]] std::vector<float> means(const BrickBlocks& blocks, const Control& control) override {
    return blockMeans(*host(control), blocks, control);
  }

  [[nodiscard]] std::shared_ptr<const Volume> host(const Control& control) override {
    const std::lock_guard lock(mutex_);
    if (host_) return host_;
    requireMemory(spec_.bytes());
    const auto [nx, ny, nz, nc] = spec_.extent;
    auto volume = std::make_shared<Volume>(VolumeShape{nx, ny, nz, static_cast<int>(nc)}, spec_.type);
    copyTo(volume->view(), control);
    return host_ = std::move(volume);
  }

 private:
  // visit(part, begin, end): its planes in the whole.
  template <class Visit>
  void forParts(const Visit& visit) const {
    std::int64_t begin = 0;
    for (const auto& part : parts_) {
      const std::int64_t end = begin + part->spec().extent[axis_];
      visit(*part, begin, end);
      begin = end;
    }
  }
  // To what lies in [begin, end), counted from there; false: nothing does.
  [[nodiscard]] bool clip(Box& box, std::int64_t begin, std::int64_t end) const {
    box.begin[axis_] = std::max(box.begin[axis_], begin) - begin;
    box.end[axis_] = std::min(box.end[axis_], end) - begin;
    return box.begin[axis_] < box.end[axis_];
  }

  std::string engine_;
  std::size_t axis_;
  std::vector<std::shared_ptr<ResidentArray>> parts_;
  ArraySpec spec_;
  std::mutex mutex_;
  std::shared_ptr<const Volume> host_;
};

}  // namespace

std::shared_ptr<ResidentArray> joinedArray(std::string engine, std::size_t axis,
                                           std::vector<std::shared_ptr<ResidentArray>> parts) {
  return std::make_shared<JoinedArray>(std::move(engine), axis, std::move(parts));
}

}  // namespace sscope
