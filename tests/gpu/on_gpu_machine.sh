#!/usr/bin/env bash
# Everything a machine with a GPU is needed for: builds the headless preset, runs the agreement and device tests, checks
# the CUDA kernels with compute-sanitizer, measures the ceilings and benchmarks every engine.
#
#   on_gpu_machine.sh [tests] [sanitize] [bench] [peers] [ladders] [magic] [lattice] [joined] [devices] [ranks]
#
# runs these parts in the order given, each in some minutes; without arguments all of them. "magic" (the magic filter) and
# "lattice" (Wilson's operator and the conjugate residual) have tests of their own, for when they are run alone. "peers"
# times CuPy and cuDNN beside the filters, where Python has them. "joined" times all CUDA devices against the first, where
# there are two, and "devices" does so for the lattice alone, whose devices exchange halos. "ranks" times sscope-mpi on 1 to 16 ranks of the processor, where there is an mpirun.
# Nine files at most go to $OUT (default: ./gpu-results): summary.txt, which is also printed, logs and JSON.
#
# Needs g++, CMake, ninja, the OpenCL headers with CLHPP, Catch2, CLI11, nlohmann-json and spdlog. Where oneTBB, Highway,
# Xbyak, fmt or Catch2 are missing, put Debian's libtbb-dev libtbb12 libtbbmalloc2 libtbbbind-2-5 libhwy-dev libhwy1
# libxbyak-dev libfmt-dev libfmt9 catch2 packages into .deps/ beside the sources and they are unpacked from there. The
# same goes for Open MPI: openmpi-bin openmpi-common libopenmpi3 libopenmpi-dev libevent-core-2.1-7
# libevent-pthreads-2.1-7 libhwloc15 libpmix2 libmunge2 libfabric1 libucx0 libpsm2-2 libpsm-infinipath1 libibverbs1
# librdmacm1 libnl-3-200 libnl-route-3-200. Another MPI: set MPIRUN, and OPAL_PREFIX where it is not where it was built
# for.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
out=${OUT:-$PWD/gpu-results}
mkdir -p "$out"
all=(tests sanitize bench peers ladders magic lattice joined devices ranks)
parts=("$@")
[ $# -gt 0 ] || parts=("${all[@]}")
for part in "${parts[@]}"; do
  case " ${all[*]} " in *" $part "*) ;; *) echo "unknown part: $part; there are ${all[*]}" >&2; exit 2 ;; esac
done

if ls .deps/*.deb >/dev/null 2>&1; then
  deps=${TMPDIR:-/tmp}/sscope-deps
  for package in .deps/*.deb; do dpkg -x "$package" "$deps"; done
  export CMAKE_PREFIX_PATH=$deps/usr LD_LIBRARY_PATH=$deps/usr/lib/x86_64-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi
# Unpacked, Open MPI has to be told where it is, and its programs have the names that come before alternatives.
mpi=()
if [ -n "${deps:-}" ] && [ -x "$deps/usr/bin/mpirun.openmpi" ]; then
  export OPAL_PREFIX=$deps/usr
  # It says of every rank that it compresses nothing.
  export PMIX_MCA_pcompress_base_silence_warning=1 PMIX_MCA_mca_base_component_show_load_errors=0
  MPIRUN=${MPIRUN:-$deps/usr/bin/mpirun.openmpi}
  mpi=("-DMPI_CXX_COMPILER=$deps/usr/bin/mpicxx.openmpi" "-DSSCOPE_MPIRUN=$MPIRUN")
fi
mpirun=${MPIRUN:-$(command -v mpirun)}

# NVIDIA's OpenCL is often installed but not registered with the ICD loader.
if ! grep -qs nvidia /etc/OpenCL/vendors/*.icd; then
  mkdir -p /etc/OpenCL/vendors && echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd
fi

{
  cmake --preset headless "${mpi[@]}" && cmake --build --preset headless -j "$(nproc)" --target all slider_job
} > "$out/build.log" 2>&1 || { tail -40 "$out/build.log"; exit 1; }
echo "built"

export XDG_CACHE_HOME=${TMPDIR:-/tmp}/sscope-cache-$$
trap 'rm -rf "$XDG_CACHE_HOME" "$only_nvidia"' EXIT
mkdir -p "$XDG_CACHE_HOME"
only_nvidia=$(mktemp -d)
echo libnvidia-opencl.so.1 > "$only_nvidia/nvidia.icd"
bin=$PWD/build/headless/bin
sanitizer=$(PATH=$PATH:/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer command -v compute-sanitizer)
# CUDA and NVIDIA's OpenCL on the same card.
opencl=$("$bin/sscope" devices | awk '/^opencl/ && /NVIDIA/ { print $1; exit }')
engines=cuda:0${opencl:+,$opencl}
failed=0

# The tests leave OpenCL on the processor to machines without a GPU; its compiler would take most of the time.
run_tests() {
  echo "== tests"
  OCL_ICD_VENDORS=$only_nvidia ctest --test-dir build/headless --output-on-failure -j 8 > "$out/tests.log" 2>&1
  local status=$?
  grep -E '% tests passed' "$out/tests.log"
  # The lists at the end: "12 - name (Failed)".
  grep -E '^[[:space:]]+[0-9]+ - .*\)$' "$out/tests.log" | grep -vE '\((Skipped|Disabled)\)$' | head -40
  echo "skipped: $(grep -cE '^[[:space:]]+[0-9]+ - .*\(Skipped\)$' "$out/tests.log")"
  return $status
}

# sanitized SECONDS PROGRAM TESTS: invalid accesses and races in the CUDA kernels. Errors that the driver returns are
# left to the tests, some of which provoke them.
sanitized() {
  if [ -z "$sanitizer" ]; then
    echo "== compute-sanitizer: SKIPPED, not found"
    return 0
  fi
  local status=0 log=$XDG_CACHE_HOME/sanitizer
  for tool in memcheck racecheck; do
    echo "== compute-sanitizer $tool: $2 $3"
    SSCOPE_TEST_ENGINES=cuda OCL_ICD_VENDORS=$only_nvidia timeout "$1" "$sanitizer" --tool $tool \
      --report-api-errors no --error-exitcode 9 "$bin/$2" "$3" > "$log" 2>&1 || { echo "failed with $?"; status=1; }
    grep -E 'ERROR SUMMARY|RACECHECK SUMMARY|Invalid|Race reported|test cases|passed|FAILED|SKIPPED' "$log" | head -12
    cat "$log" >> "$out/sanitizer.log"
  done
  return $status
}

sanitize() {
  local status=0
  sanitized 150 test_gpu "[tiny],[pictures],[device]" || status=1
  sanitized 200 test_agreement "every rung*" || status=1
  return $status
}

# tested ENGINES PROGRAM TESTS
tested() {
  echo "== $2 $3 on $1"
  OCL_ICD_VENDORS=$only_nvidia SSCOPE_TEST_ENGINES=$1 "$bin/$2" "$3" 2>&1 | tail -4
  return "${PIPESTATUS[0]}"
}

# Tables into the summary; every figure with its spread into the page.
bench() {
  echo "== sscope bench $*"
  "$bin/sscope" bench "$@" 2>&1
}

filters() {
  echo "== ceilings"
  "$bin/sscope" devices --measure --json "$out/devices.json"
  bench filter --engine all --shape 256,256,256 --param filter=gaussian:sigma=2
  bench filter --engine all --shape 256,256,256 --param filter=laplacian:neighbors=corners
  bench filter --engine all --variant dense --shape 4096,4096 --param filter=box:size=7
  local eight=() box=filter=box:size=7 separable
  separable=$(sed 's|,|/separable,|g; s|$|/separable|' <<< "$engines")
  for edge in 256 512; do
    "$bin/slider_job" --engine cuda:0 --edge $edge --json "$XDG_CACHE_HOME/job.json"
    cat "$XDG_CACHE_HOME/job.json" >> "$out/jobs.json"
    for sigma in 1.5 2 8; do
      # An engine's first variant, then its passes along one axis after the other.
      bench filter --engine "$engines,$separable" --shape $edge,$edge,$edge --param filter=gaussian:sigma=$sigma
    done
  done
  bench filter --engine "$engines" --variant dense --shape 256,256,256 --param "$box"
  for _ in 1 2 3 4 5 6 7 8; do eight+=(--param "$box"); done
  bench filter --engine "$engines" --variant dense --shape 256,256,256 "${eight[@]}"
  bench filter --engine "$engines" --variant dense --shape 4096,4096 --param filter=box:size=27
  bench filter --engine "$engines" --shape 256,256,256 --param input=u8 --param filter=gaussian:sigma=2
  { printf 'P6\n4096 4096\n255\n'; head -c $((4096 * 4096 * 3)) /dev/urandom; } > "$XDG_CACHE_HOME/rgb.ppm"
  for variant in separable dense; do
    bench filter --engine "$engines" --variant $variant --input "$XDG_CACHE_HOME/rgb.ppm" --param "$box"
  done
}

# Other libraries on the same card, beside the same filters.
peers() {
  echo "== peers"
  command -v python3 >/dev/null || { echo "peers: skipped, there is no python3"; return 0; }
  local status=0
  tests/gpu/peers --program "$bin/sscope" --engine "$engines" --json "$XDG_CACHE_HOME/peers.json" 2>&1 || status=1
  [ ! -f "$XDG_CACHE_HOME/peers.json" ] || cat "$XDG_CACHE_HOME/peers.json" >> "$out/jobs.json"
  return $status
}

# Every rung on both interfaces of the same card, in one run.
ladders() {
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
  for shape in 16,16,16 32,32,32; do
    bench dirac --engine "$engines" --variant all --shape $shape --param time=$((2 * ${shape%%,*}))
  done
  bench cr --engine "$engines" --variant all --shape 16,16,16 --trace "$out/cr.trace.json"
  bench cr --engine "$engines" --variant tuned --shape 32,32,32 --param time=64 --param iterations=20
}

# All CUDA devices at once beside the first; rows are verified, and their kernels find the data on the device.
joined() {
  if [ "$("$bin/sscope" devices | grep -c '^cuda:[0-9]')" -lt 2 ]; then
    echo "joined: skipped, there are fewer than two CUDA devices"
    return 0
  fi
  bench filter --engine cuda:0,cuda:all --shape 512,512,512 --param filter=gaussian:sigma=2 --json "$out/joined.json"
  bench filter --engine cuda:0,cuda:all --variant dense --shape 512,512,512 --param filter=box:size=7
  bench bank --engine cuda:0,cuda:all --shape 512,512,512 --param filters=8
  bench magic --engine cuda:0,cuda:all --shape 512,512,512
}

# As run_tests, for engines that share the work alone.
check_joined() { tested cuda test_agreement "[joined]"; }

# The lattice on all CUDA devices at once beside the first: the same lattice, and twice as many time slices on two.
devices() {
  local count status=0 small=(--shape "32,32,32" --param time=64) large=(--shape "48,48,48" --param iterations=10)
  count=$("$bin/sscope" devices | grep -c '^cuda:[0-9]')
  if [ "$count" -lt 2 ]; then
    echo "devices: skipped, there are fewer than two CUDA devices"
    return 0
  fi
  command -v nvidia-smi >/dev/null && nvidia-smi topo -m
  tested cuda test_gpu "*team*" || status=1
  bench dirac --engine cuda:0,cuda:all "${small[@]}" --json "$XDG_CACHE_HOME/devices.json" || status=1
  cat "$XDG_CACHE_HOME/devices.json" >> "$out/jobs.json"
  bench cr --engine cuda:0,cuda:all "${small[@]}" --param iterations=20 --json "$XDG_CACHE_HOME/devices.json" || status=1
  cat "$XDG_CACHE_HOME/devices.json" >> "$out/jobs.json"
  bench cr --engine cuda:0,cuda:all --variant tuned-f32 "${small[@]}" --param iterations=20 || status=1
  # Twice the lattice on twice the devices.
  bench cr --engine cuda:0 "${large[@]}" --param time=48 || status=1
  bench cr --engine cuda:all "${large[@]}" --param time=$((48 * count)) || status=1
  bench dirac --engine cuda:0 --shape 48,48,48 --param time=48 || status=1
  bench dirac --engine cuda:all --shape 48,48,48 --param time=$((48 * count)) || status=1
  return $status
}

# on_ranks NUMBER ARGUMENTS: sscope-mpi on so many processes of this machine, bound to what `bound` names, as core.
on_ranks() {
  local count=$1
  shift
  echo "== mpirun --bind-to ${bound:-none} -n $count sscope-mpi $*"
  "$mpirun" --allow-run-as-root --oversubscribe --bind-to "${bound:-none}" -n "$count" "$bin/sscope-mpi" "$@" 2>&1 || return 1
  [ ! -f "$XDG_CACHE_HOME/ranks.json" ] || cat "$XDG_CACHE_HOME/ranks.json" >> "$out/jobs.json"
  rm -f "$XDG_CACHE_HOME/ranks.json"
}

# Slabs and lattices on 1 to 16 ranks of a thread each, and the threads of one process beside them.
ranks() {
  if [ -z "$mpirun" ] || [ ! -x "$bin/sscope-mpi" ]; then
    echo "== ranks: SKIPPED, there is no mpirun or no sscope-mpi"
    return 0
  fi
  local cores status=0 lattice=(--shape "32,32,32" --param time=64 --param iterations=2)
  cores=$(nproc)
  [ "$cores" -le 16 ] || cores=16
  on_ranks "$cores" ranks || status=1
  on_ranks "$cores" bench cr --scaling strong "${lattice[@]}" --param threads=1 \
    --json "$XDG_CACHE_HOME/ranks.json" || status=1
  # Ranks that move from core to core may share one, and leave their memory behind.
  local bound
  for bound in none core; do
    on_ranks "$cores" bench filter --scaling weak --shape 256,256,256 --param filter=gaussian:sigma=2 \
      --param threads=1 --json "$XDG_CACHE_HOME/ranks.json" || status=1
  done
  bound=none
  on_ranks "$cores" bench filter --scaling strong --shape 256,256,512 --param filter=gaussian:sigma=2 \
    --param threads=1 || status=1
  on_ranks "$cores" bench magic --scaling weak --shape 256,256,128 --param threads=1 \
    --json "$XDG_CACHE_HOME/ranks.json" || status=1
  on_ranks "$cores" bench dirac --scaling strong --shape 32,32,32 --param time=64 --param threads=1 || status=1
  # CUDA devices that ranks share.
  on_ranks 2 bench dirac --scaling strong --shape 32,32,32 --param time=64 --engine cuda || status=1
  return $status
}

# As run_tests and sanitize, for the lattice alone.
check_lattice() {
  local status=0
  tested cuda test_agreement "*conjugate residual*,*Wilson*" || status=1
  tested opencl test_agreement "*conjugate residual*" || status=1
  tested cuda test_gpu "launches in a row*" || status=1
  sanitized 150 test_agreement "*conjugate residual agrees*,*operator agrees*" || status=1
  return $status
}

# As run_tests and sanitize, for the magic filter alone.
check_magic() {
  local status=0
  tested cuda test_gpu "*magic filter*,all axes at once*" || status=1
  tested opencl test_gpu "*magic filter*,all axes at once*" || status=1
  sanitized 100 test_gpu "*magic filter runs*" || status=1
  return $status
}

everything() {
  local tests_run=
  "$bin/sscope" devices
  for part in "${parts[@]}"; do
    case $part in
      tests) tests_run=yes; run_tests || failed=1 ;;
      sanitize) sanitize || failed=1 ;;
      bench) filters ;;
      peers) peers || failed=1 ;;
      ladders) ladders ;;
      # "tests" holds what is checked here.
      magic) [ -n "$tests_run" ] || check_magic || failed=1; magic ;;
      lattice) [ -n "$tests_run" ] || check_lattice || failed=1; lattice ;;
      joined) [ -n "$tests_run" ] || check_joined || failed=1; joined ;;
      devices) [ -n "$tests_run" ] || check_joined || failed=1; devices || failed=1 ;;
      ranks) ranks || failed=1 ;;
    esac
  done
}
rm -f "$out/sanitizer.log" "$out/jobs.json"
# Not a pipe, which would lose `failed`.
everything > >(tee "$out/summary.txt") 2>&1
wait $!
exit $failed
