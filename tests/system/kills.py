# SPDX-License-Identifier: Apache-2.0
"""Kills runs at random moments, lets them go on, and compares what comes out with an undisturbed run, bit for bit.

    POSLAB_BUILD_DIR=build/release /usr/bin/python3 tests/system/kills.py --kills 200 --seed 1

A trial is a study in a folder of its own. Its run is killed at a moment drawn uniformly over the time that the undisturbed
run takes, start and writing of the results file included: the program itself, its workers, or all at once, with SIGKILL.
Then it is run again, perhaps killed again, until it ends. Afterwards
  - the results file does not exist or is complete and right, whenever anybody looks;
  - what the run had reported as done is in the journal, and what is in the journal is never computed again;
  - no process lives on and no file is left but results and journal;
  - the final file equals the undisturbed one in every object outside `provenance`."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from campaign import Campaign
from killed_study import LENGTHS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", choices=LENGTHS, default="large")
    parser.add_argument("--build", default=os.environ.get("POSLAB_BUILD_DIR", "build/release"))
    parser.add_argument("options", nargs="*", help="for poslab run, after --, like -- --memory 2GiB")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="poslab-kills-") as folder:
        campaign = Campaign(Path(given.build).resolve(), folder, given.seed, given.size, given.options).prepare()
        print(f"undisturbed: {campaign.cells} cells in {campaign.seconds:.2f} s; seed {given.seed}")
        print(" kill  moment   of run  killed   in journal  oldest lost  file   left behind")

        def say(kill, problem, count=iter(range(1, given.kills + 1))):
            print(f"{next(count):5d}  {kill.moment:5.2f} s  {kill.moment / campaign.seconds:6.1%}  {kill.who:<7}  "
                  f"{kill.done:4d}/{campaign.cells:<5d}  {kill.age:8.2f} s   {'whole' if kill.finished else '-    '}  "
                  f"{kill.left or '-'}{'  WRONG: ' + problem if problem else ''}", flush=True)

        survived = campaign.strike(given.kills, say)
        by = {who: sum(kill.who == who for kill in campaign.kills) for who in ("host", "workers", "both")}
        print(f"killed: host {by['host']}, workers {by['workers']}, both {by['both']}; "
              f"the oldest work that was lost had been done for about {max(kill.age for kill in campaign.kills):.2f} s")
        print(f"{survived} of {given.kills} survived with exactly equal results")
        return 0 if survived == given.kills else 1


if __name__ == "__main__":
    sys.exit(main())
