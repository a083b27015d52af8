// How a program on the node authenticates to the API server.

/** Every value is a path on the node. */
export type Credentials =
  | { readonly kind: 'kubeconfig'; readonly kubeconfig: string }
  | { readonly kind: 'tokenFile'; readonly tokenFile: string }
  | { readonly kind: 'clientCertificate'; readonly certificate: string; readonly key: string }
