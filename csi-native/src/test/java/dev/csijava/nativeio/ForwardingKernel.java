package dev.csijava.nativeio;

import dev.csijava.core.mount.MountOptions;

/** The kernel itself, to be changed at one call. */
class ForwardingKernel implements MountKernel {
  private final MountKernel kernel = MountKernel.system();

  @Override
  public Descriptor cloneOf(Descriptor source, MountOptions options) throws LinuxException {
    return kernel.cloneOf(source, options);
  }

  @Override
  public Descriptor newMount(NewFileSystem wanted) throws LinuxException {
    return kernel.newMount(wanted);
  }

  @Override
  public void restrict(Descriptor mount, MountOptions options) throws LinuxException {
    kernel.restrict(mount, options);
  }

  @Override
  public void attach(Descriptor clone, Descriptor target) throws LinuxException {
    kernel.attach(clone, target);
  }

  @Override
  public void unmount(Place place) throws LinuxException {
    kernel.unmount(place);
  }
}
