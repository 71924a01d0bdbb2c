// SPDX-License-Identifier: BSD-3-Clause
// Flames as JWildfire 9 draws them, without its denoisers and with a sample per pixel and bucket,
// run by hand beside fathom flame render --supersample 1 (docs/results/jwildfire.md).
//   java -cp CLASSES:LIBRARIES:. Pictures WIDTH QUALITY FOLDER < FILES
// A line of FILES is the path of a flame; its picture is FOLDER/NAME.png. With a fourth argument,
// "7", priorities of 0 mean what they did in JWildfire 7: what is called pre_ acts before the others.
import java.io.File;
import java.nio.file.*;
import java.util.*;
import org.jwildfire.base.Prefs;
import org.jwildfire.create.tina.animate.AnimationService;
import org.jwildfire.create.tina.base.Flame;
import org.jwildfire.create.tina.io.FlameReader;
import org.jwildfire.create.tina.render.*;
import org.jwildfire.create.tina.render.denoiser.AIPostDenoiserType;
import org.jwildfire.io.ImageWriter;

public class Pictures {
  static void draw(String path, int width, double quality, String folder, boolean likeSeven) throws Exception {
    String text = new String(Files.readAllBytes(Paths.get(path)), "UTF-8");
    if (likeSeven) text = text.replaceAll("(\\bpre_\\w+_fx_priority)=\"0\"", "$1=\"-1\"");
    Flame flame = new FlameReader(Prefs.getPrefs()).readFlamesfromXML(text).get(0);
    flame = AnimationService.evalMotionCurves(flame.makeCopy(), flame.getFrame());
    int height = Math.max(1, (int) Math.round((double) width * flame.getHeight() / flame.getWidth()));
    flame.setPixelsPerUnitScale(
        ((double) width / flame.getWidth() + (double) height / flame.getHeight()) / 2);
    flame.setSampleDensity(quality);
    flame.setSpatialOversampling(1);
    flame.setAiPostDenoiser(AIPostDenoiserType.NONE);
    RenderedFlame picture = new FlameRenderer(flame, Prefs.getPrefs(), false, false)
        .renderFlame(new RenderInfo(width, height, RenderMode.PRODUCTION));
    String name = new File(path).getName().replaceAll("\\.[^.]*$", "");
    new ImageWriter().saveImage(picture.getImage(), folder + "/" + name + ".png");
  }

  public static void main(String[] arguments) throws Exception {
    for (Scanner in = new Scanner(System.in); in.hasNextLine();)
      draw(in.nextLine(), Integer.parseInt(arguments[0]), Double.parseDouble(arguments[1]), arguments[2],
          arguments.length > 3 && arguments[3].equals("7"));
    System.exit(0);
  }
}
