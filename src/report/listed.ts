// Reads a list of maps in JSON from PowerShell, also after ConvertFrom-Json and ConvertTo-Json.
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts'

/**
 * ConvertTo-Json of Windows PowerShell can write a single item without a list, or a list in an object with its count.
 * `undefined` if the value is no list, or if -Depth cut an item to a string.
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.utility/convertto-json
 */
export function listed(value: Json | undefined): readonly JsonObject[] | undefined {
  if (isList(value)) return value.every(isObject) ? value : undefined
  if (!isObject(value) || typeof value['error'] === 'string') return undefined
  const { value: items, Count } = value
  return isList(items) && typeof Count === 'number' ? listed(items) : [value]
}
