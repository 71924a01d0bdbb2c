#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What isa.py reads from drivers' messages, and what it finds wrong; no driver is needed."""
import json
import unittest

import isa

INTEL = ("CS SIMD16 shader: 900 inst, 3 loops, 4000 cycles, 7:9 spills:fills, 20 sends, scheduled with mode top-down. "
         "CS SIMD8 shader: 589 inst, 3 loops, 3000 cycles, 2:3 spills:fills, 20 sends, scheduled with mode top-down.")
AMD = ("Shader Stats: SGPRS: 48 VGPRS: 184 Code Size: 1016 LDS: 0 Scratch: 33792 Max Waves: 2 Spilled SGPRs: 1 "
       "Spilled VGPRs: 4 PrivMem VGPRs: 0 DivergentLoop: 0, InlineUniforms: 0, ParamExports: 0, (CS, W32)")
NVIDIA = "type: 5, local: 16, shared: 32768, gpr: 23, inst: 188, bytes: 2008, cached: 0"


def result(**changes):
    return {"status": "ok", "ms": 10, "log": "", "figures": {}, **changes}


class Messages(unittest.TestCase):
    def test_intel_takes_the_last_width(self):
        self.assertEqual(isa.parse("tgl", 64, INTEL), {"simd": 8, "instructions": 589, "spills": 2, "fills": 3})

    def test_amd_tells_scratch_of_an_invocation(self):
        figures = isa.parse("navi21", 64, AMD)
        self.assertEqual((figures["registers"], figures["waves"], figures["scratch"], figures["spills"]), (184, 2, 1056, 4))

    def test_nvidia_has_the_warps_that_shared_memory_leaves(self):
        figures = isa.parse("gp104", 64, NVIDIA)
        self.assertEqual((figures["scratch"], figures["registers"], figures["waves"]), (16, 23, 6))
        self.assertEqual(isa.warps(registers=128, shared=0, group=256, turing=False), 16)

    def test_nothing_is_read_from_other_messages(self):
        self.assertEqual(isa.parse("tgl", 64, "Buffer detailed info"), {})


class Faults(unittest.TestCase):
    def test_there_are_none_within_the_limits(self):
        self.assertEqual(isa.faults(result(ms=1999, figures={"scratch": 256, "spills": 3}), "spills 3"), [])

    def test_there_are_for_each_limit(self):
        self.assertIn("refused", isa.faults(result(status="link", log="too many"), None)[0])
        self.assertIn("crashed", isa.faults(result(status="crash"), None)[0])
        self.assertIn("not compiled", isa.faults(result(status="over"), None)[0])
        self.assertIn("compiles for 2.5 s", isa.faults(result(ms=2500), None)[0])
        self.assertIn("257 B", isa.faults(result(figures={"scratch": 257}), None)[0])

    def test_spills_count_against_what_is_expected(self):
        spilling = result(figures={"spills": 2, "fills": 2})
        self.assertIn("spills", isa.faults(spilling, None)[0])
        self.assertIn("spills", isa.faults(spilling, "spills 2, fills 1")[0])
        self.assertEqual(isa.faults(spilling, "spills 3, fills 1"), [])

    def test_an_extension_that_a_driver_lacks_is_none(self):
        self.assertEqual(isa.faults(result(status="lacks GL_KHR_shader_subgroup_basic"), None), [])


class Costs(unittest.TestCase):
    def test_they_are_told_or_follow_from_code_and_a_file_has_the_median(self):
        made = json.loads(isa.costs(["a.comp X=1 | tgl | simd 16, instructions 10", "a.comp X=2 | tgl | simd 16, instructions 30",
                                     "a.comp X=1 | navi21 | registers 8, waves 6, code 600", "a.comp X=1 | dg2 | instructions 9",
                                     "b.comp of truchet | gp104 | instructions 7, waves 9",
                                     "b.comp of genome one | gp104 | instructions 70, waves 8", "c.comp | tgl | link"]))
        self.assertEqual(made["shaders/a.comp X=1"], {"tgl": [10, 0], "navi21": [100, 6]})
        self.assertEqual(made["shaders/a.comp"], {"tgl": [20, 0], "navi21": [100, 6]})
        self.assertEqual(made["shaders/b.comp"], {"gp104": [70, 8]})
        self.assertNotIn("shaders/c.comp", made)

    def test_those_of_the_program_are_of_the_expectation(self):
        lines = (isa.HERE / "expected.txt").read_text().splitlines()
        self.assertEqual((isa.ROOT / "app/lab/shaders.json").read_text(), isa.costs(lines))


class Names(unittest.TestCase):
    def test_a_shader_is_known_by_its_file_and_defines(self):
        text = "#version 450 core\n#define WAYS 8\n// SPDX-License-Identifier: BSD-3-Clause\n// Merges.\n\nvoid main() {}\n"
        self.assertEqual(isa.name_of(text, {"// Merges.": "deep/merge.comp"}), "deep/merge.comp WAYS=8")

    def test_no_two_files_open_alike(self):
        count = sum(1 for ending in ("comp", "vert", "frag") for _ in (isa.ROOT / "shaders").rglob(f"*.{ending}"))
        self.assertEqual(len(isa.openings()), count)

    def test_commands_of_a_line_share_its_environment(self):
        lines = list(isa.commands())
        self.assertGreater(len(lines), 40)
        self.assertTrue(all(words[0] in ("deep", "dof", "flame", "smoe", "active-pixel") for line in lines for _, words in line))
        self.assertIn({"force_gl_renderer": "GPU"}, [environment for line in lines for environment, _ in line])


if __name__ == "__main__":
    unittest.main()
