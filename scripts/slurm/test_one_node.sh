#!/usr/bin/env bash
# Runs the job array of estimate.sbatch on a real Slurm of one node, and compares the joined parts
# with a run without Slurm. Everything it starts and writes is its own, in a temporary folder.
#
# Needs root and Debian's packages: apt-get install slurm-wlm munge. Build the program first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export KLONDIKE=${KLONDIKE:-$PWD/target/release/klondike}

work=$(mktemp -d)
started=()
finish() {
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait
    rm -rf "$work"
}
trap finish EXIT
chmod 755 "$work"
mkdir -p "$work"/{state,spool,log,runs}
host=$(hostname -s)
memory=$(awk '/^MemTotal/ {print int($2 / 1024 / 2)}' /proc/meminfo)

# Munge, with a key and a socket of its own.
dd if=/dev/urandom of="$work/munge.key" bs=128 count=1 status=none
chmod 400 "$work/munge.key"
mkdir -m 755 "$work/munge"
munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge/socket" \
    --pid-file="$work/munge/pid" --seed-file="$work/munge/seed" --log-file="$work/log/munged" 2> /dev/null &
started+=($!)

cat > "$work/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=26817
SlurmdPort=26818
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/log/slurmctld
SlurmdLogFile=$work/log/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$memory State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf

slurmctld -D 2> /dev/null &
started+=($!)
slurmd -D 2> /dev/null &
started+=($!)
for _ in $(seq 60); do
    [[ $(sinfo --noheader --format=%t 2>/dev/null) == idle ]] && break
    sleep 1
done
sinfo

export RUN=$work/runs
submit() {
    sbatch --wait --array=1-4 --mem=1G --time=10 --chdir="$PWD" --output="$work/log/%a.log" \
        scripts/slurm/estimate.sbatch --draw 1 --certify 0.02 "$@" || { tail "$work"/log/*; exit 1; }
}
submit --deals 2000
submit --deals 2000 # nothing is left to do
"$KLONDIKE" merge "$RUN"/part-* -o "$RUN/joined"
"$KLONDIKE" estimate --deals 2000 --draw 1 --certify 0.02 --memory 768MiB --dir "$RUN/whole" > /dev/null
cmp <("$KLONDIKE" export "$RUN/joined") <("$KLONDIKE" export "$RUN/whole")
cmp "$RUN/joined/summary.json" "$RUN/whole/summary.json"
echo "a job array on Slurm $(slurmctld -V) found the same as a run without it"
