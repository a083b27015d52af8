import type { GenericSchema } from 'valibot'

export function checkTables(
  folder: string,
  schemas: Readonly<Record<string, GenericSchema>>,
): Promise<void>
