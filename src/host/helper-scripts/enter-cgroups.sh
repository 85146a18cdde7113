# Enters cgroups and becomes a program. Arguments: how many files put a process into a cgroup, those files, the
# program and its arguments.
n=$1
while [ "$n" -gt 0 ]; do
  shift
  echo 0 >"$1" || exit 1
  n=$((n - 1))
done
shift
exec "$@"
