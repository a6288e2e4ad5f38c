#!/bin/sh
# What only a GPU can show, by parts:
#
#     tests/gpu/all.sh ACCRUE PART [ARGUMENT...]
#
#     programs FOLDER...         the same output as on the host: the project's programs and those of the folders
#     options FOLDER...          those of the folders by each strategy of reductions and with odd launch dimensions
#     random FIRST COUNT S       random programs at the levels 0 and 4 of the driver's compiler; none is started after S seconds
#     sanitizers FIRST COUNT S   the same in compute-sanitizer's racecheck, synccheck and memcheck
#     large                      objects of more than 4 GiB, and loops of more than 2^32 iterations
#     devices FIRST COUNT        programs that use two GPUs, of which the machine must have as many
#     suites GCC                 libgomp's OpenACC C tests, from GCC's unpacked source
#     speed [OLDER]              reductions beside CUB and loops beside CUDA, also by an older accrue
set -u
cd "$(dirname "$0")/../.."
accrue=$1
part=$2
shift 2
jobs=$(nproc)
compare() { python3 tests/gpu/run.py --accrue "$accrue" --jobs "$jobs" "$@"; }
case $part in
programs)
  compare tests/acc tests/data tests/defects examples "$@"
  ;;
options)
  for option in --reduction=lock --reduction=cas --reduction=tree --deterministic -fopenacc-dim=7:5:96; do
    echo "== $option"
    compare "--option=$option" "$@"
  done
  ;;
random)
  python3 tests/random/run.py --accrue "$accrue" --jobs "$jobs" --first "$1" --count "$2" --seconds "$3" --modes gpu --compact
  ;;
sanitizers)
  python3 tests/random/run.py --accrue "$accrue" --jobs "$jobs" --first "$1" --count "$2" --seconds "$3" --modes sanitizer \
    --compact
  ;;
large)
  "$accrue" run --device cuda -fopenmp tests/gpu/large.c
  ;;
devices)
  "$accrue" run --device cuda tests/acc/several_devices.c
  "$accrue" run --device cuda -fopenmp tests/omp/several_devices.c
  "$accrue" run --device cuda -fopenmp bench/gpu/devices.c
  python3 tests/random/run.py --accrue "$accrue" --jobs "$jobs" --first "$1" --count "$2" --devices --modes devices-gpu
  python3 tests/random/run.py --accrue "$accrue" --jobs "$jobs" --first "$1" --count "$2" --tasks --modes tasks-gpu --sample 1
  ;;
suites)
  python3 tests/conformance/run.py --gcc-src "$1" --suite libgomp --target nvidia --accrue "$accrue" --jobs "$jobs" \
    --accrue-option=--device --accrue-option=cuda
  ;;
speed)
  for each in "$accrue" "$@"; do
    echo "== $each"
    python3 bench/gpu/run.py --accrue "$each"
    python3 bench/gpu/loops.py --accrue "$each"
  done
  ;;
*)
  echo "unknown part: $part" >&2
  exit 2
  ;;
esac
