# Sets times of modification to the nanosecond, which Node cannot. Arguments: seconds and path of each.
while [ $# -gt 0 ]; do
  touch -c -m -d "@$1" -- "$2" || exit 1
  shift 2
done
