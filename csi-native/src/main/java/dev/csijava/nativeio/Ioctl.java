package dev.csijava.nativeio;

/** The control calls that are made; their numbers are the same on x86-64 and aarch64. */
enum Ioctl {
  CLONE("FICLONE", 0x40049409L),
  EXTENT_MAP("FS_IOC_FIEMAP", 0xC020660BL),
  FREEZE("FIFREEZE", 0xC0045877L),
  THAW("FITHAW", 0xC0045878L),
  DEVICE_SIZE("BLKGETSIZE64", 0x80081272L),
  LOOP_CLEAR("LOOP_CLR_FD", 0x4C01L),
  LOOP_SET_STATUS("LOOP_SET_STATUS64", 0x4C04L),
  LOOP_STATUS("LOOP_GET_STATUS64", 0x4C05L),
  LOOP_SET_CAPACITY("LOOP_SET_CAPACITY", 0x4C07L),
  LOOP_CONFIGURE("LOOP_CONFIGURE", 0x4C0AL),
  LOOP_FREE_NUMBER("LOOP_CTL_GET_FREE", 0x4C82L);

  private final String manualName;
  private final long number;

  Ioctl(String manualName, long number) {
    this.manualName = manualName;
    this.number = number;
  }

  /**
   * Makes the call.
   *
   * @param argument a number, or the address of what it reads or fills
   * @return what it answered
   * @throws LinuxException that names this request
   */
  long call(Descriptor file, long argument) throws LinuxException {
    long answer = answer(file, argument);
    if (answer < 0) {
      throw failure(Math.toIntExact(-answer));
    }
    return answer;
  }

  /** The same where an error is an answer like others: its number below 0. */
  long answer(Descriptor file, long argument) {
    return Syscalls.answer(SystemCall.IOCTL, file.number(), number, argument, 0, 0);
  }

  /** What a call throws that was answered with this error. */
  LinuxException failure(int errno) {
    return new LinuxException(manualName, errno);
  }

  /** Makes a call whose answer says nothing but success. */
  void on(Descriptor file, long argument) throws LinuxException {
    long _ = call(file, argument);
  }
}
