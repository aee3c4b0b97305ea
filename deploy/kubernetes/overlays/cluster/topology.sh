# A node of the Cluster, known to clients by the name of its pod and to the other nodes by its address.
printf 'cluster-enabled yes\ncluster-config-file /data/nodes.conf\ncluster-node-timeout 3000\n'
# The loss of another shard does not stop this one.
printf 'cluster-require-full-coverage no\n'
printf 'cluster-announce-ip %s\ncluster-announce-hostname %s.redis\n' "$POD_IP" "$(hostname)"
printf 'cluster-preferred-endpoint-type hostname\n'

# A node finds the others at the addresses that they had. When all pods moved at once none of these is right any more, so
# each node that has been in the Cluster meets the others anew.
meet_again() {
  until redis-cli ping | grep -q PONG; do sleep 1; done
  for number in 0 1 2 3 4 5; do
    ip=$(getent hosts "redis-$number.redis" | awk '{ print $1; exit }') || continue
    redis-cli cluster meet "$ip" 6379
  done
}
if [ -s /data/nodes.conf ]; then meet_again >/dev/null 2>&1 & fi
