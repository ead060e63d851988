#!/usr/bin/env python3
"""All solutions of table CSPs: woodstock beside ACE, Choco and CP-SAT.

Every problem is written as JSON, turned into XCSP3 by woodstock, and solved by all from that file. The
numbers of solutions must agree; the seconds are printed as a table. README.md says how to run it.
"""

import argparse
import importlib.util
import itertools
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time


def random_tables(seed, n_vars, n_values, n_tables, arity, n_tuples):
    """Tables of random tuples over random variables, which all occur."""
    rng = random.Random(seed)
    tables = []
    for number in range(n_tables):
        # The first tables cover all variables, so that none is free.
        wanted = [v for v in range(number * arity, (number + 1) * arity) if v < n_vars]
        others = [v for v in range(n_vars) if v not in wanted]
        scope = sorted(wanted + rng.sample(others, arity - len(wanted)))
        everything = list(itertools.product(range(n_values), repeat=arity))
        tables.append((scope, sorted(rng.sample(everything, n_tuples))))
    return [n_values] * n_vars, tables


def queens(n):
    def tuples(distance):
        pairs = itertools.product(range(n), repeat=2)
        return [(a, b) for a, b in pairs if a != b and abs(a - b) != distance]

    return [n] * n, [((i, j), tuples(j - i)) for i in range(n) for j in range(i + 1, n)]


def latin_square(n):
    different = [(a, b) for a, b in itertools.product(range(n), repeat=2) if a != b]
    tables = []
    for line, i, j in itertools.product(range(n), repeat=3):
        if i < j:
            tables.append(((line * n + i, line * n + j), different))
            tables.append(((i * n + line, j * n + line), different))
    return [n] * (n * n), tables


def unique_latin_table(n):
    """The Latin squares again, with one table of all permutations for each line."""
    permutations = list(itertools.permutations(range(n)))
    rows = [([line * n + i for i in range(n)], permutations) for line in range(n)]
    columns = [([i * n + line for i in range(n)], permutations) for line in range(n)]
    return [n] * (n * n), rows + columns


PROBLEMS = {
    "queens-10": lambda: queens(10),
    "queens-12": lambda: queens(12),
    "latin-5-pairs": lambda: latin_square(5),
    "latin-5-lines": lambda: unique_latin_table(5),
    "random-pairs": lambda: random_tables(1, 20, 6, 55, 2, 24),
    "random-triples": lambda: random_tables(2, 20, 4, 20, 3, 32),
    "random-triples-tight": lambda: random_tables(3, 24, 6, 30, 3, 60),
    "random-fives": lambda: random_tables(4, 16, 5, 6, 5, 312),
    "random-large": lambda: random_tables(5, 12, 10, 6, 5, 10_000),
    "random-large-tight": lambda: random_tables(6, 20, 10, 20, 5, 10_000),
}


def write_json(path, sizes, tables):
    """The problem in the form that woodstock reads."""
    network = {
        "variables": [
            {"name": f"v{n}", "values": list(range(size))} for n, size in enumerate(sizes)
        ],
        "constraints": [
            {"table": {"scope": [f"v{n}" for n in scope], "tuples": [list(t) for t in tuples]}}
            for scope, tuples in tables
        ],
    }
    path.write_text(json.dumps(network))


def run(command, limit):
    """What a command prints, and the seconds that it takes; None if it takes too long."""
    start = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, limit
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-2000:]}{done.stderr}")
    return done.stdout, time.perf_counter() - start


def jar(folder):
    """The program of a solver that came with pycsp3."""
    package = importlib.util.find_spec("pycsp3")
    if package is None:
        sys.exit("pycsp3 is missing: pip install -r experiments/scsp-peers/requirements.txt")
    solvers = pathlib.Path(package.origin).parent / "solvers"
    [found] = (solvers / folder).glob("*.jar")
    return found


def woodstock(binary, xml, limit):
    output, seconds = run([binary, "solve-scsp", xml, "--count", "--json"], limit)
    if output is None:
        return None, seconds
    return json.loads(output)["policies"], seconds


def ace(xml, limit):
    command = ["java", "-jar", jar("ace"), xml, "-s=all", "-v=-1", "-npc"]
    output, seconds = run(command, limit)
    if output is None:
        return None, seconds
    found = re.search(r"FOUND SOLUTIONS\s+([\d,]+)", output)
    unsatisfiable = "UNSATISFIABLE" in output
    return 0 if unsatisfiable else int(found.group(1).replace(",", "")), seconds


def choco(xml, limit):
    program = "org.chocosolver.parser.xcsp.ChocoXCSP"
    command = ["java", "-cp", jar("choco"), program, "-a", "-lvl", "COMPET", xml]
    output, seconds = run(command, limit)
    if output is None:
        return None, seconds
    found = re.search(r"FOUND SOLUTIONS\s+(\d+)", output)
    return 0 if "UNSATISFIABLE" in output else int(found.group(1)), seconds


def cp_sat(sizes, tables, limit):
    from ortools.sat.python import cp_model

    class Counter(cp_model.CpSolverSolutionCallback):
        count = 0

        def on_solution_callback(self):
            self.count += 1

    model = cp_model.CpModel()
    variables = [model.new_int_var(0, size - 1, f"v{n}") for n, size in enumerate(sizes)]
    for scope, tuples in tables:
        model.add_allowed_assignments([variables[n] for n in scope], tuples)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = limit
    counter = Counter()
    start = time.perf_counter()
    status = solver.solve(model, counter)
    seconds = time.perf_counter() - start
    is_complete = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return (counter.count if is_complete else None), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="target/release/woodstock", help="the program")
    parser.add_argument("--limit", type=float, default=300, help="seconds for each solver")
    parser.add_argument("--runs", type=int, default=3, help="the fastest of so many counts")
    parser.add_argument("problems", nargs="*", help=f"of {', '.join(PROBLEMS)}; all by default")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.problems if name not in PROBLEMS]
    if unknown:
        parser.error(f"there is no problem {', '.join(unknown)}")
    if shutil.which(arguments.binary) is None:
        parser.error(f"{arguments.binary} is missing: cargo build --release")
    names = ["woodstock", "ACE", "Choco", "CP-SAT"]
    print("\t".join(["problem", "solutions", *names, "fastest peer / woodstock"]))
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.problems or PROBLEMS:
            sizes, tables = PROBLEMS[name]()
            plain = pathlib.Path(folder) / f"{name}.json"
            xml = plain.with_suffix(".xml")
            write_json(plain, sizes, tables)
            convert = [arguments.binary, "solve-scsp", plain, "--write", xml, "--seconds", "0"]
            subprocess.run(convert, capture_output=True)
            limit = arguments.limit
            solvers = [
                lambda: woodstock(arguments.binary, xml, limit),
                lambda: ace(xml, limit),
                lambda: choco(xml, limit),
                lambda: cp_sat(sizes, tables, limit),
            ]
            results = [best(solver, arguments.runs, limit) for solver in solvers]
            counts = {count for count, _ in results if count is not None}
            if len(counts) != 1:
                sys.exit(f"{name}: the solvers count {dict(zip(names, results))}")
            seconds = [f"{s:.3f}" if count is not None else f"> {s:.0f}" for count, s in results]
            ratio = min(s for _, s in results[1:]) / results[0][1]
            print("\t".join([name, str(counts.pop()), *seconds, f"{ratio:.1f}"]), flush=True)


def best(solver, n_runs, limit):
    """The fastest of some runs; slow solvers run once."""
    results = []
    for _ in range(n_runs):
        results.append(solver())
        if results[-1][0] is None or results[-1][1] > limit / 10:
            break
    return min(results, key=lambda result: (result[0] is None, result[1]))


if __name__ == "__main__":
    main()
