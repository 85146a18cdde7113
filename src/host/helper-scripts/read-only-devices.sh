# Makes the devices of /dev read-only in this mount namespace, for root: root owns them and could change their modes
# for the whole host. Data can still be written to them. In some containers each device is a mount of its own.
mount --rbind /dev /dev && mount -o remount,bind,ro /dev || exit 1
while read -r _ _ _ _ at _; do
  case $at in /dev/*/*) ;; /dev/*) [ ! -c "$at" ] || mount -o remount,bind,ro "$at" || exit 1 ;; esac
done </proc/self/mountinfo
