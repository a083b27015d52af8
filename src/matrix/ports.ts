// Ports that Kubernetes and its parts listen on.
// https://kubernetes.io/docs/reference/networking/ports-and-protocols/

/** The kubelet's healthz port, which kubeadm polls on the machine itself. */
export const kubeletHealthPort = 10_248
/** The default of the kubelet's API. */
export const kubeletPort = 10_250
/** The default of kube-proxy's metrics. */
export const proxyMetricsPort = 10_249
/** The default of the health check port of kube-proxy or its replacement, for load balancers. */
export const proxyHealthPort = 10_256
