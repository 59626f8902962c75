package dev.csijava.core;

import io.netty.util.internal.logging.InternalLogLevel;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps gRPC's transport from writing what it receives into the log: at DEBUG it dumps every frame
 * as bytes, secrets included, and no redaction can reach in there (rule K3). Only that one logger
 * of Netty is silenced, and only below INFO; the application's choice of a logging library stays.
 */
final class FrameLogs {
  private static final Logger LOG = LoggerFactory.getLogger(FrameLogs.class);
  private static final String SERVER = "io.grpc.netty.NettyServerHandler";

  private FrameLogs() {}

  /** Takes effect for connections that are accepted afterwards; again changes nothing. */
  static synchronized void silence() {
    InternalLoggerFactory present = InternalLoggerFactory.getDefaultFactory();
    if (present instanceof WithoutFrames) {
      return;
    }
    try {
      // Protected, and the only way to ask whatever factory the application has chosen.
      Method newInstance =
          InternalLoggerFactory.class.getDeclaredMethod("newInstance", String.class);
      newInstance.setAccessible(true);
      InternalLoggerFactory.setDefaultFactory(new WithoutFrames(present, newInstance));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("keep the logger {} at INFO or above: below, it writes secrets", SERVER, e);
    }
  }

  private static Object invoke(Method method, Object target, Object @Nullable ... arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The application's factory but for one name. */
  private static final class WithoutFrames extends InternalLoggerFactory {
    private final InternalLoggerFactory real;
    private final Method newInstance;

    WithoutFrames(InternalLoggerFactory real, Method newInstance) {
      this.real = real;
      this.newInstance = newInstance;
    }

    @Override
    protected InternalLogger newInstance(String name) {
      InternalLogger logger = (InternalLogger) invoke(newInstance, real, name);
      return name.equals(SERVER) ? fromInfo(logger) : logger;
    }

    private static InternalLogger fromInfo(InternalLogger logger) {
      return (InternalLogger)
          Proxy.newProxyInstance(
              InternalLogger.class.getClassLoader(),
              new Class<?>[] {InternalLogger.class},
              (proxy, method, arguments) ->
                  isBelowInfo(method, arguments)
                      ? (method.getReturnType() == boolean.class ? Boolean.FALSE : null)
                      : invoke(method, logger, arguments));
    }

    private static boolean isBelowInfo(Method method, Object @Nullable [] arguments) {
      return switch (method.getName()) {
        case "isTraceEnabled", "isDebugEnabled", "trace", "debug" -> true;
        case "isEnabled", "log" ->
            arguments != null
                && arguments[0] instanceof InternalLogLevel level
                && level.compareTo(InternalLogLevel.INFO) < 0;
        default -> false;
      };
    }
  }
}
