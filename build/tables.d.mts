import type { GenericSchema } from 'valibot'

export function readTables(
  folder: string,
  schemas: Readonly<Record<string, GenericSchema>>,
): Promise<Readonly<Record<string, unknown>>>

export function editorSchema(
  name: string,
  shapes: {
    readonly tableSchemas: Readonly<Record<string, GenericSchema>>
    readonly sharedShapes: Readonly<Record<string, Record<string, GenericSchema>>>
  },
): string
