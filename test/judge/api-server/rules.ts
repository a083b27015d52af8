// CEL rules of custom resources, each beside its text: a rule that is not here is an error.
import { isObject, type Json } from '../../../src/model/json.ts'
import { textOf } from '../go/scalar.ts'

/** `has` of CEL. */
const has = (self: Json, name: string) => isObject(self) && self[name] !== undefined
const member = (self: Json, name: string) => (isObject(self) ? self[name] : undefined)
const items = (self: Json): readonly Json[] => (Array.isArray(self) ? (self as Json[]) : [])

/** Texts as the CRDs have them; whether the value holds to it. */
export const celRules: Readonly<Record<string, (self: Json) => boolean>> = {
  'self.all(x, self.exists_one(y, x.name == y.name))': (self) => {
    const names = items(self).map((item) => member(item, 'name'))
    return new Set(names).size === names.length
  },
  '[has(self.layout),has(self.diskLayout)].filter(x,x==true).size() == 1': (self) =>
    has(self, 'layout') !== has(self, 'diskLayout'),
  "self.matches('^(Linux|LinuxSwap|LinuxRAID|LVM|Fat32|NTFS|LinuxExtended|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$')":
    (self) =>
      /^(Linux|LinuxSwap|LinuxRAID|LVM|Fat32|NTFS|LinuxExtended|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$/.test(
        textOf(self),
      ),
  "!(self in ['Ready','Available','HealthCheckSucceeded','OwnerRemediated','ExternallyRemediated'])":
    (self) =>
      ![
        'Ready',
        'Available',
        'HealthCheckSucceeded',
        'OwnerRemediated',
        'ExternallyRemediated',
      ].includes(textOf(self)),
  "!has(self.capacityReservationId) || !has(self.marketType) || self.marketType != 'Spot'": (
    self,
  ) => !has(self, 'capacityReservationId') || member(self, 'marketType') !== 'Spot',
  '!has(self.capacityReservationId) || !has(self.spotMarketOptions)': (self) =>
    !has(self, 'capacityReservationId') || !has(self, 'spotMarketOptions'),
  "self in ['none','amazon-pool']": (self) => ['none', 'amazon-pool'].includes(textOf(self)),
}
