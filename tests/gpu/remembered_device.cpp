#include "tests/gpu/remembered_device.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>

#include "core/base/encoding.h"
#include "gpu/device/device.h"
#include "tests/gpu/oclgrind_record.h"
#include "tests/support/oclgrind_device.h"
#include "tests/support/watched_device.h"

namespace sscope::test {

namespace {

using Key = std::uint64_t;

template <class T>
Key mixed(Key key, const T& value) {
  static_assert(std::is_arithmetic_v<T>);
  return hashOf(std::as_bytes(std::span(&value, 1)), key);
}

// Memory of the device, and a key of all that happened to it so far. The memory itself is there once something ran.
struct Memory {
  Key key = 0;
  std::int64_t bytes = 0;
  std::unique_ptr<DeviceBuffer> buffer;
  std::unique_ptr<DeviceImage> image;
};
using MemoryPtr = std::shared_ptr<Memory>;

struct RememberedBuffer : DeviceBuffer {
  [[nodiscard]] std::int64_t bytes() const override { return memory->bytes; }
  MemoryPtr memory = std::make_shared<Memory>();
};

struct RememberedImage : DeviceImage {
  [[nodiscard]] ElementType type() const override { return memory->image->type(); }
  [[nodiscard]] std::int64_t width() const override { return memory->image->width(); }
  [[nodiscard]] std::int64_t height() const override { return memory->image->height(); }
  MemoryPtr memory = std::make_shared<Memory>();
};

const MemoryPtr& memoryOf(const DeviceBuffer& buffer) { return dynamic_cast<const RememberedBuffer&>(buffer).memory; }
const MemoryPtr& memoryOf(const DeviceImage& image) { return dynamic_cast<const RememberedImage&>(image).memory; }

// A program, compiled when one of its kernels runs for the first time.
struct Text {
  std::string name, source;
  Key key = 0;
  std::unique_ptr<DeviceProgram> program;
};

struct Entry {
  std::shared_ptr<Text> text;
  std::string name;
  Key key = 0;
  std::unique_ptr<DeviceKernel> kernel;
};

// An argument of a launch that is put off: what the test holds may be gone when it runs.
struct Argument {
  MemoryPtr memory;
  std::vector<std::byte> bytes;
  KernelArgument value;  // where it is none of these

  [[nodiscard]] KernelArgument now() const {
    if (memory && memory->image) return memory->image.get();
    if (memory) return memory->buffer.get();
    if (std::holds_alternative<const std::vector<std::byte>*>(value)) return &bytes;
    return value;
  }
};

// Something put off. A launch has an entry, a write has data, a copy neither.
struct Command {
  std::vector<MemoryPtr> touched;
  std::shared_ptr<Entry> entry;
  LaunchShape shape;
  std::vector<Argument> arguments;
  std::vector<std::byte> data;
  std::int64_t offset = 0, place = 0, bytes = 0;
};

// Times are always the same, so that they never decide into how many pieces a launch is cut.
struct Done : DeviceEvent {
  bool done() override { return true; }
  double seconds() override { return 1e-6; }
  double startsAfter(DeviceEvent&) override { return 1e-6; }
};

class RememberedDevice : public Device {
 public:
  RememberedDevice(std::unique_ptr<Device> device, OclgrindRecord& record)
      : device_(std::move(device)), record_(record) {}

  [[nodiscard]] const DeviceProperties& properties() const override { return device_->properties(); }

  std::unique_ptr<DeviceBuffer> allocate(std::int64_t bytes) override {
    auto buffer = std::make_unique<RememberedBuffer>();
    buffer->memory->bytes = bytes;
    buffer->memory->key = mixed(record_.salt(), bytes);
    return buffer;
  }
  std::unique_ptr<DeviceImage> allocateImage(ElementType type, std::int64_t width, std::int64_t height) override {
    auto image = std::make_unique<RememberedImage>();
    image->memory->image = device_->allocateImage(type, width, height);
    image->memory->key = mixed(mixed(mixed(record_.salt(), static_cast<int>(type)), width), height);
    return image;
  }
  std::unique_ptr<PinnedMemory> allocatePinned(std::int64_t bytes) override { return device_->allocatePinned(bytes); }

  std::unique_ptr<DeviceProgram> compile(const std::string& name, const std::string& source) override {
    auto text = std::make_shared<Text>();
    text->name = name;
    text->source = source;
    text->key = hashOf(source, record_.salt());
    return std::make_unique<Program>(*this, std::move(text));
  }
  std::unique_ptr<DeviceProgram> load(std::span<const std::byte> /*binary*/) override { return nullptr; }

  std::unique_ptr<DeviceEvent> write(const DeviceBuffer& buffer, std::int64_t offset, std::span<const std::byte> data,
                                     Queue /*queue*/) override {
    const std::scoped_lock lock(mutex_);
    return putOffWrite(memoryOf(buffer), offset, data);
  }
  std::unique_ptr<DeviceEvent> write(const DeviceImage& image, std::span<const std::byte> data) override {
    const std::scoped_lock lock(mutex_);
    return putOffWrite(memoryOf(image), 0, data);
  }

  std::unique_ptr<DeviceEvent> read(const DeviceBuffer& buffer, std::int64_t offset, std::span<std::byte> data,
                                    Queue /*queue*/) override {
    const std::scoped_lock lock(mutex_);
    const MemoryPtr& memory = memoryOf(buffer);
    const Key key = mixed(mixed(mixed(memory->key, 'r'), offset), std::ssize(data));
    if (const auto earlier = record_.find(key)) {
      std::ranges::copy(*earlier, data.begin());
    } else {
      runWhatConcerns({memory});
      waitFor(*device_->read(*memory->buffer, offset, data), {});
      record_.keep(key, data);
    }
    return std::make_unique<Done>();
  }

  std::unique_ptr<DeviceEvent> launch(DeviceKernel& kernel, const LaunchShape& shape,
                                      std::span<const KernelArgument> arguments) override {
    const std::scoped_lock lock(mutex_);
    Command command;
    command.entry = dynamic_cast<Kernel&>(kernel).entry;
    command.shape = shape;
    Key key = command.entry->key;
    for (const Grid& grid : {shape.groups, shape.group}) key = mixed(mixed(mixed(key, grid.x), grid.y), grid.z);
    key = mixed(key, shape.localBytes);
    for (const KernelArgument& value : arguments) {
      command.arguments.push_back(argumentOf(value));
      const Argument& argument = command.arguments.back();
      key = mixed(key, value.index());
      if (argument.memory) {
        key = mixed(key, argument.memory->key);
        command.touched.push_back(argument.memory);
      } else if (!argument.bytes.empty()) {
        key = hashOf(argument.bytes, key);
      } else {
        key = std::visit([&](const auto& v) { return scalar(key, v); }, value);
      }
    }
    const bool known = record_.find(key).has_value();
    record_.count(known);
    for (std::size_t i = 0; i < command.touched.size(); ++i)
      command.touched[i]->key = mixed(mixed(key, command.touched[i]->key), i);
    putOff_.push_back(std::move(command));
    if (!known) {
      const std::vector<MemoryPtr> touched = putOff_.back().touched;
      Command last = std::move(putOff_.back());
      putOff_.pop_back();
      runWhatConcerns(touched);
      run(last);
      record_.keep(key, {});
    }
    return std::make_unique<Done>();
  }

  [[nodiscard]] bool reaches(const Device& other) const override { return &other == this; }
  std::unique_ptr<DeviceEvent> copyTo(const Device& /*other*/, const DeviceBuffer& from, std::int64_t offset,
                                      const DeviceBuffer& to, std::int64_t place, std::int64_t bytes,
                                      Queue /*queue*/) override {
    const std::scoped_lock lock(mutex_);
    Command command;
    command.touched = {memoryOf(from), memoryOf(to)};
    command.offset = offset;
    command.place = place;
    command.bytes = bytes;
    Memory& target = *command.touched[1];
    target.key = mixed(mixed(mixed(mixed(target.key, command.touched[0]->key), offset), place), bytes);
    putOff_.push_back(std::move(command));
    return std::make_unique<Done>();
  }
  void waitIn(Queue /*queue*/, DeviceEvent& /*event*/) override {}

 private:
  struct Kernel : DeviceKernel {
    Kernel(RememberedDevice& d, std::shared_ptr<Entry> e) : device(d), entry(std::move(e)) {}
    [[nodiscard]] KernelAttributes attributes() const override { return device.attributesOf(*entry); }
    RememberedDevice& device;
    std::shared_ptr<Entry> entry;
  };
  struct Program : DeviceProgram {
    Program(RememberedDevice& d, std::shared_ptr<Text> t) : device(d), text(std::move(t)) {}
    std::unique_ptr<DeviceKernel> kernel(const std::string& name) override {
      auto entry = std::make_shared<Entry>();
      entry->text = text;
      entry->name = name;
      entry->key = hashOf(name, text->key);
      return std::make_unique<Kernel>(device, std::move(entry));
    }
    std::vector<std::byte> binary() override { return {}; }
    RememberedDevice& device;
    std::shared_ptr<Text> text;
  };

  template <class T>
  static Key scalar(Key key, const T& value) {
    if constexpr (std::is_arithmetic_v<T>) return mixed(key, value);
    return key;  // no buffer, or no bytes
  }

  static Argument argumentOf(const KernelArgument& value) {
    Argument argument;
    argument.value = value;
    if (const auto* buffer = std::get_if<const DeviceBuffer*>(&value); buffer != nullptr && *buffer != nullptr)
      argument.memory = memoryOf(**buffer);
    else if (const auto* image = std::get_if<const DeviceImage*>(&value))
      argument.memory = memoryOf(**image);
    else if (const auto* bytes = std::get_if<const std::vector<std::byte>*>(&value))
      argument.bytes = **bytes;
    return argument;
  }

  std::unique_ptr<DeviceEvent> putOffWrite(const MemoryPtr& memory, std::int64_t offset,
                                           std::span<const std::byte> data) {
    memory->key = hashOf(data, mixed(mixed(memory->key, 'w'), offset));
    Command command;
    command.touched = {memory};
    command.offset = offset;
    command.data.assign(data.begin(), data.end());
    putOff_.push_back(std::move(command));
    return std::make_unique<Done>();
  }

  DeviceKernel& kernelOf(Entry& entry) {
    if (!entry.text->program) entry.text->program = device_->compile(entry.text->name, entry.text->source);
    if (!entry.kernel) entry.kernel = entry.text->program->kernel(entry.name);
    return *entry.kernel;
  }

  KernelAttributes attributesOf(Entry& entry) {
    const std::scoped_lock lock(mutex_);
    const Key key = mixed(entry.key, 'a');
    KernelAttributes attributes;
    if (const auto earlier = record_.find(key); earlier && earlier->size() == sizeof attributes) {
      std::memcpy(&attributes, earlier->data(), sizeof attributes);
    } else {
      attributes = kernelOf(entry).attributes();
      record_.keep(key, std::as_bytes(std::span(&attributes, 1)));
    }
    return attributes;
  }

  // In order: everything put off on which the contents of these depend. The rest stays where it is.
  void runWhatConcerns(const std::vector<MemoryPtr>& memories) {
    std::set<const Memory*> wanted;
    for (const MemoryPtr& memory : memories) wanted.insert(memory.get());
    std::vector<Command> now;
    for (std::size_t i = putOff_.size(); i-- > 0;) {
      const auto& touched = putOff_[i].touched;
      if (std::ranges::none_of(touched, [&](const MemoryPtr& m) { return wanted.contains(m.get()); })) continue;
      for (const MemoryPtr& memory : touched) wanted.insert(memory.get());
      now.push_back(std::move(putOff_[i]));
      putOff_.erase(putOff_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (auto command = now.rbegin(); command != now.rend(); ++command) run(*command);
    for (const MemoryPtr& memory : memories) makeReal(*memory);
  }

  void makeReal(Memory& memory) {
    if (!memory.buffer && !memory.image) memory.buffer = device_->allocate(memory.bytes);
  }

  void run(Command& command) {
    for (const MemoryPtr& memory : command.touched) makeReal(*memory);
    if (command.entry) {
      std::vector<KernelArgument> arguments;
      for (const Argument& argument : command.arguments) arguments.push_back(argument.now());
      waitFor(*device_->launch(kernelOf(*command.entry), command.shape, arguments), {});
    } else if (command.touched.size() == 2) {
      waitFor(*device_->copyTo(*device_, *command.touched[0]->buffer, command.offset, *command.touched[1]->buffer,
                               command.place, command.bytes, Queue::Kernels),
              {});
    } else if (const Memory& memory = *command.touched[0]; memory.image) {
      waitFor(*device_->write(*memory.image, command.data), {});
    } else {
      waitFor(*device_->write(*memory.buffer, command.offset, command.data, Queue::Kernels), {});
    }
  }

  std::unique_ptr<Device> device_;
  OclgrindRecord& record_;
  std::mutex mutex_;
  std::vector<Command> putOff_;  // in order
};

}  // namespace

std::unique_ptr<Device> remembered(std::unique_ptr<Device> device) {
  OclgrindRecord* record = OclgrindRecord::ofThisRun();
  if (record == nullptr) return device;
  return std::make_unique<RememberedDevice>(std::move(device), *record);
}

std::unique_ptr<Device> observed(std::unique_ptr<Device> device) {
  const bool simulated = isOclgrind(*device);
  auto result = watched(std::move(device));
  return simulated ? remembered(std::move(result)) : std::move(result);
}

}  // namespace sscope::test
