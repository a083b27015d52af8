// The type of defects.json, which its schema checks.
import type { Defect } from '../model/known-faults.ts'

declare const table: { readonly defects: readonly Defect[] }
export = table
