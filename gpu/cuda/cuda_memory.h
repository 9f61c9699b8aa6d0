#pragma once
// Memory objects of a CUDA device, and pinned host memory.

#include <memory>

#include "gpu/cuda/session.h"
#include "gpu/device/device.h"

namespace sscope::cuda {

class Buffer : public DeviceBuffer {
 public:
  // Throws Error(Memory).
  Buffer(std::shared_ptr<Session> session, std::int64_t bytes);
  ~Buffer() override;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  [[nodiscard]] std::int64_t bytes() const override { return bytes_; }
  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] const Session& session() const { return *session_; }

 private:
  std::shared_ptr<Session> session_;
  std::int64_t bytes_;
  Address address_ = 0;
};

// A CUDA array and a texture object that reads it at integer coordinates, clamped to the edge.
class Image : public DeviceImage {
 public:
  // Type u8 or f32.
  Image(std::shared_ptr<Session> session, ElementType type, std::int64_t width, std::int64_t height);
  ~Image() override;
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  [[nodiscard]] ElementType type() const override { return type_; }
  [[nodiscard]] std::int64_t width() const override { return width_; }
  [[nodiscard]] std::int64_t height() const override { return height_; }
  [[nodiscard]] TextureObject texture() const { return texture_; }
  // A copy of the whole image from host memory.
  [[nodiscard]] Copy2d copyFrom(const std::byte* data) const;

 private:
  std::shared_ptr<Session> session_;
  ElementType type_;
  std::int64_t width_, height_;
  ArrayHandle array_ = nullptr;
  TextureObject texture_ = 0;
};

class Pinned : public PinnedMemory {
 public:
  Pinned(std::shared_ptr<Session> session, std::int64_t bytes);
  ~Pinned() override;
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  [[nodiscard]] std::span<std::byte> bytes() const override { return bytes_; }

 private:
  std::shared_ptr<Session> session_;
  std::span<std::byte> bytes_;
};

}  // namespace sscope::cuda
