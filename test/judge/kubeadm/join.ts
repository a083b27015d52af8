// What kubeadm says of a JoinConfiguration: util/config/joinconfiguration.go, LoadJoinConfigurationFromFile.
// https://github.com/kubernetes/kubernetes/tree/master/cmd/kubeadm/app/util/config
import { ignored, refused, warned, type Finding } from '../finding.ts'
import { decode } from '../go/decode.ts'
import { isMap, type Document } from '../go/json-reader.ts'
import { readText } from '../go/text.ts'
import { typeMetaOf } from '../go/type-meta.ts'
import { isBefore, isWithin } from '../minors.ts'
import { formats } from './join-fields.ts'
import { judgeJoinValues, type Exists } from './join-values.ts'

/** `exists` decides whether a path exists; kubeadm looks for the discovery file at once. */
export function judgeJoin(text: string, version: string, exists: Exists): readonly Finding[] {
  const documents: Document[] = []
  const parts = splitDocuments(text)
  if (!parts) return [refused('invalid Yaml document separator')]
  for (const part of parts) {
    const read = readText(part)
    if ('fault' in read) return [refused(read.fault)]
    documents.push(read)
  }
  const found = documents.map((document) => ({
    ...document,
    ...typeMetaOf(isMap(document.value) ? document.value : {}),
  }))
  if (found.some((one) => [one.kind, one.group, one.version].includes('')))
    return [refused('kind and apiVersion is mandatory information that must be specified')]
  const strange = found.find(({ apiVersion }) => apiVersion.split('/').length > 2)
  if (strange) return [refused(`unexpected GroupVersion string: ${strange.apiVersion}`)]
  const kinds = found.map(({ kind }) => kind)
  if (new Set(kinds).size < kinds.length)
    return [refused('invalid configuration: a kind is specified twice in YAML file')]
  const [join] = found.filter(({ kind }) => kind === 'JoinConfiguration')
  const strangers = found.filter(({ kind }) => kind !== 'JoinConfiguration')
  if (!join) return [refused('no JoinConfiguration found in the supplied config')]
  return [
    // https://github.com/kubernetes/kubernetes/pull/130345
    ...(isBefore(version, '1.33') ? [] : strangers).map(({ apiVersion, kind }) =>
      ignored(`Ignored configuration document with GroupVersionKind ${apiVersion}, Kind=${kind}`),
    ),
    ...judgeDocument(join, join.apiVersion, version, exists),
  ]
}

/** apimachinery, pkg/util/yaml/decoder.go, YAMLReader: a blank line is a document, nothing at all is none. */
function splitDocuments(text: string): readonly string[] | undefined {
  const lines = text.split(/(?<=\n)/)
  const parts: string[] = []
  let part = ''
  for (const line of lines) {
    const separator = line.startsWith('---')
    if (separator && !/^---\s*(?:#.*)?$/.test(line.trim())) return undefined
    if (separator && part !== '') {
      parts.push(part)
      part = ''
    } else part += line
  }
  return part === '' ? parts : [...parts, part]
}

function judgeDocument(
  { value, twice }: Document,
  apiVersion: string,
  version: string,
  exists: Exists,
): readonly Finding[] {
  const format = Object.hasOwn(formats, apiVersion) ? formats[apiVersion] : undefined
  if (!format) return [refused(`no kind "JoinConfiguration" is registered for "${apiVersion}"`)]
  if (!isWithin(version, format.minors))
    return [refused(`kubeadm ${version} does not read ${apiVersion}`)]
  const old = format.deprecated !== undefined && !isBefore(version, format.deprecated)
  const decoded = decode(value, format.fields)
  const findings = [
    ...(old ? [warned(`your configuration file uses a deprecated API spec: "${apiVersion}"`)] : []),
    ...twice.map((key) => warned(`strict decoding error: key "${key}" already set in map`)),
    ...decoded.findings,
  ]
  const unread = findings.some(({ verdict }) => verdict === 'refused')
  return unread ? findings : [...findings, ...judgeJoinValues(decoded.value, version, exists)]
}
