#include "gpu/device/transfer.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "gpu/device/device.h"

namespace sscope {

namespace {

constexpr std::size_t kWorthStaging = 1 << 20;  // bytes; below, the driver's own copy is as fast

}  // namespace

void Transfer::write(const DeviceBuffer& buffer, std::int64_t offset, std::span<const std::byte> data,
                     const Control& control) {
  if (data.size() < kWorthStaging) {
    if (!data.empty()) waitFor(*device_.write(buffer, offset, data), control);
    return;
  }
  Copies copies(device_, pieces_, control);
  copies.upload(buffer, offset, data);
  copies.waitForAll();
}

void Transfer::read(const DeviceBuffer& buffer, std::int64_t offset, std::span<std::byte> data,
                    const Control& control) {
  if (data.size() < kWorthStaging) {
    if (!data.empty()) waitFor(*device_.read(buffer, offset, data), control);
    return;
  }
  Copies copies(device_, pieces_, control);
  copies.download(buffer, offset, data);
  copies.waitForAll();
}

void Transfer::uploadSlices(const ConstArrayView& view, std::span<const std::int64_t> slices,
                            const DeviceBuffer& buffer, const Control& control) {
  const std::int64_t bytes = sliceBytes(view);
  if (denseSlices(view)) {
    if (static_cast<std::size_t>(bytes) * slices.size() < kWorthStaging) {
      forEachRun(view, slices, [&](std::int64_t place, std::span<const std::byte> run) {
        write(buffer, place * bytes, run, control);
      });
      return;
    }
    Copies copies(device_, pieces_, control);
    forEachRun(view, slices,
               [&](std::int64_t place, std::span<const std::byte> run) { copies.upload(buffer, place * bytes, run); });
    copies.waitForAll();
    return;
  }
  const auto size = bytesOf(view.type);
  std::vector<std::byte> packed(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < slices.size(); ++i) {
    forEachElement(view, slices[i],
                   [&](std::int64_t at, const std::byte* element) { std::memcpy(packed.data() + at, element, size); });
    write(buffer, static_cast<std::int64_t>(i) * bytes, packed, control);
  }
}

void Transfer::downloadSlices(const DeviceBuffer& buffer, const ArrayView& view, std::int64_t first, std::int64_t count,
                              const Control& control, std::int64_t offset) {
  const std::int64_t bytes = sliceBytes(view);
  if (denseSlices(view)) {
    std::vector<std::int64_t> slices(static_cast<std::size_t>(count));
    std::iota(slices.begin(), slices.end(), first);
    if (bytes * count < static_cast<std::int64_t>(kWorthStaging)) {
      forEachRun(view, slices, [&](std::int64_t place, std::span<std::byte> run) {
        read(buffer, offset + place * bytes, run, control);
      });
      return;
    }
    Copies copies(device_, pieces_, control);
    forEachRun(view, slices, [&](std::int64_t place, std::span<std::byte> run) {
      copies.download(buffer, offset + place * bytes, run);
    });
    copies.waitForAll();
    return;
  }
  const auto size = bytesOf(view.type);
  std::vector<std::byte> packed(static_cast<std::size_t>(bytes));
  for (std::int64_t i = 0; i < count; ++i) {
    read(buffer, offset + i * bytes, packed, control);
    forEachElement(view, first + i,
                   [&](std::int64_t at, std::byte* element) { std::memcpy(element, packed.data() + at, size); });
  }
}

}  // namespace sscope
