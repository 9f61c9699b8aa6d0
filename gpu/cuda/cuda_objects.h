#pragma once
// Memory, images and compiled code on a CUDA device, and pinned host memory.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/cuda/session.h"
#include "gpu/device/device.h"

namespace sscope::cuda {

// Memory objects of a CUDA device, and pinned host memory.
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

// Compiled code on a CUDA device.

// Loaded code; kernels keep it.
class LoadedModule {
 public:
  // Takes ownership of the module.
  LoadedModule(std::shared_ptr<Session> session, Module module) : session_(std::move(session)), module_(module) {}
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;
  [[nodiscard]] const Session& session() const { return *session_; }
  [[nodiscard]] Module handle() const { return module_; }

 private:
  std::shared_ptr<Session> session_;
  Module module_;
};

class Kernel : public DeviceKernel {
 public:
  Kernel(std::shared_ptr<const LoadedModule> module, const std::string& entry);
  [[nodiscard]] KernelAttributes attributes() const override;
  [[nodiscard]] Function function() const { return function_; }
  // Dynamic shared memory beyond 48 KiB must be requested.
  void allowLocal(std::int64_t bytes);

 private:
  [[nodiscard]] int attribute(FunctionAttribute attribute) const;

  std::shared_ptr<const LoadedModule> module_;
  Function function_ = nullptr;
  std::int64_t allowedLocal_ = 0;
};

class Program : public DeviceProgram {
 public:
  Program(std::shared_ptr<const LoadedModule> module, std::vector<std::byte> image)
      : module_(std::move(module)), image_(std::move(image)) {}
  std::unique_ptr<DeviceKernel> kernel(const std::string& entry) override {
    return std::make_unique<Kernel>(module_, entry);
  }
  std::vector<std::byte> binary() override { return image_; }

 private:
  std::shared_ptr<const LoadedModule> module_;
  std::vector<std::byte> image_;
};

}  // namespace sscope::cuda
