// Decodes one file of KubeletConfiguration: pkg/kubelet/kubeletconfig/configfiles/configfiles.go.
import type { JsonObject } from '../../../src/model/json.ts'
import { ignored, refused, warned, type Finding } from '../finding.ts'
import { decode } from '../go/decode.ts'
import { isMap } from '../go/json-reader.ts'
import { readText } from '../go/text.ts'
import { typeMetaOf, type TypeMeta } from '../go/type-meta.ts'
import { fieldsOf } from './defaults.ts'

export type Reader = 'this version' | 'any version'

export interface Read {
  readonly value: JsonObject
  readonly findings: readonly Finding[]
}

export function readDocument(text: string, version: string, reader: Reader): Read {
  const read = readText(text)
  if ('fault' in read) return { value: {}, findings: [refused(`failed to decode: ${read.fault}`)] }
  const { value, twice, more } = read
  if (!isMap(value)) return { value: {}, findings: [refused("Object 'Kind' is missing")] }
  const fault = kindFault(typeMetaOf(value), reader)
  if (fault !== undefined) return { value: {}, findings: [refused(`failed to decode: ${fault}`)] }
  const decoded = decode(value, fieldsOf(version))
  return {
    value: decoded.value,
    findings: [
      ...twice.map((key) => warned(`strict decoding error: key "${key}" already set in map`)),
      ...(more === true ? [ignored('a second document is passed over')] : []),
      ...decoded.findings,
    ],
  }
}

function kindFault({ kind, apiVersion }: TypeMeta, reader: Reader): string | undefined {
  if (kind === '') return "Object 'Kind' is missing"
  if (apiVersion === '') return "Object 'apiVersion' is missing"
  const known = reader === 'any version' || apiVersion === 'kubelet.config.k8s.io/v1beta1'
  if (known && kind === 'KubeletConfiguration') return undefined
  return `no kind "${kind}" is registered for version "${apiVersion}"`
}
