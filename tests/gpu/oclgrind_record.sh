#!/bin/sh
# usage: oclgrind_record.sh PROGRAM: under Oclgrind a launch that passed is not looked at again, a fault that is planted
# later is found, and nothing is skipped after a run that failed.
set -u
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset SSCOPE_TEST_ALL SSCOPE_TEST_STORE  # the record here is its own
failed=0

# expect STATUS LOOKED KNOWN FAULT: one run, its exit status, how many launches were looked at and how many were known.
expect() {
  SSCOPE_PLANTED=$4 "$here/under_oclgrind" "$folder/record" "$program" "[.planted]" --uninitialized >"$folder/out" 2>&1
  status=$?
  if [ "$status" != "$1" ] || ! grep -q "looked at $2 launches; $3 are unchanged" "$folder/out"; then
    echo "fault '$4' after $5: status $status instead of $1, or not $2 launches looked at and $3 known:"
    cat "$folder/out"
    failed=1
  fi
}

program=$1
expect 0 2 0 none "nothing"
expect 0 0 2 none "a run without complaints"
expect 1 1 1 race "a run without complaints"
expect 1 2 0 race "a run with complaints"
expect 0 2 0 none "a run with complaints"
expect 1 1 1 outside "a run without complaints"
expect 0 2 0 none "a run with complaints"
expect 1 1 1 unwritten "a run without complaints"
[ ! -e "$folder/record" ] || {
  echo "a run with complaints left a record"
  failed=1
}
expect 0 2 0 none "a run with complaints"
expect 0 1 1 size "a run without complaints"
SSCOPE_TEST_ALL=1
export SSCOPE_TEST_ALL
expect 0 2 0 size "a run without complaints, but all are wanted"
exit $failed
