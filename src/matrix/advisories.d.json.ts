// The type of advisories.json, which its schema checks.
import type { Advisory } from '../model/known-faults.ts'

declare const table: { readonly advisories: readonly Advisory[] }
export = table
