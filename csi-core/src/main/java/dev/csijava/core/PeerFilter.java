package dev.csijava.core;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.function.Predicate;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets only some users connect, by the credentials that the kernel noted for the connection. */
record PeerFilter(Set<UserPrincipal> allowed) implements Predicate<SocketChannel> {
  private static final Logger LOG = LoggerFactory.getLogger(PeerFilter.class);

  @Override
  public boolean test(SocketChannel peer) {
    try {
      UserPrincipal user = peer.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
      if (allowed.contains(user)) {
        return true;
      }
      LOG.warn("a connection of user {} is refused; it is not on the list", user.getName());
    } catch (IOException | UnsupportedOperationException e) {
      LOG.warn("a connection is refused, since its user can't be told", e);
    }
    return false;
  }
}
