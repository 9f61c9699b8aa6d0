#include "gpu/run/device_array.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "gpu/device/device.h"
#include "gpu/run/array_summary.h"
#include "gpu/run/device_engine.h"

namespace sscope {

namespace {

constexpr std::size_t kBoxesPerLaunch = 3;  // of array_gather
constexpr std::int64_t kItems = 256;

std::int64_t sizeOf(ElementType type) { return static_cast<std::int64_t>(bytesOf(type)); }

std::int64_t bytesOf(const BoxCopy& piece) { return piece.to.elements() * sizeOf(piece.to.type); }

// Appends the parts of a box that are small enough to be gathered.
void cut(const BoxCopy& whole, std::vector<BoxCopy>& pieces) {
  if (bytesOf(whole) <= ResultStore::kStagedBytes) {
    pieces.push_back(whole);
    return;
  }
  const std::size_t axis = whole.to.extent[2] > 1 ? 2 : whole.to.extent[1] > 1 ? 1 : 0;
  const std::int64_t half = whole.to.extent[axis] / 2;
  BoxCopy low = whole, high = whole;
  low.box.end[axis] = high.box.begin[axis] = whole.box.begin[axis] + half;
  low.to.extent[axis] = half;
  high.to.extent[axis] -= half;
  high.to.data += half * whole.to.stride[axis] * sizeOf(whole.to.type);
  cut(low, pieces);
  cut(high, pieces);
}

KernelSource gatherSource(const DeviceProperties& device, ElementType type) {
  KernelSource source{"array_gather", {}, Precision::f32, 1, {std::min(kItems, device.largestGroup), 1}, {}};
  source.define("ELEMENT", "u" + std::to_string(8 * sizeOf(type)));
  return source;
}

std::string gatherName(ElementType type) { return "gather " + std::to_string(sizeOf(type)); }

DeviceKernel& gatherKernel(ResultStore& store, ElementType type, const Control& control) {
  std::vector<KernelArgument> idle{kNoBuffer, kNoBuffer, std::int64_t{0}, std::int64_t{0}, std::int64_t{0}};
  for (std::size_t i = 0; i < kBoxesPerLaunch; ++i) {
    idle.emplace_back(std::int64_t{0});
    idle.insert(idle.end(), 3, std::int32_t{0});
  }
  return store.kernel(
      gatherName(type), [&] { return gatherSource(store.engine()->device().properties(), type); }, idle, control);
}

// Gathers at most kBoxesPerLaunch boxes, from element `begin` of `to` on.
KernelLaunch gatherLaunch(DeviceKernel& kernel, std::int64_t items, const ResultClaim& claim, const DeviceBuffer& to,
                          std::int64_t begin, std::span<const BoxCopy> boxes) {
  const auto [nx, ny, nz, nc] = claim.spec.extent;
  static_cast<void>(nz);
  const std::int64_t row = nx * nc, slice = row * ny, components = nc;
  KernelLaunch launch{&kernel, {}, {claim.buffer.get(), &to, begin, row, slice}};
  std::int64_t end = 0;
  for (std::size_t i = 0; i < kBoxesPerLaunch; ++i) {
    const bool there = i < boxes.size();
    const Box box = there ? boxes[i].box : Box{{0, 0, 0}, {1, 1, 1}};
    if (there) end += boxes[i].to.elements();
    launch.arguments.emplace_back(box.begin[2] * slice + box.begin[1] * row + box.begin[0] * components);
    launch.arguments.emplace_back(int32(box.size(0) * components));
    launch.arguments.emplace_back(int32(box.size(1)));
    launch.arguments.emplace_back(int32(end));
  }
  launch.shape = {{(end + items - 1) / items, 1}, {items, 1}, 0};
  return launch;
}

// Gathers `count` voxels that are `step` apart, from the first-th of them on: a box whose lines are one voxel wide, in
// an array whose rows are `step` voxels long.
KernelLaunch strideLaunch(DeviceKernel& kernel, std::int64_t items, const ResultClaim& claim, const DeviceBuffer& to,
                          std::int64_t first, std::int64_t count, std::int64_t step) {
  const std::int64_t components = claim.spec.extent[3], row = step * components;
  const std::int64_t elements = count * components;
  KernelLaunch launch{&kernel, {}, {claim.buffer.get(), &to, std::int64_t{0}, row, std::int64_t{0}}};
  for (std::size_t i = 0; i < kBoxesPerLaunch; ++i) {
    launch.arguments.emplace_back(first * row);
    launch.arguments.emplace_back(int32(components));
    launch.arguments.emplace_back(int32(count));
    launch.arguments.emplace_back(int32(elements));
  }
  launch.shape = {{(elements + items - 1) / items, 1}, {items, 1}, 0};
  return launch;
}

}  // namespace

bool DeviceArray::prepared(const ResultStore& store, ElementType type) { return store.hasKernel(gatherName(type)); }

void DeviceArray::prepare(ResultStore& store, const ArraySpec& spec, const Control& control) {
  static_cast<void>(gatherKernel(store, spec.type, control));
  std::int64_t bytes = 0;
  for (const std::int64_t extent : {spec.extent[0], spec.extent[1], spec.extent[2]}) bytes += spec.bytes() / extent;
  bytes = std::min(bytes, ResultStore::kStagedBytes);
  static_cast<void>(store.gathered(bytes));
  static_cast<void>(store.landed(bytes));
}

std::shared_ptr<const Volume> DeviceArray::copy() const {
  const std::lock_guard lock(claim_->mutex);
  return claim_->copy;
}

std::shared_ptr<ResidentArray> DeviceArray::onHost(const std::shared_ptr<const Volume>& there) const {
  return hostArray(claim_->engine, there);
}

template <class OnDevice, class OnHost>
auto DeviceArray::where(const Control& control, OnDevice&& onDevice, OnHost&& onHost) const {
  if (const auto there = copy()) return onHost(there);
  DeviceEngine* const engine = store_->engine();
  if (engine == nullptr)
    throw Error(ErrorKind::Device, "a result on " + claim_->engine + " is lost, because the engine has ended",
                "compute it again");
  const auto lock = engine->lock(control);
  if (claim_->buffer) {
    store_->noteAsked(*claim_);
    return onDevice(*engine);
  }
  if (const auto there = copy()) return onHost(there);
  throw Error(ErrorKind::Memory,
              "a result is lost: " + claim_->engine + " needed its memory, and there was no room in the host's",
              "compute it again");
}

void DeviceArray::read(std::span<const BoxCopy> boxes, const Control& control) {
  requireBoxes(claim_->spec, boxes);
  where(
      control,
      [&](DeviceEngine& engine) {
        std::vector<BoxCopy> pieces;
        for (const BoxCopy& box : boxes) cut(box, pieces);
        for (std::size_t first = 0; first < pieces.size();) {
          std::int64_t bytes = 0;
          std::size_t count = 0;
          while (first + count < pieces.size() &&
                 (count == 0 || bytes + bytesOf(pieces[first + count]) <= ResultStore::kStagedBytes))
            bytes += bytesOf(pieces[first + count++]);
          readPieces(engine, std::span(pieces).subspan(first, count), control);
          first += count;
        }
      },
      [&](const std::shared_ptr<const Volume>& there) { onHost(there)->read(boxes, control); });
}

// Gathers and reads without the host in between, with one wait.
void DeviceArray::readPieces(DeviceEngine& engine, std::span<const BoxCopy> pieces, const Control& control) const {
  const ElementType type = claim_->spec.type;
  DeviceKernel& kernel = gatherKernel(*store_, type, control);
  const std::int64_t items = std::min(kItems, engine.device().properties().largestGroup);
  std::int64_t bytes = 0;
  for (const BoxCopy& piece : pieces) bytes += bytesOf(piece);
  const DeviceBuffer& gathered = store_->gathered(bytes);
  control.check();
  std::vector<KernelLaunch> launches;
  std::int64_t begin = 0;
  for (std::size_t first = 0; first < pieces.size(); first += kBoxesPerLaunch) {
    const auto some = pieces.subspan(first, std::min(kBoxesPerLaunch, pieces.size() - first));
    launches.push_back(gatherLaunch(kernel, items, *claim_, gathered, begin, some));
    for (const BoxCopy& piece : some) begin += piece.to.elements();
  }
  const std::byte* from = launched(engine, launches, bytes, control).data();
  for (const BoxCopy& piece : pieces) {
    scatterBox(from, piece.to);
    from += bytesOf(piece);
  }
}

std::span<const std::byte> DeviceArray::launched(DeviceEngine& engine, std::span<const KernelLaunch> launches,
                                                 std::int64_t bytes, const Control& control) const {
  const DeviceBuffer& gathered = store_->gathered(bytes);
  const std::span<std::byte> landed = store_->landed(bytes);
  // Both must have ended when this returns or throws.
  const auto gathering = engine.device().launchInRow(launches, Queue::Kernels);
  std::unique_ptr<DeviceEvent> reading;
  try {
    reading = engine.device().read(gathered, 0, landed);
  } catch (...) {
    waitFor(*gathering, {});
    throw;
  }
  waitFor(*reading, {});
  waitFor(*gathering, control);
  return landed;
}

Volume DeviceArray::every(std::int64_t step, const Control& control) {
  const std::int64_t count = voxelsOfEvery(claim_->spec, step);
  return where(
      control,
      [&](DeviceEngine& engine) {
        const std::int64_t components = claim_->spec.extent[3], voxel = components * sizeOf(claim_->spec.type);
        Volume taken({count, 1, 1, static_cast<int>(components)}, claim_->spec.type);
        DeviceKernel& kernel = gatherKernel(*store_, claim_->spec.type, control);
        const std::int64_t items = std::min(kItems, engine.device().properties().largestGroup);
        const std::int64_t most = std::max<std::int64_t>(1, ResultStore::kStagedBytes / voxel);
        for (std::int64_t first = 0; first < count; first += most) {
          const std::int64_t some = std::min(most, count - first);
          const DeviceBuffer& gathered = store_->gathered(some * voxel);
          control.check();
          const KernelLaunch launch = strideLaunch(kernel, items, *claim_, gathered, first, some, step);
          const std::span<const std::byte> landed = launched(engine, {&launch, 1}, some * voxel, control);
          std::memcpy(taken.data() + first * voxel, landed.data(), static_cast<std::size_t>(some * voxel));
        }
        return taken;
      },
      [&](const std::shared_ptr<const Volume>& there) { return onHost(there)->every(step, control); });
}

void DeviceArray::copyTo(const ArrayView& to, const Control& control) {
  const BoxCopy all{wholeBox(claim_->spec), to};
  requireBoxes(claim_->spec, {&all, 1});
  where(
      control, [&](DeviceEngine& engine) { download(engine, to, control); },
      [&](const std::shared_ptr<const Volume>& there) { onHost(there)->copyTo(to, control); });
}

void DeviceArray::download(DeviceEngine& engine, const ArrayView& to, const Control& control) const {
  constexpr std::int64_t kPiece = std::int64_t{64} << 20;
  const std::int64_t slices = claim_->spec.extent[2], sliceBytes = claim_->spec.bytes() / slices;
  const std::int64_t step = std::max<std::int64_t>(1, kPiece / sliceBytes);
  for (std::int64_t z = 0; z < slices; z += step) {
    const std::int64_t count = std::min(step, slices - z);
    engine.transfer().downloadSlices(*claim_->buffer, to, z, count, control, z * sliceBytes);
    control.report(static_cast<double>(z + count) / static_cast<double>(slices), "downloading");
  }
}

ValueRange DeviceArray::range(const Box& box, int component, const Control& control) {
  requireBox(claim_->spec, box);
  return where(
      control, [&](DeviceEngine& /*engine*/) { return ArraySummary(*store_, *claim_, control).range(box, component); },
      [&](const std::shared_ptr<const Volume>& there) { return onHost(there)->range(box, component, control); });
}

std::vector<std::int64_t> DeviceArray::counts(const Box& box, int component, const Bins& bins, const Control& control) {
  requireBox(claim_->spec, box);
  return where(
      control,
      [&](DeviceEngine& /*engine*/) { return ArraySummary(*store_, *claim_, control).counts(box, component, bins); },
      [&](const std::shared_ptr<const Volume>& there) { return onHost(there)->counts(box, component, bins, control); });
}

std::vector<float> DeviceArray::means(const BrickBlocks& blocks, const Control& control) {
  return where(
      control, [&](DeviceEngine& /*engine*/) { return ArraySummary(*store_, *claim_, control).means(blocks); },
      [&](const std::shared_ptr<const Volume>& there) { return onHost(there)->means(blocks, control); });
}

std::shared_ptr<const Volume> DeviceArray::host(const Control& control) {
  return where(
      control,
      [&](DeviceEngine& engine) -> std::shared_ptr<const Volume> {
        if (auto there = copy()) return there;  // another thread has copied it meanwhile
        const auto [nx, ny, nz, nc] = claim_->spec.extent;
        const VolumeShape shape{nx, ny, nz, static_cast<int>(nc)};
        requireMemory(claim_->spec.bytes() - store_->hostMemory().kept());
        auto made = std::make_shared<Volume>(store_->hostMemory().make(shape, claim_->spec.type, {}, 1));
        download(engine, made->view(), control);
        const std::lock_guard lock(claim_->mutex);
        claim_->copy = made;
        return made;
      },
      [](const std::shared_ptr<const Volume>& there) { return there; });
}

}  // namespace sscope
