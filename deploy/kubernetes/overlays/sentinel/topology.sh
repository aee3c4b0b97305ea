# A master or a replica, by the word of the sentinels. At the very first start there are none, and redis-0 is the master.
name=$(hostname)
master=redis-0.redis
for sentinel in ${SENTINELS:-sentinel-0.sentinel sentinel-1.sentinel sentinel-2.sentinel}; do
  answer=$(timeout 3 redis-cli -h "$sentinel" -p 26379 sentinel get-master-addr-by-name mymaster 2>/dev/null | head -n 1) || true
  case $answer in
    redis-?.redis) master=$answer && break ;;
  esac
done
# Writes that no replica takes would be lost in a failover.
printf 'min-replicas-to-write 1\nmin-replicas-max-lag 10\n'
printf 'replica-announce-ip %s.redis\n' "$name"
if [ "$name.redis" != "$master" ]; then printf 'replicaof %s 6379\n' "$master"; fi
