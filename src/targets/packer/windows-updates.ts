// Windows Update in an image: the categories that a profile can name.
import type { View } from '../../model/plan.ts'
import type { UpdateCategory } from '../../model/target-settings.ts'

/** https://learn.microsoft.com/previous-versions/windows/desktop/ff357803(v=vs.85) */
const categoryIds = {
  CriticalUpdates: 'e6cf1350-c01b-414d-a61f-263d14d133b4',
  DefinitionUpdates: 'e0789628-ce08-4437-be74-2495b842f43b',
  SecurityUpdates: '0fa1201d-4330-4fa8-8ae9-b877473b6441',
  ServicePacks: '68c5b0a3-d1a6-4553-ae49-01d3a7827828',
  UpdateRollups: '28bc880e-0592-4cbf-8f95-c79b17911d5f',
  Updates: 'cd5ffd1e-e932-4e3a-bf74-18bf0b1bbd83',
} as const satisfies Readonly<Record<UpdateCategory, string>>

interface Wanted {
  readonly categories: readonly UpdateCategory[]
  readonly kbs: readonly string[]
}

export function hasUpdates({ categories, kbs }: Wanted): boolean {
  return categories.length + kbs.length > 0
}

export function updatesView({ categories, kbs }: Wanted): View {
  return {
    categories: categories.map((name) => ({ text: categoryIds[name] })),
    kbs: kbs.map((name) => ({ text: name.replace(/^KB/, '') })),
  }
}
