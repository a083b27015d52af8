// Listed: a list of maps as PowerShell wrote it, or wrote it again after somebody had read it.
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts'

/**
 * One item may stand alone, and a list may lie beside its count: that is ConvertTo-Json of Windows PowerShell.
 * `undefined` where it is no list, or where an item of it was cut to a text by -Depth.
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.utility/convertto-json
 */
export function listed(value: Json | undefined): readonly JsonObject[] | undefined {
  if (isList(value)) return value.every(isObject) ? value : undefined
  if (!isObject(value) || typeof value['error'] === 'string') return undefined
  const { value: items, Count } = value
  return isList(items) && typeof Count === 'number' ? listed(items) : [value]
}
