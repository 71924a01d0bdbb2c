// SPDX-License-Identifier: BSD-3-Clause
// Small genomes as text, for the tests of reading, of the technique and of the commands.
#pragma once

namespace fathom::flame::test {

/// `<flame FLAME>INSIDE</flame>`
inline std::string flameXml(const std::string& inside,
                            const std::string& attributes = "time=\"0\"") {
  return "<flame " + attributes + ">" + inside + "</flame>\n";
}

inline const std::string kXform = R"(<xform weight="1" linear="1"/>)";

/// Sierpinski's triangle in three colors, 60 x 40.
inline std::string triangle(const std::string& more = "") {
  return flameXml(
      R"(<xform weight="1" color="0" linear="1" coefs="0.5 0 0 0.5 -0.5 -0.5"/>
         <xform weight="1" color="0.5" linear="1" coefs="0.5 0 0 0.5 0.5 -0.5"/>
         <xform weight="1" color="1" linear="1" coefs="0.5 0 0 0.5 0 0.5"/>
         <color index="0" rgb="255 0 0"/><color index="128" rgb="0 255 0"/>
         <color index="255" rgb="0 0 255"/>)" +
          more,
      R"(name="triangle" size="60 40" scale="18" quality="20" estimator_radius="0" nick="us")");
}

}  // namespace fathom::flame::test
