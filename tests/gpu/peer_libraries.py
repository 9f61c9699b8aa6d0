"""The libraries that tests/gpu/peers times.

Each has a source and a result on the device: load() and give() copy them from and to the host, compute() queues the
kernels, clear() queues the reading of memory that nobody uses, which empties the caches, pause() what keeps the device
busy while the host queues what follows, mark() an event. Making one raises where its module, a library or the device is
missing.
"""


class Cupy:
    name = "CuPy"

    def __init__(self):
        import cupy
        import cupyx
        import cupyx.scipy.ndimage
        import numpy

        self.numpy, self.cupy, self.cupyx, self.ndimage = numpy, cupy, cupyx, cupyx.scipy.ndimage
        device = cupy.cuda.Device(0)
        self.device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        self.version = cupy.__version__
        self.rubbish = cupy.zeros(max(256 << 20, 4 * device.attributes["L2CacheSize"]) // 4, "f4")
        self.spin = cupy.RawKernel("""
            extern "C" __global__ void spin(long long nanoseconds) {
              unsigned long long begin, now;
              asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
              do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
              while (now - begin < (unsigned long long)nanoseconds);
            }""", "spin")

    def takes(self, case):
        return ""

    def call(self, case):
        if case.rank:
            return case.rank + "_filter"
        return "gaussian_filter" if case.sigma else "correlate"

    def prepare(self, case, data):
        self.case = case
        self.source = self.cupy.empty(data.shape, case.type)
        self.results = [self.cupy.empty(data.shape, case.type) for _ in range(case.filters)]
        self.taps = None if case.filter else [self.cupy.asarray(taps.astype("f4")) for taps in case.taps(self.numpy)]

    def host(self, shape, pinned, kind):
        return self.cupyx.zeros_pinned(shape, kind) if pinned else self.numpy.ones(shape, kind)

    def load(self, data):
        self.source.set(data)

    def compute(self):
        for i, result in enumerate(self.results):
            if self.case.rank:
                filters = {"median": self.ndimage.median_filter, "minimum": self.ndimage.minimum_filter}
                filters[self.case.rank](self.source, self.case.size[::-1], output=result, mode="nearest")
            elif self.case.sigma:
                self.ndimage.gaussian_filter(self.source, self.case.sigma, output=result, mode="nearest", truncate=4.0)
            else:
                self.ndimage.correlate(self.source, self.taps[i], output=result, mode="constant", cval=0.0)

    def give(self, to):
        for result, one in zip(self.results, to, strict=True):
            result.get(out=one, blocking=False)
        self.wait()

    def clear(self):
        self.rubbish.sum()

    def pause(self, seconds):
        self.spin((1,), (1,), (int(1e9 * seconds),))

    def mark(self):
        event = self.cupy.cuda.Event()
        event.record()
        return event

    def reached(self, event):
        return event.done

    def seconds(self, begin, end):
        end.synchronize()
        return 1e-3 * self.cupy.cuda.get_elapsed_time(begin, end)

    def wait(self):
        self.cupy.cuda.get_current_stream().synchronize()

    def kernels(self):
        return []

    def drop(self):
        self.source = self.results = self.taps = None
        self.cupy.get_default_memory_pool().free_all_blocks()
        self.cupy.get_default_pinned_memory_pool().free_all_blocks()


class CuDnn:
    name = "cuDNN"

    def __init__(self):
        import numpy
        import torch

        if not torch.cuda.is_available():
            raise RuntimeError("PyTorch finds no CUDA device")
        if not torch.backends.cudnn.is_available():
            raise RuntimeError("PyTorch has no cuDNN")
        torch.backends.cudnn.allow_tf32 = False
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.benchmark = True  # it times its algorithms at the first call and takes the fastest
        torch.set_grad_enabled(False)
        self.numpy, self.torch = numpy, torch
        properties = torch.cuda.get_device_properties(0)
        self.device = properties.name
        self.version = f"{torch.backends.cudnn.version()}, PyTorch {torch.__version__}"
        cache = getattr(properties, "L2_cache_size", 64 << 20)
        self.rubbish = torch.zeros(max(256 << 20, 4 * cache) // 4, dtype=torch.float32, device="cuda")

    def takes(self, case):
        return f"it has no {case.filter.split(':')[0]}" if case.filter else ""

    def call(self, case):
        return f"conv{len(case.shape)}d"

    def prepare(self, case, data):
        self.case = case
        self.source = self.torch.empty((1, 1, *data.shape), dtype=self.torch.float32, device="cuda")
        taps = self.numpy.stack(case.taps(self.numpy)).astype("f4")[:, None]
        self.taps = self.torch.from_numpy(taps).cuda()
        self.result = None

    def host(self, shape, pinned, kind):
        made = self.torch.ones(shape, dtype=self.torch.uint8 if kind == "u1" else self.torch.float32)
        return (made.pin_memory() if pinned else made).numpy()

    def load(self, data):
        # Asynchronous from pinned memory, which PyTorch knows by its address.
        self.source[0, 0].copy_(self.torch.from_numpy(data), non_blocking=True)

    def compute(self):
        function = self.torch.nn.functional.conv3d if len(self.case.shape) == 3 else self.torch.nn.functional.conv2d
        self.result = None  # its memory serves the next
        self.result = function(self.source, self.taps, padding=tuple(length // 2 for length in self.case.size))

    def give(self, to):
        for i, one in enumerate(to):
            self.torch.from_numpy(one).copy_(self.result[0, i], non_blocking=True)
        self.wait()

    def clear(self):
        self.rubbish.sum()

    def pause(self, seconds):
        self.torch.cuda._sleep(int(2e9 * seconds))  # cycles

    def mark(self):
        event = self.torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def reached(self, event):
        return event.query()

    def seconds(self, begin, end):
        end.synchronize()
        return 1e-3 * begin.elapsed_time(end)

    def wait(self):
        self.torch.cuda.synchronize()

    def kernels(self):
        """The names of what runs on the device."""
        try:
            profiler = self.torch.profiler
            with profiler.profile(activities=[profiler.ProfilerActivity.CUDA]) as seen:
                self.compute()
                self.wait()
            names = {event.name for event in seen.events() if "CUDA" in str(event.device_type)}
            return sorted(name for name in names if not name.startswith(("Memset", "Memcpy")))
        except Exception:  # a figure is one without its kernels' names, too
            return []

    def drop(self):
        self.source = self.result = self.taps = None
        self.torch.cuda.empty_cache()
