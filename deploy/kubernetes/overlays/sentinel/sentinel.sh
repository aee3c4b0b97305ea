#!/bin/sh
# Starts a sentinel. It keeps what it learns in its file, so the file is written once only.
set -eu
password=$(cat "${PASSWORD_FILE:-/etc/redis-password/redis-password}")
config=${CONFIG:-/data/sentinel.conf}
if [ ! -e "$config" ]; then
  cat >"$config.new" <<END
port 26379
requirepass $password
sentinel sentinel-pass $password
sentinel resolve-hostnames yes
sentinel announce-hostnames yes
sentinel announce-ip $(hostname).sentinel
sentinel announce-port 26379
sentinel monitor mymaster redis-0.redis 6379 2
sentinel auth-pass mymaster $password
sentinel down-after-milliseconds mymaster 3000
sentinel failover-timeout mymaster 30000
END
  mv "$config.new" "$config"
fi
exec redis-server "$config" --sentinel
