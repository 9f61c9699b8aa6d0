#include "core/io/stream/stored_source.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/io/base/chunked_file.h"
#include "core/io/base/file_error.h"
#include "core/io/stream/own_file.h"
#include "core/io/stream/unpacked_bytes.h"
#include "core/io/stream/voxel_bytes.h"
#include "core/volume/array_view.h"

namespace sscope::io {

namespace {

// So much is converted at once.
constexpr std::int64_t kPieceBytes = std::int64_t{1} << 20;

class StoredSource final : public VolumeSource {
 public:
  StoredSource(LocatedVolume located, std::unique_ptr<VoxelBytes> bytes)
      : info_(std::move(located.info)),
        voxels_(std::move(located.voxels)),
        bytes_(std::move(bytes)),
        elementBytes_(static_cast<std::int64_t>(bytesOf(voxels_.type))) {
    const VolumeShape& s = info_.shape;
    axis_ = slowestAxis({s.nx, s.ny, s.nz, s.components});
    planes_ = axis_ == 2 ? s.nz : axis_ == 1 ? s.ny : s.nx;
    planeVoxels_ = s.voxels() / planes_;
    const FrameLayout& layout = voxels_.layout;
    asStored_ = layout.frames == 1 && info_.shape.components == layout.components && voxels_.scale.trivial() &&
                sameElementType(voxels_.type) == info_.type;
  }

  [[nodiscard]] const VolumeInfo& info() const override { return info_; }
  [[nodiscard]] bool anyOrder() const override { return bytes_->anyOrder(); }
  [[nodiscard]] bool plain() const override { return asStored_ && voxels_.packing == Packing::None; }

  void read(std::int64_t begin, std::int64_t end, std::span<std::byte> voxels, const Control& control) override {
    const std::int64_t bytes =
        (end - begin) * planeVoxels_ * info_.shape.components * static_cast<std::int64_t>(sscope::bytesOf(info_.type));
    if (begin < 0 || end < begin || end > planes_ || static_cast<std::int64_t>(voxels.size()) != bytes)
      throw std::logic_error("planes that a file does not have, or no room for them");
    bytes_->requireUnchanged();
    if (asStored_) {
      readStored(begin, end, voxels, control);
    } else {
      for (std::int64_t frame = 0; frame < voxels_.layout.frames; ++frame)
        readFrame(frame, begin, end, voxels, control);
    }
    bytes_->requireUnchanged();
  }

 private:
  void fill(std::span<std::byte> out, std::int64_t offset, const Control& control) const {
    bytes_->read(offset, out, control);
    if (voxels_.swapped) swapBytes(out, static_cast<std::size_t>(elementBytes_));
  }

  void readStored(std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& control) const {
    const std::int64_t planeBytes = planeVoxels_ * voxels_.layout.components * elementBytes_;
    const std::int64_t offset = begin * planeBytes, all = (end - begin) * planeBytes;
    for (std::int64_t done = 0; done < all; done += kPieceBytes) {
      control.check();
      fill(out.subspan(static_cast<std::size_t>(done), static_cast<std::size_t>(std::min(kPieceBytes, all - done))),
           offset + done, control);
    }
  }

  // The chosen components among those that a frame holds.
  void readFrame(std::int64_t frame, std::int64_t begin, std::int64_t end, std::span<std::byte> out,
                 const Control& control) {
    const std::int64_t components = voxels_.layout.components, first = voxels_.firstComponentOf(frame);
    std::vector<std::pair<std::int64_t, std::int64_t>> places;  // component in the frame, component in `out`
    const ChosenComponents& chosen = voxels_.chosen;
    for (std::int64_t c = 0; c < components; ++c) {
      const std::int64_t from = first + c - chosen.first;
      if (from >= 0 && from % chosen.step == 0 && from / chosen.step < chosen.count)
        places.emplace_back(c, from / chosen.step);
    }
    if (places.empty()) return;
    const auto size = static_cast<std::int64_t>(sscope::bytesOf(info_.type));
    const std::int64_t voxelBytes = components * elementBytes_;
    const std::int64_t perPiece = std::max<std::int64_t>(1, kPieceBytes / voxelBytes);
    const std::int64_t count = (end - begin) * planeVoxels_;
    const std::int64_t start = (frame * voxels_.layout.voxels + begin * planeVoxels_) * components * elementBytes_;
    stored_.resize(static_cast<std::size_t>(std::min(perPiece, count) * voxelBytes));
    converted_.resize(static_cast<std::size_t>(std::min(perPiece, count) * components * size));
    for (std::int64_t done = 0; done < count; done += perPiece) {
      control.check();
      const std::int64_t part = std::min(perPiece, count - done);
      const auto piece = std::span(stored_).first(static_cast<std::size_t>(part * voxelBytes));
      fill(piece, start + done * voxelBytes, control);
      convert(voxels_.type, piece, info_.type, converted_.data(), voxels_.scale);
      for (std::int64_t v = 0; v < part; ++v)
        for (const auto& [from, to] : places)
          std::memcpy(out.data() + ((done + v) * info_.shape.components + to) * size,
                      converted_.data() + (v * components + from) * size, static_cast<std::size_t>(size));
    }
  }

  VolumeInfo info_;
  StoredVoxels voxels_;
  std::unique_ptr<VoxelBytes> bytes_;
  std::int64_t elementBytes_;  // of an element in the file
  std::size_t axis_ = 2;
  std::int64_t planes_ = 0, planeVoxels_ = 0;
  bool asStored_ = false;                      // but for the order of bytes
  std::vector<std::byte> stored_, converted_;  // one piece
};

}  // namespace

std::unique_ptr<VolumeSource> openLocated(const std::filesystem::path& program, const std::string& name,
                                          LocatedVolume located) {
  const StoredVoxels& voxels = located.voxels;
  if (voxels.packing != Packing::Planes && !belongsTo(name, voxels.file))
    throw notBySlabs(name, "its voxels lie in a file that does not belong to it");
  const bool packed = voxels.packing != Packing::None;
  if (packed && voxels.layout.frames > 1)
    throw notBySlabs(name, "its frames or components are compressed one after the other");
  auto bytes = packed ? unpackedBytes(program, name, voxels, {}) : storedBytes(name, voxels);
  return std::make_unique<StoredSource>(std::move(located), std::move(bytes));
}

}  // namespace sscope::io
