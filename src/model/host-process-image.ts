// The image of HostProcess pods that run a program of the node: it has a file system without programs.

/** https://github.com/microsoft/windows-host-process-containers-base-image */
export const hostProcessImage =
  'mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0'
