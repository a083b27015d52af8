// The formats of settings: a check and the description of a valid value for each.
import { isImagePattern, isNormalizedImagePattern } from './image-pattern.ts'
import { isAddressAndPort, isPortRange, isSloppyAddress, isSloppyCidr } from './address-forms.ts'
import {
  isGracePeriod,
  isLogSize,
  isNumber,
  isReclaim,
  isReserved,
  isShare,
  isThreshold,
} from './quantity-forms.ts'
import type { FormName } from '../../model/tables.ts'
import { parseQuantity } from '../../go/quantity.ts'
import { parseUrl } from '../../go/url.ts'
import { isList, isObject, type Json } from '../../model/json.ts'
import { minorBefore } from '../../matrix/standing.ts'

interface Form {
  readonly fits: (value: Json, version: string) => boolean
  readonly right: string | ((version: string) => string)
}

const text =
  (fits: (text: string) => boolean) =>
  (value: Json): boolean =>
    typeof value !== 'string' || fits(value)

/** A quantity, written as text or as a number. */
const amount = (value: Json) =>
  typeof value === 'string' || typeof value === 'number'
    ? parseQuantity(`${value}`.trim())
    : undefined

const keywords = ['primary', 'localhost', 'all']

export const forms: Readonly<Record<FormName, Form>> = {
  'address and port': {
    fits: text(isAddressAndPort),
    right: 'an IP address with an optional port, such as 0.0.0.0:10256',
  },
  CIDR: { fits: text(isSloppyCidr), right: 'a CIDR such as 10.0.0.0/24' },
  'CIDR or keyword': {
    fits: text((value) => keywords.includes(value) || isSloppyCidr(value)),
    right: `a CIDR such as 10.0.0.0/24, or one of ${keywords.join(', ')}`,
  },
  'CIDR or primary': {
    fits: text((value) => value === 'primary' || isSloppyCidr(value)),
    right: 'a CIDR such as 10.0.0.0/24, or only primary',
  },
  'container log size': {
    fits: text(isLogSize),
    right: 'a number of bytes such as 50Mi',
  },
  'CPU set': {
    fits: text((value) => value === '' || value.split(',').every(isCpuRange)),
    right: 'a CPU set such as 0-1,3',
  },
  'endpoint of traces': {
    fits: text(isEndpoint),
    right: 'host:port without a scheme, such as localhost:4317',
  },
  'eviction threshold': {
    fits: text(isThreshold),
    right: 'a quantity above zero such as 500Mi, or a percentage from 0% to 100%',
  },
  'grace period': { fits: text(isGracePeriod), right: 'a duration such as 1m30s' },
  'image pattern': {
    fits: text(isImagePattern),
    right: 'an image without tag or digest, or a prefix that ends in /*',
  },
  'IP address': { fits: text(isSloppyAddress), right: 'an IP address such as 0.0.0.0' },
  'kind of memory': {
    fits: text((value) => value === 'memory' || value.startsWith('hugepages-')),
    right: 'memory or a huge page size such as hugepages-2Mi',
  },
  'memory reserved once': {
    fits: isReservedOnce,
    right: 'a list with each memory type at most once per NUMA node',
  },
  'minimum reclaim': {
    fits: text(isReclaim),
    right: 'a quantity such as 500Mi, or a percentage above 0%',
  },
  'module of logs': {
    fits: isModule,
    right: 'a map with a filePattern that is not empty and contains no = or comma',
  },
  'normalized image pattern': {
    fits: text(isNormalizedImagePattern),
    right: 'an image with registry and without tag or digest, or a prefix that ends in /*',
  },
  number: { fits: text(isNumber), right: 'a number' },
  'pod log folder': {
    fits: text((value) => isClean(value) && !/[^\u0000-\u007f]/.test(value)),
    right: 'a clean path of ASCII characters: no trailing slash, empty parts, . or ..',
  },
  'port range': { fits: text(isPortRange), right: 'a port range such as 1000-2000' },
  'positive quantity': {
    fits: (value) => amount(value)?.zero !== true,
    right: 'more than zero',
  },
  // Only metrics deprecated in the previous minor can be shown: component-base, metrics/options.go.
  'previous minor': {
    fits: (value, version) => value === '' || value === minorBefore(version),
    right: minorBefore,
  },
  'reserved quantity': { fits: text(isReserved), right: 'a quantity such as 500m or 2Gi' },
  'share of memory': { fits: text(isShare), right: 'a percentage such as 50%' },
}

/** filePattern is required; a value that is no string is reported as a wrong type. */
function isModule(value: Json): boolean {
  const { filePattern = '' } = isObject(value) ? value : {}
  return typeof filePattern !== 'string' || /^[^=,]+$/.test(filePattern)
}

/** k8s.io/utils/cpuset, Parse. */
function isCpuRange(range: string): boolean {
  const [, from, to] = /^(\+?\d+)(?:-([-+]?\d+))?$/.exec(range) ?? []
  return from !== undefined && (to === undefined || Number(from) <= Number(to))
}

/** component-base, tracing/api/v1/config.go. */
function isEndpoint(endpoint: string): boolean {
  const url = parseUrl(endpoint.includes('//') ? endpoint : `dns://${endpoint}`)
  return 'scheme' in url && ['dns', 'unix', 'unix-abstract'].includes(url.scheme)
}

function isReservedOnce(list: Json): boolean {
  const ids = (isList(list) ? list : []).flatMap((item) => {
    const { numaNode, limits } = isObject(item) ? item : {}
    return Object.keys(isObject(limits) ? limits : {}).map(
      (kind) => `${JSON.stringify(numaNode ?? 0)} ${kind}`,
    )
  })
  return new Set(ids).size === ids.length
}

/** IsPathClean of pkg/util/filesystem. A relative path is joined to the kubelet's folder first, which cleans it. */
function isClean(folder: string): boolean {
  const plain = folder.replaceAll('\\', '/')
  const [volume] = /^(?:[A-Za-z]:(?=\/)|\/\/[^/]+\/+[^/]+)/.exec(plain) ?? []
  if (volume === undefined) return true
  const rest = plain.slice(volume.length)
  return /^\/?$/.test(rest) || /^(?:\/(?!\.{1,2}(?:\/|$))[^/]+)+$/.test(rest)
}
