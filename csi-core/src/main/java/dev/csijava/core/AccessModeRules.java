package dev.csijava.core;

import dev.csijava.core.FieldRule.Kind;
import dev.csijava.spec.v1.VolumeCapability;
import io.grpc.Status;
import java.util.List;
import java.util.function.Predicate;

/** What a volume capability may ask for only if the driver has a capability for it. */
final class AccessModeRules {
  private AccessModeRules() {}

  /**
   * The two single-writer modes need SINGLE_NODE_MULTI_WRITER on the side that is called. Laid on a
   * field that holds one capability or a list of them.
   *
   * @param code as the call's own table says for a capability that is not supported
   */
  static FieldRule singleWriterModes(
      Status.Code code, Predicate<CapabilityView> offered, String... partOf) {
    Rule rule =
        Rule.of(
                code,
                "asks for SINGLE_NODE_SINGLE_WRITER or SINGLE_NODE_MULTI_WRITER only with the"
                    + " capability SINGLE_NODE_MULTI_WRITER",
                partOf)
            .partly();
    return new FieldRule(
        Kind.CAPABILITY,
        rule,
        (value, broken, walk) -> {
          if (offered.test(walk.capabilities())) {
            return;
          }
          if (value instanceof VolumeCapability single && isSingleWriter(single)) {
            walk.broken(broken, why(single));
          }
          List<?> list = FieldRules.list(value);
          for (int i = 0; i < list.size(); i++) {
            VolumeCapability element = (VolumeCapability) list.get(i);
            if (isSingleWriter(element)) {
              walk.brokenElement(broken, i, why(element));
            }
          }
        });
  }

  private static String why(VolumeCapability capability) {
    return "asks for the access mode "
        + capability.getAccessMode().getMode()
        + ", but the driver lacks the capability SINGLE_NODE_MULTI_WRITER; ask for"
        + " SINGLE_NODE_WRITER";
  }

  private static boolean isSingleWriter(VolumeCapability capability) {
    return switch (capability.getAccessMode().getMode()) {
      case SINGLE_NODE_SINGLE_WRITER, SINGLE_NODE_MULTI_WRITER -> true;
      default -> false;
    };
  }
}
