# The machines of the installation, and functions for the commands. Read by bash, with `set -euo pipefail`.
ha=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
repository=$(cd "$ha/../.." && pwd)
state=${SOUK_HA_STATE:-/var/lib/souk-ha}
net=${SOUK_HA_NET:-10.88.0}
# Prefix of namespaces and links, whose names have at most 15 characters.
prefix=${SOUK_HA_PREFIX:-soukha}
bridge=${prefix}0
libfaketime=$(echo /usr/lib/*/faketime/libfaketime.so.1)

databases=(db1 db2 db3)
apis=(api1 api2 api3)
workers=(worker1 worker2)
machines=("${databases[@]}" balancer "${apis[@]}" "${workers[@]}")

fail() {
  echo "$1" >&2
  exit "${2:-1}"
}

# Prints the help text, the comment at the head of a command, if the first argument asks for it.
help_if_asked() {
  case ${1:-} in -h | --help) ;; *) return 0 ;; esac
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
  exit 0
}

require_root() {
  [ "$(id -u)" = 0 ] || fail 'Network namespaces need root: run it as root.'
}

require_up() {
  [ -e "$state/secrets" ] || fail 'The installation is not up. Start it with deploy/ha/up.'
}

role_of() {
  case $1 in db?) echo database ;; api?) echo api ;; worker?) echo worker ;; *) echo balancer ;; esac
}

address_of() {
  case $1 in
    db?) echo "$net.1${1#db}" ;;
    api?) echo "$net.2${1#api}" ;;
    worker?) echo "$net.3${1#worker}" ;;
    balancer) echo "$net.10" ;;
  esac
}

# The programs of a machine. Patroni starts PostgreSQL.
programs_of() {
  case $(role_of "$1") in
    database) echo etcd patroni postgres pgbouncer ;;
    balancer) echo haproxy ;;
    *) echo haproxy souk ;;
  esac
}

on() {
  local machine=$1
  shift
  ip netns exec "$prefix-$machine" "$@"
}

# The status code of a URL, 000 without an answer.
status_of() {
  curl --silent --output /dev/null --max-time 2 --write-out '%{http_code}' "$1" || true
}

# The database machine with this role according to Patroni: primary, sync (the synchronous standby) or replica.
database_with_role() {
  local machine
  for machine in "${databases[@]}"; do
    if [ "$(status_of "http://$(address_of "$machine"):8008/$1")" = 200 ]; then
      echo "$machine"
      return
    fi
  done
  return 1
}

# A name as the user gives it: a machine, or `primary`, `standby` or `replica` for the database that has this role now.
resolve_machine() {
  local name=$1 role deadline=$((SECONDS + 30))
  case $name in
    primary | standby | replica)
      role=${name/standby/sync}
      [ "$role" != replica ] || role=async
      # Roles change after a fault, and Patroni may be slow to answer.
      until database_with_role "$role"; do
        [ $SECONDS -lt $deadline ] || fail "No database is the $name now. See deploy/ha/status."
        sleep 1
      done
      ;;
    *)
      [[ " ${machines[*]} " = *" $name "* ]] || fail "\"$name\" is not a machine. There are: ${machines[*]}, and primary, standby, replica." 2
      echo "$name"
      ;;
  esac
}

# Starts the programs of a machine, each again when it ends, like a machine that is switched on.
switch_on() {
  local machine=$1
  setsid ip netns exec "$prefix-$machine" "$ha/lib/machine" "$machine" "$(role_of "$machine")" \
    </dev/null >>"$state/$machine/log/machine" 2>&1 &
}

processes_of() {
  ip netns pids "$prefix-$1" 2>/dev/null || true
}

switch_off() {
  local left
  # Twice, since a program may just be starting another.
  for _ in 1 2 3 4 5; do
    left=$(processes_of "$1")
    [ -n "$left" ] || return 0
    kill -KILL $left 2>/dev/null || true
    sleep 0.1
  done
}

# The process id of a program, which is empty while it does not run.
pid_of() {
  local machine=$1 program=$2
  case $program in
    postgres) head -n 1 "$state/$machine/data/postgres/postmaster.pid" 2>/dev/null || true ;;
    *) cat "$state/$machine/run/$program.pid" 2>/dev/null || true ;;
  esac
}
