// The image of HostProcess pods whose program is on the node: it contains a file system and no program.

/** https://github.com/microsoft/windows-host-process-containers-base-image */
export const hostProcessImage =
  'mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0'
