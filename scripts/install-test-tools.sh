#!/usr/bin/env bash
# Installs what the tests of src/posix reach besides this machine's own shells: an OpenSSH server and client, and
# bubblewrap; gcc and libseccomp for the tests of jails; patch, which ours is compared with; tmux, a terminal for the tests of the command line; promtool, which checks metrics; chromium, for
# the tests of the page; and redis-server, for those of clusters. Does nothing where they are there. For Debian and its kin.
set -euo pipefail
missing=()
[ -x /usr/sbin/sshd ] || missing+=(openssh-server)
command -v ssh > /dev/null || missing+=(openssh-client)
command -v bwrap > /dev/null || missing+=(bubblewrap)
command -v dash > /dev/null || missing+=(dash)
command -v gcc > /dev/null || missing+=(gcc libc6-dev)
[ -f /usr/include/seccomp.h ] || missing+=(libseccomp-dev)
command -v tmux > /dev/null || missing+=(tmux)
command -v chromium > /dev/null || missing+=(chromium)
command -v patch > /dev/null || missing+=(patch)
command -v promtool > /dev/null || missing+=(prometheus)
command -v redis-server > /dev/null || missing+=(redis-server)
[ ${#missing[@]} -gt 0 ] || exit 0
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
