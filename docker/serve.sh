#!/bin/sh
# Starts the service as the image does. SERVE_HOSTNAME, SERVE_PORT, SERVE_DATA and SERVE_TOKENS say where, and who may use it;
# STRANDS_SHELL_SERVE_TOKEN has the token where SERVE_TOKENS names no file. Further options follow.
set -eu
set -- --hostname "${SERVE_HOSTNAME:-0.0.0.0}" --port "${SERVE_PORT:-7300}" --data "${SERVE_DATA:-/data}" "$@"
if [ -n "${SERVE_TOKENS:-}" ]; then set -- --tokens "$SERVE_TOKENS" "$@"; fi
# Words of their own: a test names node and a file.
exec ${SERVE_PROGRAM:-./node_modules/.bin/strands-shell-runtime} serve "$@"
