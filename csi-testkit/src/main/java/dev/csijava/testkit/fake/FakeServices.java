package dev.csijava.testkit.fake;

/** What the services of one driver share. */
final class FakeServices {
  final FakeSettings settings;
  final FakeState state;
  final Answer answer;
  final Fields fields;
  final Ranges ranges;
  final Capabilities capabilities;
  final Placement placement;
  final Snapshotter snapshotter;

  FakeServices(FakeSettings settings, FakeState state) {
    this.settings = settings;
    this.state = state;
    this.answer = new Answer(state);
    this.fields = new Fields(settings);
    this.ranges = new Ranges(settings);
    this.capabilities = new Capabilities(settings);
    this.placement = new Placement(settings.topologies, settings.topologiesPerVolume);
    this.snapshotter = new Snapshotter(settings, state);
  }

  /** UNIMPLEMENTED unless what the RPC needs is offered. */
  static void gate(boolean offered, String rpc) {
    if (!offered) {
      throw Failure.unimplemented(rpc);
    }
  }
}
