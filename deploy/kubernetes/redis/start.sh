#!/bin/sh
# Starts Redis with its password, which stays out of its arguments, and with what topology.sh prints for this pod.
set -eu
SCRIPTS=${SCRIPTS:-/etc/redis}
REDISCLI_AUTH=$(cat "${PASSWORD_FILE:-/etc/redis-password/redis-password}")
export REDISCLI_AUTH
{
  cat "$SCRIPTS/redis.conf"
  printf 'requirepass %s\nmasterauth %s\n' "$REDISCLI_AUTH" "$REDISCLI_AUTH"
  . "$SCRIPTS/topology.sh"
} >"${CONFIG:-/run/redis/redis.conf}"
exec redis-server "${CONFIG:-/run/redis/redis.conf}"
