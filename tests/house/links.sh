#!/bin/sh
# Every relative link of the papers leads somewhere.
set -u
status=0
count=0
for paper in $(find . -name '*.md' -not -path './build/*' -not -path './.git/*'); do
  # [text](target) and [text](target#section), one a line.
  for target in $(grep -oE '\]\([^)# ]+' "$paper" | cut -c 3- | grep -vE '^(https?|mailto):'); do
    count=$((count + 1))
    if [ ! -e "$(dirname "$paper")/$target" ]; then
      echo "$paper links to $target, which does not exist"
      status=1
    fi
  done
done
[ $count -gt 10 ] || { echo "only $count links were found"; status=1; }
exit $status
