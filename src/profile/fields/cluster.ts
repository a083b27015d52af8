// Fields of objects that a bundle adds to the cluster, beside those that its nodes need.
import { group } from '../../model/field.ts'
import { csrApprover } from './addons/csr-approver.ts'
import { drift } from './addons/drift.ts'
import { fluentBit } from './addons/fluent-bit.ts'
import { gmsa } from './addons/gmsa.ts'
import { imagePull } from './addons/image-pull.ts'
import { policies } from './addons/policies.ts'
import { smbCsi } from './addons/smb-csi.ts'
import { windowsExporter } from './addons/windows-exporter.ts'

export const cluster = group(
  { policies, imagePull, smbCsi, fluentBit, windowsExporter, csrApprover, gmsa, drift },
  'Objects for the cluster, beside those that the nodes need.',
)
