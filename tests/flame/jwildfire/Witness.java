// SPDX-License-Identifier: BSD-3-Clause
// What JWildfire 9 makes of xforms: the witness of flame.variations, run by hand (docs/results/jwildfire.md).
//   java -cp CLASSES:LIBRARIES:. Witness < QUESTIONS > tests/flame/data/jwildfire.txt
// A question is the attributes of an xform. It comes back with a tab, whether it drew random numbers, the
// share of points that stay near, and means over those, term by term as jwildfire_test.cpp has them.
import java.util.*;
import org.jwildfire.base.Prefs;
import org.jwildfire.create.tina.base.*;
import org.jwildfire.create.tina.io.FlameReader;
import org.jwildfire.create.tina.random.AbstractRandomGenerator;
import org.jwildfire.create.tina.render.FlameRenderer;
import org.jwildfire.create.tina.variation.FlameTransformationContext;

public class Witness {
  static final int GRID = 20, REPEATS = 25, POINTS = GRID * GRID;

  static class Counted extends AbstractRandomGenerator {
    final Random random = new Random(1);
    long draws = 0;
    @Override public double random() { ++draws; return random.nextDouble(); }
    @Override public void randomize(long seed) {}
    @Override public void cleanup() {}
  }

  static boolean isBad(double v) { return !(Math.abs(v) <= 1e10); }
  static double squashed(double v) { return isBad(v) ? 0 : v / (1 + Math.abs(v)); }

  static String answer(String attributes) {
    Flame flame = new FlameReader(Prefs.getPrefs()).readFlamesfromXML(
        "<flame version=\"JWildfire V9.00\" preserve_z=\"1\" size=\"9 9\"><xform weight=\"1\" color=\"0.3\" "
        + "symmetry=\"0.2\" coefs=\"0.9 0.2 -0.3 0.8 0.1 -0.2\" " + attributes + "/></flame>").get(0).makeCopy();
    Counted random = new Counted();
    FlameTransformationContext context = new FlameTransformationContext(
        new FlameRenderer(flame, Prefs.getPrefs(), false, false), random, 0, 1);
    context.setPreserveZCoordinate(true);
    flame.getFirstLayer().refreshModWeightTables(context);
    random.draws = 0;
    double[] sums = new double[16], first = new double[POINTS];
    double count = 0;
    boolean varies = false;
    XYZPoint affine = new XYZPoint(), varied = new XYZPoint();
    for (int n = 0; n < REPEATS * POINTS; ++n) {
      int repeat = n / POINTS, i = (n + repeat) % POINTS;
      double px = (i % GRID + 0.5) / GRID * 2 - 1, py = (i / GRID + 0.5) / GRID * 2 - 1;
      XYZPoint from = new XYZPoint(), to = new XYZPoint();
      from.x = 1.7 * px; from.y = 1.6 * py; from.z = (i * 7 % 11 - 5) / 6.0; from.color = 0.6;
      flame.getFirstLayer().getXForms().get(0).transformPoint(context, affine, varied, from, to);
      varies = varies || (repeat > 0 && first[i] != to.x + to.y && first[i] == first[i]);
      first[i] = to.x + to.y;
      if (isBad(to.x) || isBad(to.y)) continue;
      double x = squashed(to.x), y = squashed(to.y), z = squashed(to.z), wave = Math.cos(17 * i);
      double[] terms = {x, y, z, x * px, y * py, x * py, y * px, z * px, x * x, y * y, x * wave, y * wave,
          z * wave, to.color, to.color * x, to.doHide ? 1 : 0};
      for (int k = 0; k < terms.length; ++k) sums[k] += terms[k];
      ++count;
    }
    String line = String.format("\t%s %.4f", random.draws > 0 || varies ? "random" : "same", count / (REPEATS * POINTS));
    for (double sum : sums) line += String.format(" %.4f", count > 0 ? sum / count : 0);
    return attributes + line;
  }

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    for (Scanner in = new Scanner(System.in); in.hasNextLine();) System.out.println(answer(in.nextLine()));
    System.exit(0);
  }
}
