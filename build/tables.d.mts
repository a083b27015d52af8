import type { GenericSchema } from 'valibot'

export function readTables(
  folder: string,
  schemas: Readonly<Record<string, GenericSchema>>,
): Promise<Readonly<Record<string, unknown>>>
