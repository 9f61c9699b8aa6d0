#include "core/io/planes/read_planes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/io/base/chunked_file.h"
#include "core/volume/selection.h"

namespace sscope::io {

namespace {

constexpr std::int64_t kPieceBytes = std::int64_t{1} << 20;    // converted at once
constexpr std::int64_t kDecodedBytes = std::int64_t{8} << 20;  // decoded at once

// How many planes are decoded at once: multiples of those that share chunks, where these are not too much to be held.
std::int64_t planesAtOnce(const LocatedVolume& located) {
  constexpr std::int64_t kMostTogether = std::int64_t{128} << 20;
  const std::int64_t plane = located.voxels.runBytes;
  const std::int64_t share = located.together * plane <= kMostTogether ? located.together : 1;
  return std::max<std::int64_t>(1, kDecodedBytes / plane / share) * share;
}

class LocatedPlanes final : public VolumeSource {
 public:
  LocatedPlanes(LocatedVolume located, std::unique_ptr<VoxelBytes> bytes)
      : located_(std::move(located)), bytes_(std::move(bytes)) {
    const VolumeInfo& info = located_.info;
    const StoredVoxels& voxels = located_.voxels;
    planes_ = planesOf(info.shape);
    planeVoxels_ = info.shape.voxels() / planes_;
    valueBytes_ = static_cast<std::int64_t>(sscope::bytesOf(info.type));
    storedBytes_ = static_cast<std::int64_t>(io::bytesOf(voxels.type));
    everything_ = voxels.layout.frames == 1 && info.shape.components == voxels.layout.components && !voxels.symmetric;
    asStored_ = everything_ && voxels.scale.trivial() && sameElementType(voxels.type) == info.type;
  }

  [[nodiscard]] const VolumeInfo& info() const override { return located_.info; }
  [[nodiscard]] bool anyOrder() const override { return bytes_ == nullptr || bytes_->anyOrder(); }
  [[nodiscard]] bool plain() const override { return asStored_ && located_.voxels.packing == Packing::None; }

  void read(std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& control) override {
    const std::int64_t bytes = (end - begin) * planeVoxels_ * located_.info.shape.components * valueBytes_;
    if (begin < 0 || end < begin || end > planes_ || static_cast<std::int64_t>(out.size()) != bytes)
      throw std::logic_error("planes that a file does not have, or no room for them");
    if (bytes_ == nullptr) return readDecoded(begin, end, out, control);
    bytes_->requireUnchanged();
    if (asStored_) {
      readStored(begin, end, out, control);
    } else {
      for (std::int64_t frame = 0; frame < located_.voxels.layout.frames; ++frame)
        readFrame(frame, begin, end, out, control);
    }
    bytes_->requireUnchanged();
  }

 private:
  // Component of a frame in the file, component in the output.
  using Places = std::vector<std::pair<std::int64_t, std::int64_t>>;

  void fill(std::span<std::byte> out, std::int64_t offset, const Control& control) const {
    bytes_->read(offset, out, control);
    if (located_.voxels.swapped) swapBytes(out, static_cast<std::size_t>(storedBytes_));
  }

  void readStored(std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& control) const {
    const std::int64_t planeBytes = planeVoxels_ * located_.voxels.layout.components * storedBytes_;
    const std::int64_t offset = begin * planeBytes, all = (end - begin) * planeBytes;
    for (std::int64_t done = 0; done < all; done += kPieceBytes) {
      control.check();
      fill(out.subspan(static_cast<std::size_t>(done), static_cast<std::size_t>(std::min(kPieceBytes, all - done))),
           offset + done, control);
    }
  }

  void readDecoded(std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& control) {
    if (asStored_) return located_.decode(begin, end, out, control);
    const std::int64_t step = planesAtOnce(located_), plane = located_.voxels.runBytes;
    const Places places = placesOf(0);
    std::vector<std::byte> decoded;
    for (std::int64_t first = begin, last = begin; first < end; first = last) {
      last = located_.onlyWhole.empty() ? std::min(end, first / step * step + step) : end;
      decoded.resize(static_cast<std::size_t>((last - first) * plane));
      located_.decode(first, last, decoded, control);
      place(decoded, places, (first - begin) * planeVoxels_, out);
    }
  }

  // The components of a frame that are chosen.
  [[nodiscard]] Places placesOf(std::int64_t frame) const {
    constexpr std::array<std::int64_t, 9> kUpperTriangle = {0, 1, 2, -1, 3, 4, -1, -1, 5};
    const StoredVoxels& voxels = located_.voxels;
    const ChosenComponents& chosen = voxels.chosen;
    const std::int64_t first = voxels.firstComponentOf(frame);
    Places places;
    for (std::int64_t c = 0; c < voxels.layout.components; ++c) {
      const std::int64_t own = voxels.symmetric ? kUpperTriangle.at(static_cast<std::size_t>(c)) : c;
      const std::int64_t from = first + own - chosen.first;
      if (own >= 0 && from >= 0 && from % chosen.step == 0 && from / chosen.step < chosen.count)
        places.emplace_back(c, from / chosen.step);
    }
    return places;
  }

  void readFrame(std::int64_t frame, std::int64_t begin, std::int64_t end, std::span<std::byte> out,
                 const Control& control) {
    const StoredVoxels& voxels = located_.voxels;
    const Places places = placesOf(frame);
    if (places.empty()) return;
    const std::int64_t components = voxels.layout.components, voxelBytes = components * storedBytes_;
    const std::int64_t perPiece = std::max<std::int64_t>(1, kPieceBytes / voxelBytes);
    const std::int64_t count = (end - begin) * planeVoxels_;
    const std::int64_t start = (frame * voxels.layout.voxels + begin * planeVoxels_) * voxelBytes;
    stored_.resize(static_cast<std::size_t>(std::min(perPiece, count) * voxelBytes));
    for (std::int64_t done = 0; done < count; done += perPiece) {
      control.check();
      const auto piece =
          std::span(stored_).first(static_cast<std::size_t>(std::min(perPiece, count - done) * voxelBytes));
      fill(piece, start + done * voxelBytes, control);
      place(piece, places, done, out);
    }
  }

  // Converts voxels of a frame and puts the chosen components into `out`, from its voxel `at` on.
  void place(std::span<const std::byte> piece, const Places& places, std::int64_t at, std::span<std::byte> out) {
    const StoredVoxels& voxels = located_.voxels;
    const std::int64_t components = voxels.layout.components, kept = located_.info.shape.components;
    std::byte* const to = out.data() + at * kept * valueBytes_;
    if (everything_) return convert(voxels.type, piece, located_.info.type, to, voxels.scale);
    const std::int64_t count = static_cast<std::int64_t>(piece.size()) / (components * storedBytes_);
    converted_.resize(static_cast<std::size_t>(count * components * valueBytes_));
    convert(voxels.type, piece, located_.info.type, converted_.data(), voxels.scale);
    const auto size = static_cast<std::size_t>(valueBytes_);
    for (std::int64_t v = 0; v < count; ++v)
      for (const auto& [from, into] : places)
        std::memcpy(to + (v * kept + into) * valueBytes_, converted_.data() + (v * components + from) * valueBytes_,
                    size);
  }

  LocatedVolume located_;
  std::unique_ptr<VoxelBytes> bytes_;
  std::int64_t planes_ = 0, planeVoxels_ = 0;
  std::int64_t valueBytes_ = 0, storedBytes_ = 0;  // of an element of the volume and in the file
  bool everything_ = false;                        // all components, in the order of the file
  bool asStored_ = false;                          // and not converted
  std::vector<std::byte> stored_, converted_;      // one piece
};

std::unique_ptr<VolumeSource> openHere(LocatedVolume located, const std::string& shown, const Control& control) {
  auto bytes = located.decode && !located.make ? nullptr : openBytes(located, shown, control);
  return openPlanes(std::move(located), std::move(bytes));
}

void readAll(VolumeSource& source, std::span<std::byte> out, const Control& control) {
  source.read(0, planesOf(source.info().shape), out, control);
}

// Reads all pages, arranges them and keeps the chosen components.
void readPages(LocatedVolume located, const std::string& shown, std::byte* out, const Control& control) {
  const ArrangedPages pages = *std::exchange(located.pages, std::nullopt);
  const VolumeInfo arranged = std::exchange(located.info, pages.file);
  located.info.type = arranged.type;
  const VolumeInfo file = located.info;
  const double bytes = claimedBytes(file);
  requireMemory(shown, bytes, 0);
  std::vector<std::byte> read(static_cast<std::size_t>(bytes));
  readAll(*openHere(std::move(located), shown, control), read, control);
  const bool all = arranged.shape.elements() == file.shape.elements();
  if (all) return arrange(file, pages.order, read.data(), out, control);
  std::vector<std::byte> ordered(read.size());
  arrange(file, pages.order, read.data(), ordered.data(), control);
  const std::int64_t components = file.shape.elements() / arranged.shape.voxels();
  copyChosen(ordered.data(), static_cast<std::size_t>(components), pages.chosen,
             static_cast<std::size_t>(arranged.shape.voxels()), sscope::bytesOf(file.type), out, control);
}

}  // namespace

std::unique_ptr<VolumeSource> openPlanes(LocatedVolume located, std::unique_ptr<VoxelBytes> bytes) {
  return std::make_unique<LocatedPlanes>(std::move(located), std::move(bytes));
}

VolumeInfo readWhole(LocatedVolume located, const std::string& shown, const AllocateVoxels& allocate,
                     const Control& control) {
  settleType(located, shown, control);
  VolumeInfo info = located.info;
  std::byte* const out = allocate(info);
  if (out == nullptr) {
    // The size of a file that is not packed is checked all the same.
    if (located.voxels.packing != Packing::Planes && !located.make && located.voxels.further.empty())
      static_cast<void>(openBytes(located, shown, control));
    return info;
  }
  const auto noteRead = located.noteRead;
  if (located.pages) {
    readPages(std::move(located), shown, out, control);
  } else {
    readAll(*openHere(std::move(located), shown, control), {out, static_cast<std::size_t>(claimedBytes(info))},
            control);
  }
  if (noteRead) noteRead(info);
  return info;
}

void sendVoxels(const LocatedVolume& located, const std::string& shown, std::int64_t begin, std::size_t most,
                const std::function<void(std::span<const std::byte>)>& take, const Control& control) {
  std::vector<std::byte> buffer;
  const auto send = [&] {
    for (std::size_t done = 0; done < buffer.size(); done += most)
      take(std::span<const std::byte>(buffer).subspan(done, std::min(most, buffer.size() - done)));
  };
  const StoredVoxels& voxels = located.voxels;
  if (located.decode) {
    const std::int64_t all = voxels.bytes() / voxels.runBytes, step = planesAtOnce(located);
    for (std::int64_t first = begin, last = begin; first < all; first = last) {
      last = std::min(all, first / step * step + step);
      buffer.resize(static_cast<std::size_t>((last - first) * voxels.runBytes));
      located.decode(first, last, buffer, control);
      send();
    }
    return;
  }
  const std::unique_ptr<VoxelBytes> bytes = openBytes(located, shown, control);
  for (std::int64_t done = 0; done < voxels.bytes(); done += static_cast<std::int64_t>(buffer.size())) {
    buffer.resize(static_cast<std::size_t>(std::min<std::int64_t>(kPieceBytes / 4, voxels.bytes() - done)));
    bytes->read(done, buffer, control);
    send();
  }
}

}  // namespace sscope::io
