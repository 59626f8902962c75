package dev.csijava.testkit.manifests;

/** The ports of a pod, each with a number and a name of its own. */
final class Ports {
  static final int LIVENESS = 9808;
  static final int REGISTRAR = 9809;
  static final int METADATA = 50051;
  static final int METADATA_HEALTH = 8080;
  static final int METADATA_SERVICE = 6443;

  static final String HEALTH_NAME = "healthz";
  static final String REGISTRAR_NAME = "registrar";
  static final String METADATA_NAME = "metadata";
  static final String METADATA_HEALTH_NAME = "metadata-health";

  private Ports() {}
}
