#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the program's shaders with Mesa's compilers for GPUs that are not there, and says what they cost.

isa.py BUILD DEVICES [--short] [--write] [--programs PATTERN] [--drivers NAME,...]

BUILD holds fathom and tests/isa/*; DEVICES holds what build_devices.sh made, and keeps what was measured: a shader
that is as it was is not compiled again. Fails when a shader is refused, takes more than 2 s of processor
time, more than 256 B of scratch an invocation, or spills more than expected.txt says. --write writes expected.txt, what
`fathom bench --predict` takes from it (app/lab/shaders.json), and the tables of docs/results/shaders.md.
"""
import argparse, concurrent.futures, datetime, hashlib, json, os, pathlib, re, shutil, statistics, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIMIT_MS, LIMIT_SCRATCH = 2000, 256
GIVE_UP_S = 10

# Mesa's nouveau claims OpenGL 4.3 and lacks no extension of 4.5.
NOUVEAU = {"MESA_GL_VERSION_OVERRIDE": "4.5", "MESA_GLSL_VERSION_OVERRIDE": "450"}
# Name: device library, GPU, variables.
DRIVERS = {
    "tgl": ("intel", "Intel Tiger Lake, iris", {"INTEL_STUB_GPU_PLATFORM": "tgl"}),
    "dg2": ("intel", "Intel Arc (DG2), iris", {"INTEL_STUB_GPU_PLATFORM": "dg2"}),
    "skl": ("intel", "Intel Skylake, iris", {"INTEL_STUB_GPU_PLATFORM": "skl"}),
    "navi21": ("amdgpu", "AMD Navi 21, radeonsi", {"AMDGPU_GPU_ID": "navi21"}),
    "vega10": ("amdgpu", "AMD Vega 10, radeonsi", {"AMDGPU_GPU_ID": "vega10"}),
    "navi31": ("amdgpu", "AMD Navi 31, radeonsi", {"AMDGPU_GPU_ID": "navi31"}),
    "gp104": ("nouveau", "NVIDIA Pascal (GP104), nouveau", {"NOUVEAU_CHIPSET": "134", **NOUVEAU}),
    "tu102": ("nouveau", "NVIDIA Turing (TU102), nouveau", {"NOUVEAU_CHIPSET": "162", **NOUVEAU}),
}
SHORT = ("tgl", "navi21", "gp104")
# What the program asks of no such device: control points that move are evaluated in doubles, which Intel's devices and
# nouveau lack (app/engine/flame/render/sampler.cpp), and columns are software renderers' (smoe/decode/decoder.cpp).
NOT_ASKED = {"intel": r"flame/control_points/|smoe/decode/shade_columns", "nouveau": r"flame/control_points/|smoe/decode/shade_columns",
             "amdgpu": r"smoe/decode/shade_columns"}
# Of flames' variations every fifth, and those that compilers found hard.
HARD = ("chrysanthemum", "crown_js", "cut_fun", "parplot2d_wf", "scrambly", "sunflower", "synth", "truchet")

# What the compilers say
# ---------------------------------------------------------------------------------------------------

INTEL = re.compile(r"\w\w SIMD(\d+) shader: (\d+) inst, \d+ loops, \d+ cycles, (\d+):(\d+) spills:fills")
AMD = re.compile(r"SGPRS: \d+ VGPRS: (\d+) Code Size: (\d+) LDS: (\d+) Scratch: (\d+) Max Waves: (\d+) "
                 r"Spilled SGPRs: (\d+) Spilled VGPRs: (\d+) .*?W(\d+)")
NVIDIA = re.compile(r"type: \d+, local: (\d+), shared: (\d+), gpr: (\d+), inst: (\d+), bytes: \d+")


def warps(registers, shared, group, turing):
    """Warps of a multiprocessor at once, by registers and shared memory; compute shaders only."""
    most, memory = (32, 64 << 10) if turing else (64, 96 << 10)
    per_group = max(1, -(-group // 32))
    groups = most // per_group
    groups = min(groups, 65536 // (32 * per_group * max(8, -(-registers // 8) * 8)))
    if shared:
        groups = min(groups, memory // shared)
    return groups * per_group


def parse(driver, group, text):
    """Figures from a driver's messages, the last of a kind: empty when it says nothing. Scratch is in bytes an
    invocation; Intel's compiler does not tell it."""
    if found := INTEL.findall(text):
        width, instructions, spills, fills = map(int, found[-1])
        return {"simd": width, "instructions": instructions, "spills": spills, "fills": fills}
    if found := AMD.findall(text):
        registers, code, _, scratch, waves, scalar, spills, width = map(int, found[-1])
        return {"registers": registers, "waves": waves, "scratch": scratch // width, "spills": spills,
                "scalar-spills": scalar, "code": code}
    if found := NVIDIA.findall(text):
        local, shared, registers, instructions = map(int, found[-1])
        figures = {"registers": registers, "scratch": local, "instructions": instructions}
        if group:
            figures["waves"] = warps(registers, shared, group, driver == "tu102")
        return figures
    return {}


def line_of(result):
    """As it stands in expected.txt: without time, which no two runs share."""
    if result["status"] != "ok":
        return result["status"]
    return ", ".join(f"{name} {value}" for name, value in result["figures"].items()) or "nothing said"


def spills_of(line):
    return sum(map(int, re.findall(r"\b(?:spills|fills|scalar-spills) (\d+)", line)))


def faults(result, expected):
    """What is wrong with a shader, given its expected line or None."""
    found = []
    if result["status"] in ("compile", "link"):
        found.append(f"refused: {result['log'][:200]}")
    if result["status"] == "crash":
        found.append(f"the driver crashed ({result['log']})")
    if result["status"] == "over":
        found.append(f"not compiled after {GIVE_UP_S} s of processor time")
    if result["ms"] > LIMIT_MS:
        found.append(f"compiles for {result['ms'] / 1000:.1f} s")
    if result["figures"].get("scratch", 0) > LIMIT_SCRATCH:
        found.append(f"{result['figures']['scratch']} B of scratch an invocation")
    if spills_of(line_of(result)) > spills_of(expected or ""):
        found.append(f"spills: {line_of(result)}; expected: {expected or 'none'}")
    return found


# Which shaders
# ---------------------------------------------------------------------------------------------------

def opening(text):
    """The comment that a shader file begins with."""
    lines = []
    for line in text[text.find("// SPDX"):].split("\n")[1:]:
        if not line.startswith("//"):
            break
        lines.append(line)
    return "\n".join(lines)


def openings():
    return {opening(path.read_text()): path.relative_to(ROOT / "shaders").as_posix()
            for ending in ("comp", "vert", "frag") for path in sorted((ROOT / "shaders").rglob(f"*.{ending}"))}


def name_of(text, files):
    """FILE NAME=VALUE ...: the file by its opening comment, and the defines before it; None for others."""
    file = files.get(opening(text))
    defines = re.findall(r"^#define (\w+) (\S+)$", text[:text.find("// SPDX")], re.M)
    return file and " ".join([file, *(f"{name}={value}" for name, value in defines)])


def commands():
    """Of each line, a list of environment and words. What draws in a window has its OpenGL from elsewhere."""
    for file in (ROOT / "tests/races/commands.txt", HERE / "commands.txt"):
        for line in file.read_text().replace("\\\n", " ").splitlines():
            found, environment = [], {}
            for command in line.split(" ; "):
                words = command.split()
                while words and "=" in words[0]:
                    environment |= [words.pop(0).split("=", 1)]
                if words[:1] == ["fathom"] and words[1] != "view":
                    found.append((environment, words[1:]))
            if found:
                yield found


def see_sources(build, folder):
    """Runs the commands on the software renderer, renamed so that they ask for what GPUs get, and keeps each shader that
    they compile."""

    def run(line):
        with tempfile.TemporaryDirectory(prefix="fathom-isa-") as work:
            for environment, words in line:
                words = [word.replace("{folder}", work).replace("{source}", str(ROOT)) for word in words]
                ran = subprocess.run([build / "fathom", *words], capture_output=True, text=True, env=os.environ | {
                    "LD_PRELOAD": str(build / "tests/isa/libsee_sources.so"), "SEEN_SOURCES": str(folder), "force_gl_renderer": "GPU",
                    "MESA_SHADER_CACHE_DISABLE": "true", "XDG_CONFIG_HOME": work, "XDG_CACHE_HOME": work, **environment})
                if ran.returncode:
                    raise RuntimeError(f"expected fathom {' '.join(words)} to run, found: {ran.stderr[-300:]}")

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run, commands()))


def write_genomes(build, folder):
    """The chaos game of each genome, some made by chance among them, by each way to add hits up."""
    genomes = [*sorted((ROOT / "assets/flame").glob("*.flame")), ROOT / "tests/races/data/adaptive.flame", HERE / "xaos.flame"]
    for seed in range(1, 9):
        genomes.append(folder / f"random-{seed}.flame")
        subprocess.run([build / "fathom", "flame", "random", "--quiet", "--seed", str(seed), "-o", genomes[-1]], check=True)
    for genome in genomes:
        for way in ("direct", "atomic", "deferred"):
            shown = subprocess.run([build / "fathom", "flame", "shader", "--whole", "--accumulate", way, genome],
                                   capture_output=True, text=True, check=True)
            (folder / f"{genome.stem} {way}.comp").write_text(shown.stdout)


def write_variants(build, folder):
    subprocess.run([build / "tests/isa/write_variants", folder], check=True)


def state_of(build):
    """What sources depend on: the program, its shaders, and the commands."""
    state = hashlib.sha256((build / "fathom").read_bytes())
    for path in [*sorted(path for path in (ROOT / "shaders").rglob("*") if path.is_file()),
                 ROOT / "tests/races/commands.txt", HERE / "commands.txt"]:
        state.update(path.read_bytes())
    return state.hexdigest()[:16]


def is_chosen(name, number):
    variation = re.match(r"flame/chaos/iterate\.comp of (\w+)$", name)
    return not variation or variation[1] in HARD or number % 5 == 0


def programs(build, folder):
    """Path by name, of each shader once."""
    files, found, texts = openings(), {}, set()

    def add(name, path):
        text = path.read_text()
        if text not in texts and name not in found:
            texts.add(text)
            found[name] = path

    kept = folder / state_of(build)
    if not kept.exists():
        shutil.rmtree(folder, ignore_errors=True)
        part = folder / "part"
        for make in (write_variants, write_genomes, see_sources):
            (part / make.__name__).mkdir(parents=True)
            make(build, part / make.__name__)
        if not any((part / "see_sources").iterdir()):
            raise RuntimeError("expected the commands to compile shaders, found none")
        part.rename(kept)
    folder = kept
    for line in (folder / "write_variants/names").read_text().splitlines():
        file, name = line.split("\t")
        path = folder / "write_variants" / file
        generated = re.match(r"(iterate|accumulate)\.comp, (.*)", name)
        add(f"{'flame/chaos' if generated[1] == 'iterate' else 'dof'}/{generated[1]}.comp of {generated[2]}" if generated
            else name_of(path.read_text(), files) or name.removeprefix("shaders/"), path)
    for path in sorted((folder / "see_sources").iterdir()):
        name = name_of(path.read_text(), files)
        if name and not name.startswith("flame/chaos/iterate.comp"):
            add(name, path)
    for path in sorted((folder / "write_genomes").glob("*.comp")):
        add(f"flame/chaos/iterate.comp of genome {path.stem}", path)
    return dict(sorted(found.items()))


# Measuring
# ---------------------------------------------------------------------------------------------------

class Compiler:
    """shader_statistics on one device, started again after it crashed or gave up."""

    def __init__(self, build, devices, driver):
        library, _, variables = DRIVERS[driver]
        self.driver, self.process = driver, None
        self.command = [build / "tests/isa/shader_statistics", str(GIVE_UP_S)]
        # The driver says what its compiler found only when it compiles on the caller's thread.
        self.environment = os.environ | variables | {"LD_PRELOAD": str(devices / f"{library}.so"), "GALLIUM_THREAD": "0",
                                                      "MESA_SHADER_CACHE_DISABLE": "true"}

    def renderer(self):
        """Starts; raises OSError when the device does not come up."""
        self.process = subprocess.Popen(self.command, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, bufsize=1)
        line = self.process.stdout.readline().strip()
        if not line or "llvmpipe" in line:
            raise OSError(f"{self.driver}: expected a device of {DRIVERS[self.driver][1]}, found {line or 'none'}")
        return line

    def measure(self, path):
        if not self.process or self.process.poll() is not None:
            self.renderer()
        self.process.stdin.write(f"{path}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline().rstrip("\n")
        if not line:
            return {"status": "crash", "ms": 0, "log": f"exit code {self.process.wait()}", "figures": {}}
        status, ms, group, text = line.split("\t")
        if status == "over":
            self.process.wait()
            return {"status": "over", "ms": GIVE_UP_S * 1000, "log": "", "figures": {}}
        if status in ("compile", "link") and (lacks := re.search(r"extension .(GL_\w+). (?:is )?unsupported", text)):
            status = f"lacks {lacks[1]}"  # the program asks for it only where there is
        return {"status": status, "ms": float(ms), "log": text if status != "ok" else "",
                "figures": parse(self.driver, int(group), text) if status == "ok" else {}}


def measure_all(build, devices, driver, shaders):
    """Results by name; those of other runs are taken from DEVICES/results."""
    compiler = Compiler(build, devices, driver)
    version = compiler.renderer()
    path = devices / "results" / f"{driver}.jsonl"
    path.parent.mkdir(exist_ok=True)
    lines = path.read_text().splitlines() if path.exists() else []
    kept = {entry["key"]: entry for entry in map(json.loads, lines)}
    results = {}
    with path.open("a", buffering=1) as out:
        for name, shader in shaders.items():
            if re.match(NOT_ASKED[DRIVERS[driver][0]], name):
                continue
            key = hashlib.sha256((version + shader.read_text()).encode()).hexdigest()[:24]
            if key not in kept:
                kept[key] = {"key": key, **compiler.measure(shader)}
                out.write(json.dumps(kept[key]) + "\n")
            results[name] = kept[key]
    compiler.process.kill()
    return version, results


# The table
# ---------------------------------------------------------------------------------------------------

COLUMNS = ("simd", "registers", "waves", "spills", "fills", "scalar-spills", "scratch", "instructions", "code")


def row(driver, name, result):
    cells = [str(result["figures"].get(column, "")) for column in COLUMNS]
    state = "" if result["status"] == "ok" else result["status"]
    return [driver, name, *cells, f"{result['ms']:.0f}", state]


def summary(driver, results):
    values = sorted(result["ms"] for result in results.values())
    ok = [result["figures"] for result in results.values() if result["status"] == "ok"]
    scratch = [figures["scratch"] for figures in ok if "scratch" in figures]
    return [DRIVERS[driver][1], len(results), sum(result["status"] in ("compile", "link", "crash") for result in results.values()),
            sum(result["status"].startswith("lacks") for result in results.values()),
            sum(value > LIMIT_MS for value in values), sum(figures.get("spills", 0) > 0 for figures in ok),
            max(scratch) if scratch else "", sum(figures.get("simd") == 8 for figures in ok) or "",
            f"{values[len(values) // 2]:.0f}", f"{values[-1]:.0f}"]


SUMMARY = ["Driver", "Shaders", "Refused", "Extension missing", "Over 2 s", "With spills", "Most scratch, B", "SIMD8",
           "Median, ms", "Worst, ms"]


def markdown(head, rows):
    return "\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in [head, ["---"] * len(head), *rows]) + "\n"


def weight(result):
    """How much a shader stands out: what is over a limit first, then spills, scratch and time."""
    figures = result["figures"]
    return (bool(faults(result, "spills 1000000")), figures.get("spills", 0) + figures.get("fills", 0),
            figures.get("scratch", 0), figures.get("registers", 0) > 128, result["ms"])


AMD_CODE_BYTES = 6  # of an instruction of RDNA 2, which has them of 4, 8 and 12 bytes


def costs(lines):
    """Of expected.txt: by shader and GPU, instructions and waves (0: not told); by file, their medians over its
    variants, of flames over whole genomes."""
    shaders, files = {}, {}
    for line in lines:
        name, driver, text = line.split(" | ")
        figures = {key: int(value) for key, value in re.findall(r"(\S+) (\d+)", text)}
        cost = [figures.get("instructions", figures.get("code", 0) // AMD_CODE_BYTES), figures.get("waves", 0)]
        if driver not in SHORT or not cost[0]:
            continue
        shaders.setdefault(f"shaders/{name}", {})[driver] = cost
        files.setdefault(f"shaders/{name.split()[0]}", {}).setdefault(driver, []).append((" of genome " in name, cost))
    for file, drivers in files.items():
        for driver, every in drivers.items():
            most = [cost for whole, cost in every if whole] or [cost for _, cost in every]
            shaders.setdefault(file, {}).setdefault(driver, [round(statistics.median(part)) for part in zip(*most)])
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(shaders[name])}" for name in sorted(shaders)) + "\n}\n"


def write(measured, expected):
    """`expected`: lines that stay, by driver and name."""
    expected = expected | {(driver, name): line_of(result) for driver, (_, results) in measured.items()
                           for name, result in results.items()}
    lines = sorted(f"{name} | {driver} | {line}" for (driver, name), line in expected.items())
    (HERE / "expected.txt").write_text("\n".join(lines) + "\n")
    (ROOT / "app/lab/shaders.json").write_text(costs(lines))
    page = ROOT / "docs/results/shaders.md"
    text = page.read_text()
    every = [(driver, name, result) for driver, (_, results) in measured.items() for name, result in results.items()
             if driver in SHORT]
    worst = {}
    for driver, name, result in sorted(every, key=lambda each: weight(each[2]), reverse=True):
        worst.setdefault((driver, name if " of " in name else name.split()[0]), row(driver, name, result))  # a file once
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty=+"], capture_output=True, text=True).stdout.strip()
    words = " ".join(f"'{word}'" if set(word) & set(" |()") else word for word in sys.argv[3:])
    tables = {"run": f"`./dev isa {words}` of {commit}, {datetime.date.today()}:\n",
              "drivers": markdown(SUMMARY, [summary(driver, results) for driver, (_, results) in measured.items()]),
              "worst": markdown(["GPU", "Shader", *COLUMNS, "ms", ""], list(worst.values())[:30])}
    for name, table in tables.items():
        text = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda found: f"{found[1]}\n{table}\n{found[2]}", text, flags=re.S)
    page.write_text(text)


def main():
    parser = argparse.ArgumentParser(prog="./dev isa", description=__doc__.split("\n\n")[2])
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("devices", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--short", action="store_true", help="one driver of each vendor, and every fourth shader")
    parser.add_argument("--all", action="store_true", help="every variation of flames, not every fifth")
    parser.add_argument("--write", action="store_true", help="write expected.txt and the tables of docs/results/shaders.md")
    parser.add_argument("--programs", default="", help="only shaders whose name has this (a regular expression)")
    parser.add_argument("--drivers", default=",".join(DRIVERS), help="of " + ",".join(DRIVERS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="drivers at a time")
    options = parser.parse_args()
    drivers = SHORT if options.short else options.drivers.split(",")
    there = [driver for driver in drivers if (options.devices / f"{DRIVERS[driver][0]}.so").exists()]
    for driver in drivers:
        if driver not in there:
            print(f"{driver}: not measured, its device could not be built")
    shaders = programs(options.build, options.devices / "sources")
    shaders = {name: path for name, path in shaders.items() if re.search(options.programs, name)}
    if not options.all:
        shaders = {name: path for number, (name, path) in enumerate(shaders.items()) if is_chosen(name, number)}
    if options.short:
        shaders = {name: path for number, (name, path) in enumerate(shaders.items()) if number % 4 == 0}
    expected = {}
    if (HERE / "expected.txt").exists():
        for line in (HERE / "expected.txt").read_text().splitlines():
            name, driver, figures = line.split(" | ")
            expected[driver, name] = figures
    measured, wrong, changed = {}, [], []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = {driver: pool.submit(measure_all, options.build, options.devices, driver, shaders) for driver in there}
        for driver, job in jobs.items():
            try:
                measured[driver] = job.result()
            except OSError as error:
                print(f"{driver}: not measured, {error}")
    rows = []
    for driver, (version, results) in measured.items():
        print(f"{driver}: {version}")
        for name, result in results.items():
            rows.append(row(driver, name, result))
            before = expected.get((driver, name))
            wrong += [f"{driver}: {name}: {fault}" for fault in faults(result, line_of(result) if options.write else before)]
            if before != line_of(result):
                changed.append(f"{name} | {driver} | {before or 'new'} -> {line_of(result)}")
    table = options.devices / "table.tsv"
    table.write_text("\n".join("\t".join(cells) for cells in [["driver", "shader", *COLUMNS, "ms", ""], *rows]) + "\n")
    print(markdown(SUMMARY, [summary(driver, results) for driver, (_, results) in measured.items()]), end="")
    print(f"{table}: every shader and driver")
    if options.write:
        whole = not (options.short or options.programs or options.all) and len(measured) == len(DRIVERS)
        write(measured, {} if whole else expected)
    else:
        print("\n".join(changed[:200]))
        print(f"{len(changed)} of {len(rows)} lines are not as in tests/isa/expected.txt")
    print("\n".join(wrong))
    failed = len({fault.split(": ")[0] + fault.split(": ")[1] for fault in wrong})
    print(f"{len(rows) - failed} passed, {failed} failed")
    sys.exit(1 if wrong or not measured else 0)


if __name__ == "__main__":
    main()
