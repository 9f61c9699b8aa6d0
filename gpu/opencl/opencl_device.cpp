#include "gpu/opencl/opencl_device.h"

#include <algorithm>
#include <mutex>
#include <sstream>

#include "gpu/opencl/opencl_error.h"
#include "gpu/opencl/opencl_headers.h"

namespace sscope {

namespace {

// Runs `f`, turning OpenCL's exceptions into ours.
template <class F>
decltype(auto) guarded(const std::string& device, const char* what, F&& f) {
  try {
    return f();
  } catch (const cl::Error& error) {
    throw openClError(device, what, error.err());
  }
}

struct OpenClBuffer : DeviceBuffer {
  OpenClBuffer(cl::Buffer b, std::int64_t n) : buffer(std::move(b)), size(n) {}
  [[nodiscard]] std::int64_t bytes() const override { return size; }
  cl::Buffer buffer;
  std::int64_t size;
};

const cl::Buffer& unwrap(const DeviceBuffer& buffer) { return dynamic_cast<const OpenClBuffer&>(buffer).buffer; }

class OpenClEvent : public DeviceEvent {
 public:
  OpenClEvent(cl::Event event, std::string device, const char* what)
      : event_(std::move(event)), device_(std::move(device)), what_(what) {}
  bool done() override {
    const auto status = guarded(device_, what_, [&] { return event_.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>(); });
    if (status < 0) throw openClError(device_, what_, status);
    return status == CL_COMPLETE;
  }
  double seconds() override {
    if (!done()) return 0;
    return guarded(device_, "tell the time", [&] {
      const auto start = event_.getProfilingInfo<CL_PROFILING_COMMAND_START>();
      const auto end = event_.getProfilingInfo<CL_PROFILING_COMMAND_END>();
      return end > start ? static_cast<double>(end - start) * 1e-9 : 0.0;
    });
  }

 private:
  cl::Event event_;
  std::string device_;
  const char* what_;
};

struct OpenClKernel : DeviceKernel {
  explicit OpenClKernel(cl::Kernel k) : kernel(std::move(k)) {}
  cl::Kernel kernel;
};

class OpenClProgram : public DeviceProgram {
 public:
  OpenClProgram(cl::Program program, std::string device) : program_(std::move(program)), device_(std::move(device)) {}
  std::unique_ptr<DeviceKernel> kernel(const std::string& entry) override {
    return guarded(device_, "make a kernel of its program",
                   [&] { return std::make_unique<OpenClKernel>(cl::Kernel(program_, entry.c_str())); });
  }
  std::vector<std::byte> binary() override {
    std::vector<std::byte> bytes;
    try {
      const auto binaries = program_.getInfo<CL_PROGRAM_BINARIES>();
      if (!binaries.empty()) {
        const auto* data = reinterpret_cast<const std::byte*>(binaries[0].data());
        bytes.assign(data, data + binaries[0].size());
      }
    } catch (const cl::Error&) {
      bytes.clear();  // drivers may keep their binaries to themselves
    }
    return bytes;
  }

 private:
  cl::Program program_;
  std::string device_;
};

std::string firstLines(const std::string& text, int count) {
  std::istringstream in(text);
  std::string line, result;
  while (count > 0 && std::getline(in, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    result += (result.empty() ? "" : " | ") + line;
    --count;
  }
  return result.empty() ? "the log is empty" : result;
}

class OpenClDevice : public Device {
 public:
  OpenClDevice(cl::Device device, DeviceProperties properties)
      : device_(std::move(device)), properties_(std::move(properties)) {}

  [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }

  std::unique_ptr<DeviceBuffer> allocate(std::int64_t bytes) override {
    return guarded(properties_.name, "give memory", [&] {
      return std::make_unique<OpenClBuffer>(
          cl::Buffer(context(), CL_MEM_READ_WRITE, static_cast<cl::size_type>(std::max<std::int64_t>(bytes, 16))),
          bytes);
    });
  }

  std::unique_ptr<DeviceProgram> compile(const std::string& name, const std::string& source) override {
    cl::Program program = guarded(properties_.name, "take a program", [&] { return cl::Program(context(), source); });
    try {
      program.build(device_, "-cl-std=CL1.2");
    } catch (const cl::Error& error) {
      std::string log;
      try {
        log = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_);
      } catch (const cl::Error&) {
        log.clear();
      }
      throw Error(ErrorKind::Device,
                  "the kernel " + name + " does not compile on " + properties_.name + " (" + openClCode(error.err()) +
                      "): " + firstLines(log, 4),
                  "choose another variant or engine");
    }
    return std::make_unique<OpenClProgram>(std::move(program), properties_.name);
  }

  std::unique_ptr<DeviceProgram> load(std::span<const std::byte> binary) override {
    const auto* data = reinterpret_cast<const unsigned char*>(binary.data());
    try {
      cl::Program program(context(), {device_}, cl::Program::Binaries{{data, data + binary.size()}});
      program.build(device_, "");
      return std::make_unique<OpenClProgram>(std::move(program), properties_.name);
    } catch (const cl::Error&) {
      return nullptr;
    }
  }

  std::unique_ptr<DeviceEvent> write(const DeviceBuffer& buffer, std::int64_t offset,
                                     std::span<const std::byte> data) override {
    return command("take data", [&](cl::Event& event) {
      queue().enqueueWriteBuffer(unwrap(buffer), CL_FALSE, static_cast<cl::size_type>(offset), data.size(), data.data(),
                                 nullptr, &event);
    });
  }

  std::unique_ptr<DeviceEvent> read(const DeviceBuffer& buffer, std::int64_t offset,
                                    std::span<std::byte> data) override {
    return command("give data", [&](cl::Event& event) {
      queue().enqueueReadBuffer(unwrap(buffer), CL_FALSE, static_cast<cl::size_type>(offset), data.size(), data.data(),
                                nullptr, &event);
    });
  }

  std::unique_ptr<DeviceEvent> launch(DeviceKernel& kernel, const LaunchShape& shape,
                                      std::span<const KernelArgument> arguments) override {
    return command("run a kernel", [&](cl::Event& event) {
      cl::Kernel& k = dynamic_cast<OpenClKernel&>(kernel).kernel;
      for (cl_uint i = 0; i < arguments.size(); ++i)
        std::visit([&](const auto& value) { setArgument(k, i, value); }, arguments[i]);
      const auto size = [](std::int64_t n) { return static_cast<cl::size_type>(n); };
      queue().enqueueNDRangeKernel(
          k, cl::NullRange, cl::NDRange(size(shape.groups[0] * shape.group[0]), size(shape.groups[1] * shape.group[1])),
          cl::NDRange(size(shape.group[0]), size(shape.group[1])), nullptr, &event);
    });
  }

 private:
  template <class T>
  static void setArgument(cl::Kernel& kernel, cl_uint index, const T& value) {
    if constexpr (std::is_same_v<T, const DeviceBuffer*>) {
      kernel.setArg(index, value == nullptr ? cl::Buffer() : unwrap(*value));
    } else {
      kernel.setArg(index, sizeof value, &value);
    }
  }

  template <class F>
  std::unique_ptr<DeviceEvent> command(const char* what, F&& f) {
    return guarded(properties_.name, what, [&] {
      cl::Event event;
      f(event);
      queue().flush();
      return std::make_unique<OpenClEvent>(std::move(event), properties_.name, what);
    });
  }

  const cl::Context& context() {
    std::call_once(contextOnce_, [&] { context_ = cl::Context(device_); });
    return context_;
  }
  const cl::CommandQueue& queue() {
    std::call_once(queueOnce_, [&] { queue_ = cl::CommandQueue(context(), device_, CL_QUEUE_PROFILING_ENABLE); });
    return queue_;
  }

  cl::Device device_;
  DeviceProperties properties_;
  std::once_flag contextOnce_, queueOnce_;
  cl::Context context_;
  cl::CommandQueue queue_;
};

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

DeviceProperties propertiesOf(const cl::Platform& platform, const cl::Device& device) {
  DeviceProperties p;
  p.name = trimmed(device.getInfo<CL_DEVICE_NAME>());
  p.vendor = trimmed(device.getInfo<CL_DEVICE_VENDOR>());
  p.driver = trimmed(platform.getInfo<CL_PLATFORM_NAME>()) + ", driver " +
             trimmed(device.getInfo<CL_DRIVER_VERSION>()) + ", " + trimmed(device.getInfo<CL_DEVICE_VERSION>());
  p.cpu = (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0;
  // The simulator under which the tests run once in a while mixes up its memory when two threads call it.
  p.concurrent = platform.getInfo<CL_PLATFORM_NAME>().find("Oclgrind") == std::string::npos;
  p.fp64 = device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0;
  p.fusedF32 = (device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & CL_FP_FMA) != 0;
  p.computeUnits = static_cast<int>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  p.vectorF32 = std::max(1, static_cast<int>(device.getInfo<CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT>()));
  p.vectorF64 = std::max(1, static_cast<int>(device.getInfo<CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE>()));
  p.memoryBytes = static_cast<std::int64_t>(device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>());
  p.largestAllocation = static_cast<std::int64_t>(device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>());
  p.constantBytes = static_cast<std::int64_t>(device.getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>());
  p.localBytes = static_cast<std::int64_t>(device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>());
  p.largestGroup = static_cast<std::int64_t>(device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>());
  return p;
}

void addDevices(const cl::Platform& platform, OpenClDevices& found) {
  std::vector<cl::Device> devices;
  try {
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    for (const cl::Device& device : devices) {
      if (device.getInfo<CL_DEVICE_AVAILABLE>() == CL_FALSE ||
          device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>() == CL_FALSE)
        continue;
      found.devices.push_back(std::make_unique<OpenClDevice>(device, propertiesOf(platform, device)));
    }
  } catch (const cl::Error& error) {
    if (error.err() != CL_DEVICE_NOT_FOUND)
      found.absentReason = "a platform does not list its devices: " + openClCode(error.err());
  }
}

}  // namespace

OpenClDevices findOpenClDevices() {
  OpenClDevices found;
  constexpr cl_int kNoPlatform = -1001;  // CL_PLATFORM_NOT_FOUND_KHR of the loader
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error& error) {
    found.absentReason = error.err() == kNoPlatform ? "" : "the OpenCL loader failed: " + openClCode(error.err());
  }
  for (const cl::Platform& platform : platforms) addDevices(platform, found);
  if (found.devices.empty() && found.absentReason.empty())
    found.absentReason =
        platforms.empty()
            ? "the OpenCL loader found no driver (/etc/OpenCL/vendors); install one, for example pocl-opencl-icd"
            : "the OpenCL drivers found have no device";
  return found;
}

}  // namespace sscope
