#pragma once
// Data in the views, wherever they live.

#include <cstddef>
#include <memory>
#include <utility>

#include "core/engine/resident_array.h"
#include "core/volume/geometry.h"
#include "core/volume/volume.h"

namespace sscope {

struct ShownArray {
  std::shared_ptr<ResidentArray> array;  // null: nothing
  std::shared_ptr<const Volume> host;    // the same where it is in host memory; null: it lives on a device
  Geometry geometry;

  ShownArray() = default;
  ShownArray(std::nullptr_t) {}
  ShownArray(std::shared_ptr<const Volume> volume) {
    if (!volume) return;
    array = hostArray({}, volume);
    geometry = volume->geometry();
    host = std::move(volume);
  }
  ShownArray(std::shared_ptr<ResidentArray> from, const Geometry& of) : array(std::move(from)), geometry(of) {
    if (array && array->deviceBytes() == 0) host = array->host({});  // it is there already
  }
  explicit operator bool() const { return array != nullptr; }
};

}  // namespace sscope
