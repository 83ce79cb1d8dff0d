# For tests under Slurm: a controller and a node of this machine alone, in the folder where the test runs.

# Starts them, or ends the test as skipped.
start_slurm() {
  local program
  for program in munged slurmctld slurmd sbatch; do
    command -v $program >/dev/null || { echo "there is no $program (slurm-wlm, munge)" >&2; exit 77; }
  done
  [ "$(id -u)" = 0 ] || { echo "only root can start slurmd" >&2; exit 77; }
  local host port=$((20000 + $$ % 20000))
  host=$(hostname -s)
  # A folder of root alone, whose path is short enough for a socket.
  slurm=$(mktemp -d /tmp/tt-slurm-XXXXXX)
  trap stop_slurm EXIT
  mkdir "$slurm/state" "$slurm/spool"
  head -c 1024 /dev/urandom >"$slurm/key" && chmod 400 "$slurm/key"
  cat >"$slurm/slurm.conf" <<CONF
ClusterName=tt
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/socket,cred_expire=5
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
KillWait=10
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
CONF
  export SLURM_CONF=$slurm/slurm.conf
  munged --force --key-file="$slurm/key" --socket="$slurm/socket" --pid-file="$slurm/munged.pid" --log-file="$slurm/munged.log" \
    --seed-file="$slurm/seed" >"$slurm/said" 2>&1 && slurmctld >>"$slurm/said" 2>&1 && slurmd -N "$host" >>"$slurm/said" 2>&1 ||
    { echo "Slurm cannot be started here: $(tail -n 1 "$slurm/said")" >&2; exit 77; }
  local n
  for ((n = 0; n < 100; n++)); do
    [ "$(sinfo -h -o %T 2>/dev/null)" != idle ] || return 0
    sleep 0.1
  done
  echo "Slurm's node does not answer: $(tail -n 1 "$slurm/slurmd.log")" >&2
  exit 77
}

stop_slurm() {
  scancel --user root 2>/dev/null
  local daemon
  for daemon in slurmd slurmctld munged; do kill "$(cat "$slurm/$daemon.pid" 2>/dev/null)" 2>/dev/null; done
  sleep 0.5
  rm -rf "$slurm"
}

# state JOB: as Slurm says it, for an array all of them.
state() { scontrol show job "$1" 2>/dev/null | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p' | sort -u | tr '\n' ' '; }

# Waits until COMMAND succeeds, for a minute at most.
until_true() {
  local end=$((SECONDS + 60))
  while [ $SECONDS -lt $end ]; do
    "$@" && return
    sleep 0.1
  done
  echo "in vain: $*"
}
