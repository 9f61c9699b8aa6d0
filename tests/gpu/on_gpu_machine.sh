#!/usr/bin/env bash
# Everything a machine with a GPU is needed for, in one call: builds the headless preset, runs the agreement and
# device tests, measures the ceilings and benchmarks every engine. Logs and JSON go to $OUT (default: ./gpu-results).
#
# Needs g++, CMake, ninja, the OpenCL headers with CLHPP, Catch2 2.13, CLI11, nlohmann-json and spdlog. Where oneTBB,
# Highway, Xbyak or this Catch2 are missing, put Debian's libtbb-dev libtbb12 libtbbmalloc2 libtbbbind-2-5 libhwy-dev
# libhwy1 libxbyak-dev catch2 packages into .deps/ beside the sources and they are unpacked from there.
set -uo pipefail
cd "$(dirname "$0")/../.."
out=${OUT:-$PWD/gpu-results}
mkdir -p "$out"

if ls .deps/*.deb >/dev/null 2>&1; then
  deps=${TMPDIR:-/tmp}/sscope-deps
  for package in .deps/*.deb; do dpkg -x "$package" "$deps"; done
  export CMAKE_PREFIX_PATH=$deps/usr LD_LIBRARY_PATH=$deps/usr/lib/x86_64-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi

# NVIDIA's OpenCL is often installed but not registered with the ICD loader.
if ! grep -qs nvidia /etc/OpenCL/vendors/*.icd; then
  mkdir -p /etc/OpenCL/vendors && echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd
fi

{
  cmake --preset headless && cmake --build --preset headless -j "$(nproc)"
} > "$out/build.log" 2>&1 || { tail -40 "$out/build.log"; exit 1; }
echo "built"

export XDG_CACHE_HOME=$out/cache
build/headless/bin/sscope devices | tee "$out/devices.txt"
ctest --test-dir build/headless --output-on-failure -j 4 > "$out/tests.log" 2>&1
tested=$?
grep -E 'tests passed|Failed|Not Run|Skipped' "$out/tests.log" | tail -30

sscope=build/headless/bin/sscope
"$sscope" devices --measure --json "$out/devices.json" | tee "$out/ceilings.txt"
bench() {  # name, arguments...
  local name=$1
  shift
  echo "== $name: sscope bench $*"
  "$sscope" bench "$@" --json "$out/$name.json" 2>&1 | tee "$out/$name.txt"
}
bench gaussian-256 filter --engine all --shape 256,256,256 --param filter=gaussian:sigma=2
bench laplacian-256 filter --engine all --shape 256,256,256 --param filter=laplacian:neighbors=corners
bench box7-4096 filter --engine all --variant dense --shape 4096,4096 --param filter=box:size=7
rm -rf "$out/cache"
exit $tested
