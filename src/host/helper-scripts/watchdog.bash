# Waits on a pipe that closes at any death of the engine, then kills every process that carries the engine's mark or a
# tag of its commands. Ends at once at the line "bye".
#
# Arguments: the mark (NAME=value), a pattern for the tags, a directory to remove, the engine's pid, the engine's
# process group.
#
# A forked process holds the pipe open until it has become its program, so by then all processes have their marks. The
# search repeats for a while, because a process can fork between being listed and being killed. Killing a group stops it
# at once, however fast it forks; the engine's own group is spared. Last, it removes the directory.
mark=$1 tag=$2 directory=$3 engine=$4 group=$5
IFS= read -r word
[[ $word == bye ]] && exit 0
quiet=0
while ((quiet < 10)); do
  quiet=$((quiet + 1))
  marked=$(grep -lszxF -- "$mark" /proc/[0-9]*/environ; grep -lsE -- "^Max realtime timeout +$tag" /proc/[0-9]*/limits)
  for file in $marked; do
    pid=${file#/proc/} pid=${pid%/*}
    IFS= read -r stat < "/proc/$pid/stat" || continue
    read -r state _ own _ <<< "${stat##*) }"
    [[ $state == Z ]] && continue
    quiet=0
    [[ $own -gt 1 && $own != "$group" ]] && kill -KILL -- "-$own"
    kill -KILL "$pid"
  done
  sleep 0.03
done 2>/dev/null
rm -rf -- "$directory" "$directory-masks"
find /sys/fs/cgroup -depth -type d -name "cordon-$engine-*" -exec rmdir -- {} + 2>/dev/null
