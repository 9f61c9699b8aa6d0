#!/bin/sh
# The scripts at the root parse, explain themselves, and refuse what they do not know.
set -u
status=0
bad() {
  echo "$1"
  status=1
}

for script in bootstrap run test .ci/run .ci/build .ci/jobs .ci/summary tests/support/cases tests/support/with_display docs/screenshots/make tests/pristine tests/pristine_options; do
  [ -x "$script" ] || bad "$script is not executable"
  sh -n "$script" || bad "$script does not parse"
done
for script in bootstrap run test tests/pristine tests/pristine_options; do
  "./$script" --help | grep -q "usage: ./$script" || bad "./$script --help does not explain"
done
for script in bootstrap run tests/pristine tests/pristine_options; do  # ./test hands what it does not know to ctest
  "./$script" --no-such-option >/dev/null 2>&1 && bad "./$script accepts an unknown option"
done
./run no-such-file 2>&1 | grep -q "error: there is no file 'no-such-file'" || bad "./run does not name a missing file"
grep -q 'exec ./test' .ci/run || bad ".ci/run does not call ./test"
[ "$(.ci/jobs)" -ge 1 ] || bad ".ci/jobs gives no number"

if command -v python3 >/dev/null; then
  ./tests/latency --help | grep -q "usage: ./tests/latency" || bad "./tests/latency --help does not explain"
  ./tests/latency --no-such-option >/dev/null 2>&1 && bad "./tests/latency accepts an unknown option"
  ./tests/latency --program no-such-file 2>&1 | grep -q "error: there is no program" ||
    bad "./tests/latency does not name a missing program"

  ./tests/gpu/peers --help | grep -q "usage: ./tests/gpu/peers" || bad "./tests/gpu/peers --help does not explain"
  ./tests/gpu/peers --no-such-option >/dev/null 2>&1 && bad "./tests/gpu/peers accepts an unknown option"
  ./tests/gpu/peers --program no-such-file 2>&1 | grep -q "error: there is no program" ||
    bad "./tests/gpu/peers does not name a missing program"
  without=$(mktemp -d)
  echo 'raise ImportError("not on this machine")' > "$without/numpy.py"
  said=$(PYTHONPATH=$without ./tests/gpu/peers --program /bin/sh 2>&1) || bad "./tests/gpu/peers fails where Python has no NumPy"
  [ "$said" = "peers: skipped, Python has no NumPy: not on this machine" ] ||
    bad "./tests/gpu/peers does not say in a sentence why it is skipped: $said"
  rm -r "$without"
fi
bash -n tests/gpu/on_gpu_machine.sh || bad "tests/gpu/on_gpu_machine.sh does not parse"

list=$(./bootstrap --list test)
for package in cmake libvtk9-dev libinsighttoolkit5-dev qt6-base-dev catch2 xvfb; do
  echo "$list" | grep -qx "$package" || bad "./bootstrap --list test lacks $package"
done
./bootstrap --list headless | grep -qE 'qt|vtk|insight' && bad "the headless group wants Qt, VTK or ITK"
./bootstrap --list no-such-group >/dev/null 2>&1 && bad "./bootstrap accepts an unknown group"
# One script holds the package list.
others=$(grep -lE 'libinsighttoolkit5-dev|libvtk9-dev' run test .ci/* 2>/dev/null)
[ -z "$others" ] || bad "packages are named outside ./bootstrap: $others"
exit $status
