#!/bin/sh
# The count that ./test ends with: every state of a test, the reason of a skip, and the exit status.
set -u
status=0
bad() {
  echo "$1"
  status=1
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/mixed.xml" <<'XML'
<testsuite name="(empty)" tests="4">
	<testcase name="core: good" classname="core: good" time="0.1" status="run">
		<system-out>All tests passed (18 assertions in 1 test case)
</system-out>
	</testcase>
	<testcase name="core: bad" classname="core: bad" time="0.1" status="fail">
		<failure message=""/>
		<system-out>SKIPPED: is not the reason when a test fails
</system-out>
	</testcase>
	<testcase name="io: a &quot;real&quot; file" classname="io" time="0" status="notrun">
		<skipped message="SKIP_RETURN_CODE=4"/>
		<system-out>Filters: io
SKIPPED: the folder &lt;data&gt; is missing
===
</system-out>
	</testcase>
	<testcase name="io: off" classname="io: off" time="0" status="disabled">
		<system-out></system-out>
	</testcase>
</testsuite>
XML
sed -e '/core: bad/,/<\/testcase>/d' "$folder/mixed.xml" >"$folder/good.xml"
echo '<testsuite></testsuite>' >"$folder/none.xml"

mixed=$(.ci/summary "$folder/mixed.xml" "$folder/good.xml") && bad "a failed test gives exit status 0"
[ "$(echo "$mixed" | tail -n 1)" = "2 passed, 1 failed, 4 skipped" ] || bad "the count of two files is wrong: $mixed"
echo "$mixed" | grep -qx 'skipped: io: a "real" file (the folder <data> is missing)' || bad "the reason of a skip is missing: $mixed"
echo "$mixed" | grep -qx 'failed:  core: bad' || bad "the failed test is not named: $mixed"
good=$(.ci/summary "$folder/good.xml") || bad "passed and skipped tests give an error"
[ "$(echo "$good" | tail -n 1)" = "1 passed, 0 failed, 2 skipped" ] || bad "the count of one file is wrong: $good"
.ci/summary "$folder/none.xml" >/dev/null && bad "no tests at all give exit status 0"
exit $status
