#!/usr/bin/env bash
# Everything a machine with a GPU is needed for, in one call: builds the headless preset, runs the agreement and
# device tests, checks the CUDA kernels with compute-sanitizer, measures the ceilings and benchmarks every engine.
# With the argument "magic" or "lattice": only the part of the magic filter, or of Wilson's operator and the conjugate
# residual, in some minutes.
# Eight files go to $OUT (default: ./gpu-results): summary.txt, which is also printed, logs and JSON.
#
# Needs g++, CMake, ninja, the OpenCL headers with CLHPP, Catch2, CLI11, nlohmann-json and spdlog. Where oneTBB,
# Highway, Xbyak or Catch2 are missing, put Debian's libtbb-dev libtbb12 libtbbmalloc2 libtbbbind-2-5 libhwy-dev
# libhwy1 libxbyak-dev catch2 packages into .deps/ beside the sources and they are unpacked from there.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
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

export XDG_CACHE_HOME=${TMPDIR:-/tmp}/sscope-cache-$$
trap 'rm -rf "$XDG_CACHE_HOME" "$only_nvidia"' EXIT
only_nvidia=$(mktemp -d)
echo libnvidia-opencl.so.1 > "$only_nvidia/nvidia.icd"
bin=$PWD/build/headless/bin
failed=0

# The tests leave OpenCL on the processor to machines without a GPU; its compiler would take most of the time.
run_tests() {
  echo "== tests"
  OCL_ICD_VENDORS=$only_nvidia ctest --test-dir build/headless --output-on-failure -j 8 > "$out/tests.log" 2>&1
  local status=$?
  grep -E 'tests passed|Failed|Timeout|Not Run|Skipped|SKIPPED' "$out/tests.log" | sort -u | tail -40
  return $status
}

# Invalid accesses and races in the CUDA kernels. Errors that the driver returns are left to the tests, some of which
# provoke them.
sanitize() {
  local sanitizer
  sanitizer=$(PATH=$PATH:/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer command -v compute-sanitizer)
  if [ -z "$sanitizer" ]; then
    echo "== compute-sanitizer: SKIPPED, not found"
    return 0
  fi
  local status=0
  for tool in memcheck racecheck; do
    echo "== compute-sanitizer $tool"
    SSCOPE_TEST_ENGINES=cuda OCL_ICD_VENDORS=$only_nvidia timeout 150 "$sanitizer" --tool "$tool" \
      --report-api-errors no --error-exitcode 9 "$bin/test_gpu" "[tiny],[pictures],[device]" > "$out/sanitizer.$tool" 2>&1
    local ended=$?
    SSCOPE_TEST_ENGINES=cuda timeout 200 "$sanitizer" --tool "$tool" --report-api-errors no --error-exitcode 9 \
      "$bin/test_agreement" "every rung*" >> "$out/sanitizer.$tool" 2>&1
    local ladders=$?
    [ $ladders -eq 0 ] || { status=1; echo "the ladders failed with $ladders"; }
    [ $ended -eq 0 ] || { status=1; echo "failed with $ended"; }
    grep -E 'ERROR SUMMARY|RACECHECK SUMMARY|Invalid|Race reported|test cases|passed|FAILED|SKIPPED' \
      "$out/sanitizer.$tool" | head -12
  done
  cat "$out"/sanitizer.* > "$out/sanitizer.log"
  rm -f "$out"/sanitizer.memcheck "$out"/sanitizer.racecheck
  return $status
}

# Tables into the summary; every figure with its spread into the page.
bench() {
  echo "== sscope bench $*"
  "$bin/sscope" bench "$@" 2>&1
}

# Every rung on both interfaces of the same card, in one run.
ladders() {
  local opencl
  opencl=$("$bin/sscope" devices | awk '/^opencl/ && /NVIDIA/ { print $1; exit }')
  local engines=cuda:0${opencl:+,$opencl}
  for filters in 1 8 32; do
    bench bank --engine "$engines" --variant all --shape 256,256,256 --param filters=$filters
  done
  for filters in 2 3 4 16; do
    bench bank --engine "$engines" --shape 256,256,256 --param filters=$filters
  done
  for size in 3 5 7 9 11 15 21 27 31; do
    bench conv2d --engine "$engines" --variant all --shape 4096,4096 --param width=$size --param height=$size
  done
  bench soup --engine "$engines" --variant all --shape 2048,2048 --report "$out/soup.html"
}

# The magic filter: every rung on both interfaces, the paper's shapes and a large one.
magic() {
  local opencl
  opencl=$("$bin/sscope" devices | awk '/^opencl/ && /NVIDIA/ { print $1; exit }')
  local engines=cuda:0${opencl:+,$opencl}
  for shape in 124,132,130 512,512,512; do
    bench magic --engine "$engines" --variant all --shape $shape
  done
  bench magic --engine "$engines" --variant all --shape 128,128,128
  bench magic --engine "$engines" --variant all --shape 124,132,130 --param direction=inverse
  for transposed in false true; do
    bench magic --engine "$engines" --variant all --shape 124,132,130 --param passes=lines --param transposed=$transposed
  done
  bench magic --engine "$engines" --variant tuned --tune --shape 124,132,130
  bench magic --engine "$engines" --variant tuned --tune --shape 512,512,512
}

# Wilson's operator and the conjugate residual: every rung on both interfaces, the seed's lattice and a large one.
lattice() {
  local opencl
  opencl=$("$bin/sscope" devices | awk '/^opencl/ && /NVIDIA/ { print $1; exit }')
  local engines=cuda:0${opencl:+,$opencl}
  for shape in 16,16,16 32,32,32; do
    bench dirac --engine "$engines" --variant all --shape $shape --param time=$((2 * ${shape%%,*}))
  done
  bench cr --engine "$engines" --variant all --shape 16,16,16 --trace "$out/cr.trace.json"
  bench cr --engine "$engines" --variant tuned --shape 32,32,32 --param time=64 --param iterations=20
}

# As run_tests and sanitize, for the lattice alone.
check_lattice() {
  local status=0
  SSCOPE_TEST_ENGINES=cuda "$bin/test_agreement" "*conjugate residual*,*Wilson*" 2>&1 | tail -4
  [ "${PIPESTATUS[0]}" -eq 0 ] || status=1
  OCL_ICD_VENDORS=$only_nvidia SSCOPE_TEST_ENGINES=opencl "$bin/test_agreement" "*conjugate residual*" 2>&1 | tail -4
  [ "${PIPESTATUS[0]}" -eq 0 ] || status=1
  SSCOPE_TEST_ENGINES=cuda "$bin/test_gpu" "launches in a row*" 2>&1 | tail -4
  [ "${PIPESTATUS[0]}" -eq 0 ] || status=1
  for tool in memcheck racecheck; do
    SSCOPE_TEST_ENGINES=cuda OCL_ICD_VENDORS=$only_nvidia timeout 150 \
      "$(PATH=$PATH:/usr/local/cuda/bin command -v compute-sanitizer)" --tool $tool --report-api-errors no \
      --error-exitcode 9 "$bin/test_agreement" "*conjugate residual agrees*,*operator agrees*" \
      > "$out/sanitizer.$tool" 2>&1 || status=1
    grep -E 'ERROR SUMMARY|RACECHECK SUMMARY|Invalid|Race reported|test cases|passed|FAILED' "$out/sanitizer.$tool" | head -8
  done
  return $status
}

# As run_tests and sanitize, for the magic filter alone.
check_magic() {
  local status=0
  SSCOPE_TEST_ENGINES=cuda "$bin/test_gpu" "*magic filter*,all axes at once*" 2>&1 | tail -4
  [ "${PIPESTATUS[0]}" -eq 0 ] || status=1
  OCL_ICD_VENDORS=$only_nvidia SSCOPE_TEST_ENGINES=opencl "$bin/test_gpu" "*magic filter*,all axes at once*" 2>&1 | tail -4
  [ "${PIPESTATUS[0]}" -eq 0 ] || status=1
  for tool in memcheck racecheck; do
    SSCOPE_TEST_ENGINES=cuda OCL_ICD_VENDORS=$only_nvidia timeout 100 \
      "$(PATH=$PATH:/usr/local/cuda/bin command -v compute-sanitizer)" --tool $tool --report-api-errors no \
      --error-exitcode 9 "$bin/test_gpu" "*magic filter runs*" > "$out/sanitizer.$tool" 2>&1 || status=1
    grep -E 'ERROR SUMMARY|RACECHECK SUMMARY|Invalid|Race reported|test cases|passed|FAILED' "$out/sanitizer.$tool" | head -8
  done
  return $status
}

everything() {
  if [ "${1:-}" = magic ]; then
    check_magic || failed=1
    magic
    return
  fi
  if [ "${1:-}" = lattice ]; then
    check_lattice || failed=1
    lattice
    return
  fi
  "$bin/sscope" devices
  run_tests || failed=1
  sanitize || failed=1
  echo "== ceilings"
  "$bin/sscope" devices --measure --json "$out/devices.json"
  bench filter --engine all --shape 256,256,256 --param filter=gaussian:sigma=2
  bench filter --engine all --shape 256,256,256 --param filter=laplacian:neighbors=corners
  bench filter --engine all --variant dense --shape 4096,4096 --param filter=box:size=7
  ladders
  magic
  lattice
}
# Not a pipe, which would lose `failed`.
everything "$@" > >(tee "$out/summary.txt") 2>&1
wait $!
exit $failed
