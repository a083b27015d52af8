// The SMB CSI driver for Windows: its published images, and the server of a share.

/** https://github.com/kubernetes-csi/csi-driver-smb/blob/v1.20.3/deploy/v1.20.3/csi-smb-node-windows-hostprocess.yaml */
export const smbCsiImage = 'registry.k8s.io/sig-storage/smbplugin:v1.20.3-windows-hp'
export const smbRegistrarImage = 'registry.k8s.io/sig-storage/csi-node-driver-registrar:v2.17.0'

/** `files.example.com` for `//files.example.com/share`, in lower case. */
export const smbServerOf = (source: string): string => (source.split('/')[2] ?? '').toLowerCase()
