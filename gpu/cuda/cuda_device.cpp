#include "gpu/cuda/cuda_device.h"

#include <mutex>

#include "gpu/cuda/cuda_kernel.h"
#include "gpu/cuda/cuda_memory.h"
#include "gpu/cuda/cuda_properties.h"
#include "gpu/device/image_limits.h"

namespace sscope {

namespace cuda {

namespace {

// An object of the device interface as this backend's own. Throws std::bad_cast for those of other backends.
template <class T, class Object>
T& as(Object& object) {
  return dynamic_cast<T&>(object);
}

// An event of the session for as long as this lives.
class BorrowedEvent {
 public:
  BorrowedEvent(Session& session, bool timed) : session_(session), timed_(timed), event_(session.takeEvent(timed)) {}
  ~BorrowedEvent() { session_.giveBack(event_, timed_); }
  BorrowedEvent(const BorrowedEvent&) = delete;
  BorrowedEvent& operator=(const BorrowedEvent&) = delete;
  [[nodiscard]] Event get() const { return event_; }

 private:
  Session& session_;
  bool timed_;
  Event event_;
};

// The end of a command.
class Command : public DeviceEvent {
 public:
  Command(std::shared_ptr<Session> session, const char* what, bool timed = false)
      : session_(std::move(session)), what_(what), end_(*session_, timed) {}

  void recordEnd(Queue queue) { record(end_, queue); }
  // Of any session.
  [[nodiscard]] Event end() const { return end_.get(); }

  bool done() override {
    session_->use();
    const Result result = session_->api().queryEvent(end_.get());
    if (result == kNotReady) return false;
    session_->check(what_, result);
    return true;
  }
  double seconds() override { return 0; }
  double startsAfter(DeviceEvent& /*earlier*/) override { return 0; }

 protected:
  void record(const BorrowedEvent& event, Queue queue) {
    session_->check(what_, session_->api().recordEvent(event.get(), session_->stream(queue)));
  }
  [[nodiscard]] double between(const BorrowedEvent& first, const BorrowedEvent& second) {
    float milliseconds = 0;
    session_->use();
    session_->check("report the time", session_->api().elapsed(&milliseconds, first.get(), second.get()));
    return static_cast<double>(milliseconds) * 1e-3;
  }

  std::shared_ptr<Session> session_;
  const char* what_;
  BorrowedEvent end_;
};

// A command between two events of a queue for kernels.
class TimedCommand : public Command {
 public:
  TimedCommand(std::shared_ptr<Session> session, const char* what)
      : Command(std::move(session), what, true), start_(*session_, true) {}

  void recordStart(Queue queue) { record(start_, queue); }
  double seconds() override { return done() ? between(start_, end_) : 0; }
  double startsAfter(DeviceEvent& earlier) override { return between(as<TimedCommand>(earlier).start_, start_); }

 private:
  BorrowedEvent start_;
};

// Values of arguments and the pointers to them that a launch takes.
class ArgumentList {
 public:
  explicit ArgumentList(std::span<const KernelArgument> arguments) : handles_(arguments.size()) {
    for (std::size_t i = 0; i < arguments.size(); ++i)
      pointers_.push_back(std::visit([&](const auto& value) { return pointerTo(value, handles_[i]); }, arguments[i]));
  }
  [[nodiscard]] void** data() { return pointers_.data(); }

 private:
  static void* pointerTo(const DeviceBuffer* const& buffer, unsigned long long& handle) {
    handle = buffer == nullptr ? 0 : as<const Buffer>(*buffer).address();
    return &handle;
  }
  static void* pointerTo(const DeviceImage* const& image, unsigned long long& handle) {
    handle = as<const Image>(*image).texture();
    return &handle;
  }
  // The driver only reads them.
  static void* pointerTo(const std::vector<std::byte>* const& structure, unsigned long long&) {
    return const_cast<std::byte*>(structure->data());
  }
  template <class T>
  static void* pointerTo(const T& number, unsigned long long&) {
    return const_cast<T*>(&number);
  }

  std::vector<unsigned long long> handles_;
  std::vector<void*> pointers_;
};

class CudaDevice : public Device {
 public:
  CudaDevice(std::shared_ptr<const Driver> driver, std::shared_ptr<const NvrtcCompiler> compiler, Ordinal ordinal,
             DeviceProperties properties, std::string architecture)
      : driver_(std::move(driver)),
        compiler_(std::move(compiler)),
        ordinal_(ordinal),
        properties_(std::move(properties)),
        architecture_(std::move(architecture)) {}

  [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }

  std::unique_ptr<DeviceBuffer> allocate(std::int64_t bytes) override {
    return std::make_unique<Buffer>(session(), bytes);
  }

  std::unique_ptr<DeviceImage> allocateImage(ElementType type, std::int64_t width, std::int64_t height) override {
    checkImage(properties_, type, width, height);
    return std::make_unique<Image>(session(), type, width, height);
  }

  std::unique_ptr<PinnedMemory> allocatePinned(std::int64_t bytes) override {
    return std::make_unique<Pinned>(session(), bytes);
  }

  std::unique_ptr<DeviceProgram> compile(const std::string& name, const std::string& source) override {
    std::vector<std::byte> image = compiler_->compile(name, source, architecture_);
    Module module = nullptr;
    session()->use();
    session()->check("load a kernel", driver_->api().loadModule(&module, image.data()));
    return program(module, std::move(image));
  }

  std::unique_ptr<DeviceProgram> load(std::span<const std::byte> binary) override {
    Module module = nullptr;
    session()->use();
    if (driver_->api().loadModule(&module, binary.data()) != kSuccess) return nullptr;
    return program(module, {binary.begin(), binary.end()});
  }

  std::unique_ptr<DeviceEvent> write(const DeviceBuffer& buffer, std::int64_t offset, std::span<const std::byte> data,
                                     Queue queue) override {
    return copy("take data", queue, [&](Stream stream) {
      return driver_->api().copyToDevice(addressOf(buffer, offset), data.data(), data.size(), stream);
    });
  }

  std::unique_ptr<DeviceEvent> read(const DeviceBuffer& buffer, std::int64_t offset, std::span<std::byte> data,
                                    Queue queue) override {
    return copy("give data", queue, [&](Stream stream) {
      return driver_->api().copyToHost(data.data(), addressOf(buffer, offset), data.size(), stream);
    });
  }

  std::unique_ptr<DeviceEvent> write(const DeviceImage& image, std::span<const std::byte> data) override {
    checkImageBytes(image, data.size());
    const Copy2d copy = as<const Image>(image).copyFrom(data.data());
    return command("take an image", 0, [&] { return driver_->api().copy2d(&copy, session()->stream()); });
  }

  std::unique_ptr<DeviceEvent> launch(DeviceKernel& kernel, const LaunchShape& shape,
                                      std::span<const KernelArgument> arguments) override {
    const KernelLaunch one{&kernel, shape, {arguments.begin(), arguments.end()}};
    return launchInRow({&one, 1}, Queue::Kernels);
  }

  std::unique_ptr<DeviceEvent> launchInRow(std::span<const KernelLaunch> launches, Queue queue) override {
    for (const KernelLaunch& one : launches) as<Kernel>(*one.kernel).allowLocal(one.shape.localBytes);
    const auto all = [&] {
      Result result = kSuccess;
      for (const KernelLaunch& one : launches)
        if (result == kSuccess)
          result = launchOne(one, one.mayOverlap && &one != launches.data(), session()->stream(queue));
      return result;
    };
    return command("run a kernel", launches.size(), all, queue);
  }

  // One driver serves all of them.
  [[nodiscard]] bool reaches(const Device& other) const override {
    return dynamic_cast<const CudaDevice*>(&other) != nullptr;
  }

  std::unique_ptr<DeviceEvent> copyTo(const Device& /*other*/, const DeviceBuffer& from, std::int64_t offset,
                                      const DeviceBuffer& to, std::int64_t place, std::int64_t bytes,
                                      Queue queue) override {
    const Session& there = as<const Buffer>(to).session();
    session()->openWayTo(there);
    return copy("give data to another device", queue, [&](Stream stream) {
      return driver_->api().copyToPeer(addressOf(to, place), there.context(), addressOf(from, offset),
                                       session()->context(), static_cast<std::size_t>(bytes), stream);
    });
  }

  void waitIn(Queue queue, DeviceEvent& event) override {
    session()->use();
    session()->check("wait for another device",
                     driver_->api().waitEvent(session()->stream(queue), as<Command>(event).end(), 0));
  }

 private:
  static Address addressOf(const DeviceBuffer& buffer, std::int64_t offset) {
    return as<const Buffer>(buffer).address() + static_cast<Address>(offset);
  }

  Result launchOne(const KernelLaunch& launch, bool overlapping, Stream stream) {
    ArgumentList list(launch.arguments);
    const Function function = as<Kernel>(*launch.kernel).function();
    const auto size = [](std::int64_t n) { return static_cast<unsigned>(n); };
    const Grid &n = launch.shape.groups, &m = launch.shape.group;
    const DriverApi& api = driver_->api();
    if (!overlapping || api.launchWith == nullptr || properties_.capabilityMajor < 9)
      return api.launch(function, size(n.x), size(n.y), size(n.z), size(m.x), size(m.y), size(m.z),
                        size(launch.shape.localBytes), stream, list.data(), nullptr);
    LaunchAttribute overlap{LaunchAttribute::kMayOverlap};
    overlap.value.number = 1;
    const LaunchConfiguration configuration{
        size(n.x), size(n.y), size(n.z), size(m.x), size(m.y), size(m.z), size(launch.shape.localBytes),
        stream,    &overlap,  1};
    return api.launchWith(&configuration, function, list.data(), nullptr);
  }

  std::unique_ptr<DeviceProgram> program(Module module, std::vector<std::byte> image) {
    return std::make_unique<Program>(std::make_shared<LoadedModule>(session(), module), std::move(image));
  }

  // Commands of the queues for copies need not stand together: an event that also covers a neighbor comes little later.
  template <class F>
  std::unique_ptr<DeviceEvent> copy(const char* what, Queue queue, F&& f) {
    if (queue == Queue::Kernels) return command(what, 0, [&] { return f(session()->stream()); });
    session()->use();
    auto event = std::make_unique<Command>(session(), what);
    session()->check(what, f(session()->stream(queue)));
    event->recordEnd(queue);
    return event;
  }

  // Queues what `f` queues between two events; `launches` of kernels are timed exactly.
  template <class F>
  std::unique_ptr<DeviceEvent> command(const char* what, std::size_t launches, F&& f, Queue queue = Queue::Kernels) {
    session()->use();
    auto event = std::make_unique<TimedCommand>(session(), what);
    const auto lock = session()->queueLock();
    if (launches > 0 && queue == Queue::Kernels) session()->pauseIfIdle(launches);
    event->recordStart(queue);
    session()->check(what, f());
    event->recordEnd(queue);
    return event;
  }

  const std::shared_ptr<Session>& session() {
    std::call_once(sessionOnce_, [&] {
      session_ = std::make_shared<Session>(driver_, *compiler_, ordinal_, properties_.name, architecture_,
                                           properties_.clockKhz);
    });
    return session_;
  }

  std::shared_ptr<const Driver> driver_;
  std::shared_ptr<const NvrtcCompiler> compiler_;
  Ordinal ordinal_;
  DeviceProperties properties_;
  std::string architecture_;
  std::once_flag sessionOnce_;
  std::shared_ptr<Session> session_;
};

}  // namespace

}  // namespace cuda

CudaDevices findCudaDevices() {
  CudaDevices found;
  try {
    const auto driver = std::make_shared<const cuda::Driver>();
    int count = 0;
    driver->check("driver", "count its devices", driver->api().deviceCount(&count));
    if (count == 0) throw Error(ErrorKind::NotFound, "no CUDA device");
    const auto compiler = std::make_shared<const NvrtcCompiler>(driver->cudaVersion());
    for (int i = 0; i < count; ++i) {
      cuda::Ordinal ordinal = 0;
      driver->check("cuda:" + std::to_string(i), "be found", driver->api().device(&ordinal, i));
      DeviceProperties properties = cuda::propertiesOf(*driver, ordinal);
      std::string architecture;
      try {
        architecture = compiler->architectureFor(10 * properties.capabilityMajor + properties.capabilityMinor);
      } catch (const Error& error) {
        found.absentReason = properties.name + ": " + error.what();
        continue;  // another device may be newer
      }
      properties.driver = cuda::driverName(*driver) + ", NVRTC " + compiler->version() + ", " + architecture;
      found.devices.push_back(std::make_unique<cuda::CudaDevice>(driver, compiler, ordinal, std::move(properties),
                                                                 std::move(architecture)));
    }
  } catch (const Error& error) {
    found.absentReason = error.what();
  }
  return found;
}

}  // namespace sscope
