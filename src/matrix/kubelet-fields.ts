// Fields of KubeletConfiguration (kubelet.config.k8s.io/v1beta1), with their types and defaults on Windows.
// https://github.com/kubernetes/kubelet/blob/master/config/v1beta1/types.go
import type { ConfigField } from '../model/config-rows.ts'
import { kubeletFieldsToL } from './kubelet-fields/a-l.ts'
import { kubeletFieldsToZ } from './kubelet-fields/m-z.ts'
import { nestedKubeletFields } from './kubelet-fields/nested.ts'

export const kubeletFields: Readonly<Record<string, ConfigField>> = {
  ...kubeletFieldsToL,
  ...kubeletFieldsToZ,
  ...nestedKubeletFields,
}
