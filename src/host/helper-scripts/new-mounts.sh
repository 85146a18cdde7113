# Begins every script that runs in a new mount namespace: programs of the host only, messages in English.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
