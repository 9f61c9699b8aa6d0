#include "gpu/opencl/opencl_device.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <utility>

#include "gpu/device/first_lines.h"
#include "gpu/device/image_limits.h"
#include "gpu/opencl/opencl_binary.h"
#include "gpu/opencl/opencl_error.h"
#include "gpu/opencl/opencl_headers.h"
#include "gpu/opencl/opencl_properties.h"

namespace sscope {

namespace {

// An object of the device interface as this backend's own. Throws std::bad_cast for those of other backends.
template <class T, class Object>
T& as(Object& object) {
  return dynamic_cast<T&>(object);
}

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

const cl::Buffer& unwrap(const DeviceBuffer& buffer) { return as<const OpenClBuffer>(buffer).buffer; }

struct OpenClImage : DeviceImage {
  OpenClImage(cl::Image2D i, ElementType t, std::int64_t w, std::int64_t h)
      : image(std::move(i)), element(t), columns(w), rows(h) {}
  [[nodiscard]] ElementType type() const override { return element; }
  [[nodiscard]] std::int64_t width() const override { return columns; }
  [[nodiscard]] std::int64_t height() const override { return rows; }
  cl::Image2D image;
  ElementType element;
  std::int64_t columns, rows;
};

const OpenClImage& unwrap(const DeviceImage& image) { return as<const OpenClImage>(image); }

// A buffer that the driver keeps in host memory, mapped for as long as it lives.
class OpenClPinned : public PinnedMemory {
 public:
  OpenClPinned(cl::Buffer buffer, cl::CommandQueue queue, std::size_t bytes)
      : buffer_(std::move(buffer)), queue_(std::move(queue)) {
    auto* data = queue_.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes);
    bytes_ = {static_cast<std::byte*>(data), bytes};
  }
  ~OpenClPinned() override {
    try {
      queue_.enqueueUnmapMemObject(buffer_, bytes_.data());
      queue_.finish();
    } catch (const cl::Error&) {
      bytes_ = {};  // a broken device takes its memory with it
    }
  }
  OpenClPinned(const OpenClPinned&) = delete;
  OpenClPinned& operator=(const OpenClPinned&) = delete;
  [[nodiscard]] std::span<std::byte> bytes() const override { return bytes_; }

 private:
  cl::Buffer buffer_;
  cl::CommandQueue queue_;
  std::span<std::byte> bytes_;
};

// From the start of the first command to the end of the last one; they are the same for one alone.
class OpenClEvent : public DeviceEvent {
 public:
  OpenClEvent(cl::Event first, cl::Event last, const DeviceProperties& device, const char* what)
      : first_(std::move(first)), last_(std::move(last)), device_(device.name), onProcessor_(device.cpu), what_(what) {}
  [[nodiscard]] const cl::Event& last() const { return last_; }
  bool done() override {
    const auto status = guarded(device_, what_, [&] { return last_.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>(); });
    if (status < 0) throw openClError(device_, what_, status);
    if (status != CL_COMPLETE) return false;
    // Unlike a look at the status, waiting orders what the command wrote before commands of other queues.
    if (!std::exchange(ordered_, true)) guarded(device_, what_, [&] { last_.wait(); });
    return true;
  }
  [[nodiscard]] bool onProcessor() const override { return onProcessor_; }
  double seconds() override {
    if (!done()) return 0;
    return guarded(device_, "report the time",
                   [&] { return between(start(), last_.getProfilingInfo<CL_PROFILING_COMMAND_END>()); });
  }
  double startsAfter(DeviceEvent& earlier) override {
    return guarded(device_, "report the time", [&] { return between(as<OpenClEvent>(earlier).start(), start()); });
  }

 private:
  [[nodiscard]] cl_ulong start() const { return first_.getProfilingInfo<CL_PROFILING_COMMAND_START>(); }
  static double between(cl_ulong from, cl_ulong to) { return to > from ? static_cast<double>(to - from) * 1e-9 : 0.0; }

  cl::Event first_, last_;
  std::string device_;
  bool onProcessor_, ordered_ = false;
  const char* what_;
};

struct OpenClKernel : DeviceKernel {
  OpenClKernel(cl::Kernel k, cl::Device d, int r) : kernel(std::move(k)), device(std::move(d)), registers(r) {}
  [[nodiscard]] KernelAttributes attributes() const override {
    return guarded(device.getInfo<CL_DEVICE_NAME>(), "describe a kernel", [&] {
      KernelAttributes a;
      a.registers = registers;
      a.localBytes = static_cast<std::int64_t>(kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device));
      a.privateBytes = static_cast<std::int64_t>(kernel.getWorkGroupInfo<CL_KERNEL_PRIVATE_MEM_SIZE>(device));
      a.largestGroup = static_cast<std::int64_t>(kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device));
      return a;
    });
  }
  cl::Kernel kernel;
  cl::Device device;
  int registers;
};

class OpenClProgram : public DeviceProgram {
 public:
  OpenClProgram(cl::Program program, cl::Device device, std::string name, int registers)
      : program_(std::move(program)), device_(std::move(device)), name_(std::move(name)), registers_(registers) {}
  std::unique_ptr<DeviceKernel> kernel(const std::string& entry) override {
    return guarded(name_, "make a kernel of its program", [&] {
      return std::make_unique<OpenClKernel>(cl::Kernel(program_, entry.c_str()), device_, registers_);
    });
  }
  std::vector<std::byte> binary() override {
    try {
      const auto binaries = program_.getInfo<CL_PROGRAM_BINARIES>();
      if (binaries.empty() || binaries[0].empty()) return {};
      return packed({registers_, std::as_bytes(std::span(binaries[0]))});
    } catch (const cl::Error&) {
      return {};  // drivers may keep their binaries to themselves
    }
  }

 private:
  cl::Program program_;
  cl::Device device_;
  std::string name_;
  int registers_;
};

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

  std::unique_ptr<DeviceImage> allocateImage(ElementType type, std::int64_t width, std::int64_t height) override {
    checkImage(properties_, type, width, height);
    const cl::ImageFormat format(CL_R, type == ElementType::u8 ? CL_UNSIGNED_INT8 : CL_FLOAT);
    try {
      return std::make_unique<OpenClImage>(
          cl::Image2D(context(), CL_MEM_READ_ONLY, format, static_cast<cl::size_type>(width),
                      static_cast<cl::size_type>(height)),
          type, width, height);
    } catch (const cl::Error& error) {
      if (error.err() == CL_IMAGE_FORMAT_NOT_SUPPORTED)
        throw Error(ErrorKind::Unsupported, properties_.name + " has no images of " + std::string(toString(type)),
                    "choose another variant");
      throw openClError(properties_.name, "give memory for an image", error.err());
    }
  }

  std::unique_ptr<PinnedMemory> allocatePinned(std::int64_t bytes) override {
    if (properties_.cpu) return nullptr;
    return guarded(properties_.name, "give host memory", [&] {
      const auto size = static_cast<cl::size_type>(bytes);
      return std::make_unique<OpenClPinned>(cl::Buffer(context(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size),
                                            queue(), size);
    });
  }

  std::unique_ptr<DeviceProgram> compile(const std::string& name, const std::string& source) override {
    cl::Program program =
        guarded(properties_.name, "take a program", [&] { return cl::Program(context(), neverSeen(source)); });
    try {
      program.build(device_, ("-cl-std=CL1.2" + verbose() + registerLimit(source)).c_str());
    } catch (const cl::Error& error) {
      throw Error(ErrorKind::Device,
                  "the kernel " + name + " does not compile on " + properties_.name + " (" + openClCode(error.err()) +
                      "): " + firstLines(logOf(program), 4),
                  "choose another variant or engine");
    }
    const int registers = properties_.capabilityMajor > 0 ? toldRegisters(logOf(program)) : 0;
    return std::make_unique<OpenClProgram>(std::move(program), device_, properties_.name, registers);
  }

  std::unique_ptr<DeviceProgram> load(std::span<const std::byte> bytes) override {
    const auto binary = unpacked(bytes);
    if (!binary) return nullptr;
    const auto* data = reinterpret_cast<const unsigned char*>(binary->driver.data());
    try {
      cl::Program program(context(), {device_}, cl::Program::Binaries{{data, data + binary->driver.size()}});
      program.build(device_, "");
      return std::make_unique<OpenClProgram>(std::move(program), device_, properties_.name, binary->registers);
    } catch (const cl::Error&) {
      return nullptr;
    }
  }

  std::unique_ptr<DeviceEvent> write(const DeviceBuffer& buffer, std::int64_t offset, std::span<const std::byte> data,
                                     Queue queue) override {
    return command("take data", queue, [&](const cl::CommandQueue& commands, cl::Event& event) {
      commands.enqueueWriteBuffer(unwrap(buffer), CL_FALSE, static_cast<cl::size_type>(offset), data.size(),
                                  data.data(), nullptr, &event);
    });
  }

  std::unique_ptr<DeviceEvent> read(const DeviceBuffer& buffer, std::int64_t offset, std::span<std::byte> data,
                                    Queue queue) override {
    return command("give data", queue, [&](const cl::CommandQueue& commands, cl::Event& event) {
      commands.enqueueReadBuffer(unwrap(buffer), CL_FALSE, static_cast<cl::size_type>(offset), data.size(), data.data(),
                                 nullptr, &event);
    });
  }

  std::unique_ptr<DeviceEvent> write(const DeviceImage& image, std::span<const std::byte> data) override {
    return command("take an image", Queue::Kernels, [&](const cl::CommandQueue& commands, cl::Event& event) {
      const OpenClImage& target = unwrap(image);
      checkImageBytes(image, data.size());
      commands.enqueueWriteImage(
          target.image, CL_FALSE, {0, 0, 0},
          {static_cast<cl::size_type>(target.columns), static_cast<cl::size_type>(target.rows), 1}, 0, 0,
          const_cast<std::byte*>(data.data()), nullptr, &event);  // older CLHPP asks for void*
    });
  }

  std::unique_ptr<DeviceEvent> launch(DeviceKernel& kernel, const LaunchShape& shape,
                                      std::span<const KernelArgument> arguments) override {
    return command("run a kernel", Queue::Kernels, [&](const cl::CommandQueue& commands, cl::Event& event) {
      delay();
      queueKernel(commands, kernel, shape, arguments, &event);
    });
  }

  std::unique_ptr<DeviceEvent> launchInRow(std::span<const KernelLaunch> launches, Queue queue) override {
    constexpr const char* kWhat = "run kernels";
    return guarded(properties_.name, kWhat, [&] {
      cl::Event first, last;
      const cl::CommandQueue& commands = queueOf(queue);
      if (queue == Queue::Kernels) delay();
      for (std::size_t i = 0; i < launches.size(); ++i)
        queueKernel(commands, *launches[i].kernel, launches[i].shape, launches[i].arguments,
                    i == 0                     ? &first
                    : i + 1 == launches.size() ? &last
                                               : nullptr);
      commands.flush();
      return std::make_unique<OpenClEvent>(first, launches.size() > 1 ? last : first, properties_, kWhat);
    });
  }

  // Each device has a context of its own.
  [[nodiscard]] bool reaches(const Device& other) const override { return &other == this; }

  std::unique_ptr<DeviceEvent> copyTo(const Device& /*other*/, const DeviceBuffer& from, std::int64_t offset,
                                      const DeviceBuffer& to, std::int64_t place, std::int64_t bytes,
                                      Queue queue) override {
    return command("copy data", queue, [&](const cl::CommandQueue& commands, cl::Event& event) {
      const auto size = [](std::int64_t n) { return static_cast<cl::size_type>(n); };
      commands.enqueueCopyBuffer(unwrap(from), unwrap(to), size(offset), size(place), size(bytes), nullptr, &event);
    });
  }

  void waitIn(Queue queue, DeviceEvent& event) override {
    guarded(properties_.name, "wait for a command", [&] {
      const std::vector<cl::Event> before{as<OpenClEvent>(event).last()};
      queueOf(queue).enqueueBarrierWithWaitList(&before);
    });
  }

 private:
  template <class T>
  static void setArgument(cl::Kernel& kernel, cl_uint index, const T& value) {
    if constexpr (std::is_same_v<T, const DeviceBuffer*>) {
      kernel.setArg(index, value == nullptr ? cl::Buffer() : unwrap(*value));
    } else if constexpr (std::is_same_v<T, const DeviceImage*>) {
      kernel.setArg(index, unwrap(*value).image);
    } else if constexpr (std::is_same_v<T, const std::vector<std::byte>*>) {
      kernel.setArg(index, value->size(), value->data());
    } else {
      kernel.setArg(index, sizeof value, &value);
    }
  }

  void queueKernel(const cl::CommandQueue& commands, DeviceKernel& kernel, const LaunchShape& shape,
                   std::span<const KernelArgument> arguments, cl::Event* event) {
    cl::Kernel& k = as<OpenClKernel>(kernel).kernel;
    for (cl_uint i = 0; i < arguments.size(); ++i)
      std::visit([&](const auto& value) { setArgument(k, i, value); }, arguments[i]);
    if (shape.localBytes > 0)
      k.setArg(static_cast<cl_uint>(arguments.size()), static_cast<cl::size_type>(shape.localBytes), nullptr);
    const auto range = [](const Grid& g) {
      const auto size = [](std::int64_t n) { return static_cast<cl::size_type>(n); };
      return cl::NDRange(size(g.x), size(g.y), size(g.z));
    };
    const Grid &n = shape.groups, &m = shape.group;
    commands.enqueueNDRangeKernel(k, cl::NullRange, range({n.x * m.x, n.y * m.y, n.z * m.z}), range(m), nullptr, event);
  }

  template <class F>
  std::unique_ptr<DeviceEvent> command(const char* what, Queue queue, F&& f) {
    return guarded(properties_.name, what, [&] {
      const cl::CommandQueue& commands = queueOf(queue);
      cl::Event event;
      f(commands, event);
      commands.flush();
      return std::make_unique<OpenClEvent>(event, event, properties_, what);
    });
  }

  [[nodiscard]] std::string logOf(const cl::Program& program) const {
    try {
      return program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_);
    } catch (const cl::Error&) {
      return {};
    }
  }

  [[nodiscard]] std::string verbose() const { return properties_.capabilityMajor > 0 ? " -cl-nv-verbose" : ""; }

  // NVIDIA's compiler tells the registers when asked, unless the driver's own cache has the code: a table that no
  // program had before passes that cache by.
  [[nodiscard]] std::string neverSeen(const std::string& source) const {
    if (properties_.capabilityMajor == 0) return source;
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    return source + "\nconstant long compiled_at = " + std::to_string(now) + ";\n";
  }

  // What a kernel asks for by MOST_REGISTERS, see prelude_opencl.h.
  [[nodiscard]] std::string registerLimit(const std::string& source) const {
    constexpr std::string_view kAsked = "#define MOST_REGISTERS ";
    const std::size_t at = source.find(kAsked);
    if (properties_.capabilityMajor == 0 || at == std::string::npos) return {};
    const std::size_t begin = at + kAsked.size();
    return " -cl-nv-maxrregcount=" + source.substr(begin, source.find('\n', begin) - begin);
  }

  // On an idle graphics processor a kernel's start is stamped before its launch has arrived, and a short kernel's time
  // is mostly that of the host. A kernel of a few microseconds before it lets the launch arrive in time
  // (docs/dev/decisions/012-cuda-at-run-time.md). Drivers for processors have no such gap.
  void delay() {
    if (properties_.capabilityMajor == 0) return;
    std::call_once(delayOnce_, [&] {
      cl::Program program(context(), R"(
        kernel void delay(global int* never, int steps) {
          int value = get_global_id(0);
          for (int i = 0; i < steps; ++i) value = value * 1664525 + 1013904223;
          if (value == steps) *never = value;
        })");
      program.build(device_);
      delay_ = cl::Kernel(program, "delay");
      never_ = cl::Buffer(context(), CL_MEM_READ_WRITE, 16);
      delay_.setArg(0, never_);
      delay_.setArg(1, cl_int{2000});  // some eight microseconds
    });
    queue().enqueueNDRangeKernel(delay_, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
  }

  const cl::Context& context() {
    std::call_once(contextOnce_, [&] { context_ = cl::Context(device_); });
    return context_;
  }
  const cl::CommandQueue& queueOf(Queue queue) {
    std::call_once(queuesOnce_, [&] {
      for (cl::CommandQueue& one : queues_) one = cl::CommandQueue(context(), device_, CL_QUEUE_PROFILING_ENABLE);
    });
    return queues_[static_cast<std::size_t>(queue)];
  }
  const cl::CommandQueue& queue() { return queueOf(Queue::Kernels); }

  cl::Device device_;
  DeviceProperties properties_;
  std::once_flag contextOnce_, queuesOnce_, delayOnce_;
  cl::Context context_;
  std::array<cl::CommandQueue, kQueues> queues_;  // by Queue
  cl::Kernel delay_;
  cl::Buffer never_;  // argument of delay_, which does not keep it
};

void addDevices(const cl::Platform& platform, OpenClDevices& found) {
  std::vector<cl::Device> devices;
  try {
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    for (const cl::Device& device : devices) {
      if (device.getInfo<CL_DEVICE_AVAILABLE>() == CL_FALSE ||
          device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>() == CL_FALSE)
        continue;
      found.devices.push_back(std::make_unique<OpenClDevice>(device, openClProperties(platform, device)));
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
  // PoCL ends the whole program when it cannot count the cores, as in a changed root without /sys.
  if (std::error_code ignored; !std::filesystem::exists("/sys/devices/system/cpu", ignored)) {
    found.absentReason = "/sys is not mounted, which OpenCL drivers need to know the machine; mount it";
    return found;
  }
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
