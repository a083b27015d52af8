// Ports that Kubernetes and its parts listen on.
// https://kubernetes.io/docs/reference/networking/ports-and-protocols/

/** Where the kubelet tells kubeadm that it runs; asked on the machine itself. */
export const kubeletHealthPort = 10_248
export const kubeletPort = 10_250
