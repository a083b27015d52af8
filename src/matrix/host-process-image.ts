// The image of HostProcess pods that run a program from the node.
/** A base image without programs: https://github.com/microsoft/windows-host-process-containers-base-image */
export const hostProcessImage =
  'mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0'
