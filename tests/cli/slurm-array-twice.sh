# The script for an array of jobs, without Slurm: two arrays at one part do not write into each other's file, and leave nothing else.
. "$TT_ROOT/tests/cli/train.bash"
prepare >/dev/null
trained_run 5
toy -q --train 2000 --dev 0 --test 0 big
task() { SLURM_JOB_ID=$1 SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_COUNT=3 \
           bash "$TT_ROOT/data/translate.sbatch" run/update-0000005.tt big/train.en parts --beam 1 --threads 1; echo "exit status $?"; }
split -n l/2/3 big/train.en | tt-translate -q -m run/update-0000005.tt --beam 1 >expected
task 7 & until [ -s parts/*.part ]; do sleep 0.02; done
task 8; wait
cmp expected parts/000002-of-3.out && ls parts
# Samples are those of the whole corpus, whatever part a line is in.
sample="--sample --n-best 2"
for part in 1 2 3; do SLURM_JOB_ID=9 SLURM_ARRAY_TASK_ID=$part SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_COUNT=3 \
  bash "$TT_ROOT/data/translate.sbatch" run/update-0000005.tt corpus/dev.en drawn $sample; done
tt-translate -q -m run/update-0000005.tt $sample <corpus/dev.en | cmp - <(cat drawn/*.out) && echo "samples of parts"
# Text that is compressed is divided as what it is; what cannot be unpacked is refused.
gzip -k big/train.en
compressed() { (set -- run/update-0000005.tt "$1" packed --beam 1 --threads 1
  SLURM_JOB_ID=9 SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_COUNT=3 bash "$TT_ROOT/data/translate.sbatch" "$@"
  echo "exit status $?"); }
compressed big/train.en.gz && cmp expected packed/000002-of-3.out && ls packed
rm packed/*; printf '\3757zXZ\0' >text.xz; compressed text.xz 2>/dev/null; compressed /dev/null 2>&1; ls packed
