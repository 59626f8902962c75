package dev.csijava.hostpath.copy;

import dev.csijava.nativeio.Errno;
import dev.csijava.nativeio.LinuxException;
import dev.csijava.nativeio.NodeStatus;
import dev.csijava.nativeio.NodeType;
import dev.csijava.nativeio.OpenNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a copy the owner, mode, extended attributes and times of what it was made of, in the order
 * in which none undoes another: a new owner takes set-id bits and capabilities away, an ACL is part
 * of the mode, and all of it sets the time of change.
 *
 * <p>An attribute that the copy's file system can't have is left out (B128); any other error is
 * one.
 */
final class AttributeCopy {
  private static final Logger log = LoggerFactory.getLogger(AttributeCopy.class);

  private static final String ACL = "system.posix_acl_";

  /** How xfs keeps those; elsewhere it would be left lying about. */
  private static final String ACL_OF_XFS = "trusted.SGI_ACL_";

  private boolean said;

  /**
   * @param status of the source, from before it was read
   */
  void copy(OpenNode source, NodeStatus status, OpenNode target) throws LinuxException {
    target.setOwner(status.user(), status.group());
    if (status.type() != NodeType.LINK) {
      target.setMode(status.mode());
    }
    for (String name : source.attributeNames()) {
      if (name.startsWith(ACL_OF_XFS)) {
        continue;
      }
      byte[] value = source.attribute(name).orElse(null);
      if (value != null) {
        set(target, name, value);
      }
    }
    target.setTimes(status.accessed(), status.modified());
  }

  private void set(OpenNode target, String name, byte[] value) throws LinuxException {
    try {
      target.setAttribute(name, value);
    } catch (LinuxException e) {
      if (!e.is(Errno.EOPNOTSUPP, Errno.EPERM)) {
        throw e;
      }
      if (!said) {
        said = true;
        log.warn("the copy can't have the attribute {}, and others maybe: {}", name, e.toString());
      }
    }
  }

  /** Takes away what a new directory has from the one above, so that nothing below inherits it. */
  static void clearInherited(OpenNode made) throws LinuxException {
    for (String name : made.attributeNames()) {
      if (name.startsWith(ACL)) {
        made.removeAttribute(name);
      }
    }
  }
}
