#pragma once
// Compiled code on a CUDA device.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/cuda/session.h"
#include "gpu/device/device.h"

namespace sscope::cuda {

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
