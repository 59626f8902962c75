package dev.csijava.testkit.requirement;

import com.google.common.base.Splitter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The kit's own copy of the inventory, in the order of the specification's services.
 *
 * <p>Immutable; safe for any thread.
 *
 * @since 0.1.0
 */
public final class RequirementInventory {
  private static final int COLUMNS = 10;
  private static final RequirementInventory SHIPPED = read("requirements.tsv");
  private static final RequirementInventory ENGINES = read("engines.tsv");

  private final Map<String, Requirement> rows;

  private RequirementInventory(Map<String, Requirement> rows) {
    this.rows = rows;
  }

  /**
   * The inventory that this version of the kit carries.
   *
   * @since 0.1.0
   */
  public static RequirementInventory shipped() {
    return SHIPPED;
  }

  /**
   * What the engines look at beyond the specification's inventory: rows of the service Engines,
   * whose ids begin with {@code ENGINE-}.
   *
   * @since 0.1.0
   */
  public static RequirementInventory engines() {
    return ENGINES;
  }

  /**
   * The row with this id, of either inventory.
   *
   * @throws IllegalArgumentException if there is none
   * @since 0.1.0
   */
  public static Requirement anyRow(String id) {
    return (id.startsWith("ENGINE-") ? ENGINES : SHIPPED).row(id);
  }

  /**
   * All rows, in order.
   *
   * @since 0.1.0
   */
  public List<Requirement> rows() {
    return List.copyOf(rows.values());
  }

  /**
   * The row with this id.
   *
   * @throws IllegalArgumentException if there is none
   * @since 0.1.0
   */
  public Requirement row(String id) {
    Requirement row = rows.get(id);
    if (row == null) {
      throw new IllegalArgumentException("the inventory has no row " + id);
    }
    return row;
  }

  private static RequirementInventory read(String resourceName) {
    InputStream resource =
        Objects.requireNonNull(
            RequirementInventory.class.getResourceAsStream(resourceName), resourceName);
    Map<String, Requirement> rows = new LinkedHashMap<>();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
      lines.lines().skip(1).map(RequirementInventory::parse).forEach(r -> rows.put(r.id(), r));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new RequirementInventory(rows);
  }

  private static Requirement parse(String line) {
    List<String> cell = Splitter.on('\t').splitToList(line);
    if (cell.size() != COLUMNS) {
      throw new IllegalStateException("a row of the inventory has not ten columns: " + line);
    }
    List<String> codes = new ArrayList<>(Splitter.on('|').splitToList(cell.get(7)));
    codes.remove("-");
    return new Requirement(
        cell.get(0),
        cell.get(1),
        cell.get(2),
        cell.get(3),
        cell.get(4),
        cell.get(5),
        cell.get(6),
        List.copyOf(codes),
        Testability.valueOf(cell.get(8)),
        cell.get(9));
  }
}
