# Holds a mount namespace: prints "ready", and ends when its input does.
echo ready
read -r _
