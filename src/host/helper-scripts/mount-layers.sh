# Mounts an overlay over each root, prints "ready <pid>", and copies on request until its input ends. Arguments: root,
# upper and work directory of each layer. Descriptors from 10 on are the layers' job directories. A request is "<layer>
# <descriptor>", answered with the errors of cp and "copied <status>". Directories reach the mount options as
# descriptors, so a colon, comma or newline in a path is harmless.
layers=$#
while [ "$layers" -gt 0 ]; do
  exec 3<"$1" 4<"$2" 5<"$3" || exit 1
  directories=lowerdir=/proc/self/fd/3,upperdir=/proc/self/fd/4,workdir=/proc/self/fd/5
  mount -t overlay cordon -o "userxattr,$directories" "$1" || exit 1
  set -- "$@" "$1"
  shift 3
  layers=$((layers - 3))
done
exec 3<&- 4<&- 5<&-
echo "ready $$"
while read -r layer job; do
  eval "root=\${$((layer + 1))}"
  job=/proc/self/fd/$job
  # shellcheck disable=SC2154 # eval sets it.
  (cd "$root" && xargs -0 cp -a --parents --reflink=auto -t "$job/staged" -- <"$job/list") 2>&1
  echo "copied $?"
done
