#!/bin/sh
# Makes a Cluster of the six nodes, once: a Cluster that is there stays as it is.
set -eu
REDISCLI_AUTH=$(cat "${PASSWORD_FILE:-/etc/redis-password/redis-password}")
export REDISCLI_AUTH
nodes=
for number in 0 1 2 3 4 5; do
  until redis-cli -h "redis-$number.redis" ping | grep -q PONG; do sleep 1; done
  nodes="$nodes $(getent hosts "redis-$number.redis" | awk '{ print $1; exit }'):6379"
done
if redis-cli -h redis-0.redis cluster info | grep -q 'cluster_slots_assigned:16384'; then
  echo 'the Cluster is there'
  exit
fi
# shellcheck disable=SC2086 # one word for each node
redis-cli --cluster create $nodes --cluster-replicas 1 --cluster-yes
