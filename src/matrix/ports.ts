// Ports that Kubernetes and its parts listen on.
// https://kubernetes.io/docs/reference/networking/ports-and-protocols/

/** Where the kubelet tells kubeadm that it runs; asked on the machine itself. */
export const kubeletHealthPort = 10_248
export const kubeletPort = 10_250
/** Where kube-proxy, or what takes its place, says whether a load balancer may send packets here. */
export const proxyHealthPort = 10_256
