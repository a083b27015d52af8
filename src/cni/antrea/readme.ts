// The section of cluster/README.md about Antrea: the settings that its configuration needs.
import { listed, pluginPart } from '../readme-part.ts'
import type { Part, PlannedFile } from '../../model/plan.ts'
import type { NodeSpec } from '../../model/spec.ts'

export function readme(_: NodeSpec, files: readonly PlannedFile[]): readonly Part[] {
  return [pluginPart('antrea', 'cluster', { settings: listed(files, /^cluster\/linux-side\//) })]
}
