# Writes a tar archive with the attributes by which overlayfs notes what was copied up.
# Arguments: the upper directory, a directory with the lists "files" and "directories" (NUL-separated) and an empty
# one, "attributes". cp makes empty files with the attributes of the real ones, so that tar copies no contents.
cd "$1" || exit 1
if [ -s "$2/files" ]; then
  xargs -0 cp -a --attributes-only --parents -t "$2/attributes" -- <"$2/files" || exit 1
fi
tar --format=posix --xattrs --xattrs-include='user.overlay.origin' --no-recursion -cf - --null \
  -C "$1" -T "$2/directories" -C "$2/attributes" -T "$2/files"
