#!/usr/bin/env python3
"""Table 2 of the Constraints paper of 2016 beside our networks of the same games.

Reads published.tsv, makes the network of one stage of each game for which a public rule sheet is there,
in both encodings, and prints both figures. README.md says how to run it.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def network(binary, sheet, encoding):
    """What `woodstock scsp` says of a game, and the memory that it took in MiB."""
    command = ["/usr/bin/env", "time", "-f", "%M", binary, "scsp", sheet, "--json"]
    done = subprocess.run([*command, "--encoding", encoding], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{sheet}: {done.stderr}")
    return json.loads(done.stdout), int(done.stderr.split()[-1]) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="target/release/woodstock", help="the program")
    parser.add_argument("--corpus", required=True, type=pathlib.Path, help="the folder of sheets")
    arguments = parser.parse_args()
    columns = ["vars", "max_domain", "constraints", "seconds"]
    header = ["game", *(f"published {c}" for c in columns), "encoding"]
    header += [*columns, "tuples", "MiB", "published / our seconds"]
    print("\t".join(header))
    with open(HERE / "published.tsv", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if not row["sheet"]:
                continue
            sheet = arguments.corpus / row["sheet"]
            for encoding in ["atoms", "fluents"]:
                ours, mib = network(arguments.binary, sheet, encoding)
                ratio = float(row["seconds"]) / ours["seconds"]
                cells = [row["game"], *(row[c] for c in columns), encoding]
                cells += [str(ours[c]) for c in columns[:-1]]
                cells += [f"{ours['seconds']:.3f}", str(ours["tuples"]), f"{mib:.0f}"]
                cells.append(f"{ratio:.0f}" if row["seconds"] != "0" else "")
                print("\t".join(cells), flush=True)


if __name__ == "__main__":
    main()
