// The machine of a profile, in units of providers.
import type { Facts } from '../model/facts.ts'
import { mebibytes } from '../sizing/quantities.ts'
import type { Input } from './target.ts'

/** Size of drive C:, rounded up to whole GiB. */
export function diskGiB({ spec }: Facts): number {
  return Math.ceil((mebibytes(spec.machine.disk, 'up') ?? 0) / 1024)
}

/** The size of Windows Server images on Azure, except those whose SKU ends in -smalldisk. */
const azureImageGB = 127

/**
 * `undefined` for the size of the image: Azure refuses a smaller disk, and the assumed size is one.
 * https://github.com/Azure/azure-sdk-for-python/issues/23051
 */
export function azureDiskGB({ facts, isSet }: Input): number | undefined {
  const size = diskGiB(facts)
  return isSet(['machine', 'disk']) && size >= azureImageGB ? size : undefined
}
