// Ports that Kubernetes and its parts listen on.
// https://kubernetes.io/docs/reference/networking/ports-and-protocols/

export const kubeletPort = 10_250
