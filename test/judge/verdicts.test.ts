// Recorded verdicts of the real programs about files and flags, compared with the judge.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { parse, parseDocument } from 'yaml'
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { judgeResource } from './api-server/custom-resource.ts'
import { ignored, refused, verdictOf, type Finding, type Verdict } from './finding.ts'
import { type Processed, processUserData } from './cloudbase-init/user-data.ts'
import {
  type Answers,
  type Flags,
  judgeRequest,
  type Request,
  startApprover,
} from './csr-approver.ts'
import { judgeFlanneld } from './flannel/flanneld.ts'
import { judgeHostLocal } from './cni/host-local.ts'
import { judgeJoin } from './kubeadm/join.ts'
import { judgeKubelet } from './kubelet/kubelet.ts'
import { crds } from '../tools/crds.ts'
import { root } from '../tools/run.ts'
import { textOf } from './go/scalar.ts'

interface Answer {
  readonly versions: readonly string[]
  readonly verdict: Verdict
  readonly message?: string
}

interface Case {
  readonly id: string
  readonly base?: string
  readonly input?: JsonObject
  readonly change?: JsonObject
  readonly answers: readonly Answer[]
}

type Judge = (one: Case, version: string, cases: ReadonlyMap<string, Case>) => readonly Finding[]

const judges: Readonly<Record<string, Judge>> = {
  'kubeadm-join-config': judgeJoinCase,
  'kubelet-config': judgeKubeletCase,
  'kubelet-flags': judgeKubeletCase,
  'host-local': judgeHostLocalCase,
  flanneld: judgeFlanneldCase,
  'capi-documents': judgeCapiCase,
  'csr-approver': judgeApproverCase,
}

/** Where the judge differs on purpose: by file, the case and the reason. */
const exceptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  flanneld: {
    'flag-interface-missing':
      'flanneld looks for the interface of the default route through PowerShell, which Wine lacks; on Windows it finds it',
  },
}

/**
 * Keys of #cloud-config, and parts of Jinja, that no template has; and a path behind `C:` without a slash, which was
 * asked on Linux.
 */
const foreignUserData =
  /^(?:users-|groups$|ntp$|timezone-|jinja-(?:raw-block|trim-blocks|value-with-quotes-filter)$|path-double-quoted-)/

t.test('cloudbase-init-userdata: the stand-in does what the program did', async (t) => {
  const file = path.join(root, 'test/upstream/verdicts/cloudbase-init-userdata.json')
  const { cases }: { cases: readonly UserDataCase[] } = JSON.parse(readFileSync(file, 'utf8'))
  const judged = cases.filter(({ id }) => !foreignUserData.test(id))
  for (const { id, input, answers } of judged) {
    const [{ effect }] = answers
    const { text, base64, exitCode = 0 } = input
    const bytes = base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64')
    if ('exception' in effect) t.throws(() => processUserData(bytes, () => exitCode), id)
    else
      t.strictSame(
        processUserData(bytes, () => exitCode),
        effect,
        id,
      )
  }
  t.ok(judged.length > 100, `${judged.length} of ${cases.length} cases`)
})

interface UserDataCase {
  readonly id: string
  readonly input: { readonly text?: string; readonly base64?: string; readonly exitCode?: number }
  readonly answers: readonly [{ readonly effect: Processed | { readonly exception: string } }]
}

for (const [name, judge] of Object.entries(judges))
  t.test(`${name}: the judge agrees with the program`, async (t) => {
    const file = path.join(root, 'test/upstream/verdicts', `${name}.json`)
    const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly Case[] }
    const byId = new Map(cases.map((one) => [one.id, one]))
    const differ = cases.flatMap((one) => {
      const wrong = one.answers.flatMap(({ versions, verdict, message }) =>
        versions.flatMap((version) => {
          const findings = judge(one, version, byId)
          const said = verdictOf(findings)
          if (said === verdict) return []
          return [
            `${version}: ${said}, not ${verdict} (${message ?? ''}) ${JSON.stringify(findings)}`,
          ]
        }),
      )
      return wrong.length === 0 ? [] : [{ id: one.id, wrong }]
    })
    const reasons = exceptions[name] ?? {}
    t.strictSame(
      differ.filter(({ id }) => !Object.hasOwn(reasons, id)),
      [],
    )
    t.strictSame(
      Object.keys(reasons).filter((id) => !differ.some((one) => one.id === id)),
      [],
      'every exception is one',
    )
    t.ok(differ.length <= cases.length * 0.03, 'at most 3 in 100 are exceptions')
    t.comment(`${name}: ${cases.length - differ.length} of ${cases.length} cases agree`)
  })

function judgeApproverCase({ input }: Case): readonly Finding[] {
  const { args, env, flags, request, dnsAnswers } = (input ?? {}) as unknown as {
    readonly args?: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    readonly flags?: Flags
    readonly request?: Request
    readonly dnsAnswers?: Answers
  }
  if (request === undefined) return startApprover(args ?? [], env).findings
  return judgeRequest(flags ?? {}, request, dnsAnswers ?? {})
}

function asObject(value: Json | undefined): JsonObject {
  return (value ?? {}) as JsonObject
}

/** `change` of a case over what its base has, member by member. */
function inputOf(one: Case, cases: ReadonlyMap<string, Case>): JsonObject {
  const base = one.base === undefined ? {} : asObject(cases.get(one.base)?.input)
  return { ...base, ...one.input }
}

/** RFC 7396. */
function mergePatch(base: Json | undefined, patch: Json | undefined): Json | undefined {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const merged = new Map(
    Object.entries(typeof base === 'object' && !Array.isArray(base) ? asObject(base) : {}),
  )
  for (const [key, value] of Object.entries(patch as JsonObject))
    if (value === null) merged.delete(key)
    else merged.set(key, mergePatch(merged.get(key), value))
  return Object.fromEntries(merged)
}

function judgeJoinCase(one: Case, version: string, cases: ReadonlyMap<string, Case>) {
  const there = ['c:\\', 'c:\\etc', 'c:\\etc\\kubernetes', 'c:\\etc\\kubernetes\\discovery.conf']
  const exists = (file: string) => there.includes(file.toLowerCase())
  const input = inputOf(one, cases)
  const { config, text } = asObject(one.change)
  const whole = JSON.stringify(mergePatch(input['config'], config ?? {}))
  const findings = judgeJoin(typeof text === 'string' ? text : whole, version, exists)
  // A warning that the base gets too is not repeated in the answers.
  return one.change === undefined
    ? findings
    : findings.filter(
        ({ message }) => !message.includes('uses a deprecated API spec: "kubeadm.k8s.io/v1beta3"'),
      )
}

function judgeKubeletCase(one: Case, version: string, cases: ReadonlyMap<string, Case>) {
  const input = inputOf(one, cases)
  const { config, text, dropIns, flags = [], environment } = asObject(one.change)
  const command = [
    ...(input['command'] as readonly string[]),
    ...(flags as readonly string[]),
    ...(dropIns === undefined ? [] : ['--config-dir=C:\\etc\\kubernetes\\kubelet.conf.d']),
  ]
  return judgeKubelet(
    {
      flags: command,
      config:
        typeof text === 'string'
          ? text
          : JSON.stringify({ ...asObject(input['config']), ...asObject(config) }),
      ...(dropIns !== undefined && { dropIns: dropIns as Readonly<Record<string, string>> }),
      alphaVariable: environment === undefined,
    },
    version,
  )
}

function judgeHostLocalCase(one: Case) {
  const input = asObject(one.input)
  const text = (key: string) => textOf(input[key])
  return judgeHostLocal({
    command: text('command'),
    containerId: text('containerId'),
    ifName: text('ifName'),
    args: text('args'),
    conf: typeof input['conf'] === 'string' ? input['conf'] : JSON.stringify(input['conf']),
    store: asObject(input['store']) as Readonly<Record<string, string>>,
  })
}

/** Cases say in words what is wrong with the kubeconfig. */
const kubeconfigs: Readonly<Record<string, { readonly context: string; readonly token: string }>> =
  {
    right: { context: 'flannel', token: 'C:\\etc\\kubernetes\\flannel.token' },
    'tokenFile names a file that is not there': { context: 'flannel', token: 'C:\\none.token' },
    'current-context names no context': {
      context: 'other',
      token: 'C:\\etc\\kubernetes\\flannel.token',
    },
  }

function judgeFlanneldCase(one: Case) {
  const {
    'net-conf.json': netConf,
    nodeName,
    nodePodCIDRs,
    flags,
    kubeconfig,
  } = asObject(one.input)
  const { context = '', token = '' } = kubeconfigs[textOf(kubeconfig ?? 'right')] ?? {}
  const there = ['C:\\etc\\kubernetes\\flannel.conf', 'C:\\etc\\kubernetes\\flannel.token']
  return judgeFlanneld({
    flags: flags as readonly string[],
    ...(typeof netConf === 'string' && { netConf }),
    ...(['win-1', 'linux-1'].includes(textOf(nodeName)) && {
      podCIDRs: nodePodCIDRs as readonly string[],
    }),
    kubeconfig: {
      'current-context': context,
      contexts: [{ name: 'flannel', context: { cluster: 'api', user: 'flannel' } }],
      clusters: [{ name: 'api', cluster: { server: 'https://127.0.0.1:6443' } }],
      users: [{ name: 'flannel', user: { tokenFile: token } }],
    },
    exists: (file) => there.includes(file),
  })
}

/** `change` is JSON pointers into the document of the base: null removes a key, `/-` appends. */
function judgeCapiCase(one: Case, _version: string, cases: ReadonlyMap<string, Case>) {
  const text = one.input?.['text']
  if (typeof text === 'string') return judgeCapiText(text)
  const base = one.base === undefined ? one : (cases.get(one.base) ?? one)
  const document = structuredClone(asObject(asObject(base.input)['document'])) as Json
  for (const [pointer, value] of Object.entries(one.change ?? {}))
    put(document, pointer.slice(1).split('/').map(unescaped), written(value ?? null))
  return judgeResource(asObject(document), crds())
}

/** As kubectl reads a file: of a duplicate key the last one counts, without a warning. */
function judgeCapiText(text: string): readonly Finding[] {
  const { errors } = parseDocument(text)
  const twice = errors.filter(({ code }) => code === 'DUPLICATE_KEY')
  const [other] = errors.filter((error) => !twice.includes(error))
  if (other) return [refused(other.message)]
  const document: Json = parse(text, { uniqueKeys: false })
  return [...judgeResource(asObject(document), crds()), ...twice.map((one) => ignored(one.message))]
}

const unescaped = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** {prefix, repeat, times, suffix} is that long text, {items, first, last} a list of that many. */
function written(value: Json): Json {
  if (!isObject(value)) return value
  const { prefix, repeat, times, suffix, items, first } = value
  if (typeof times === 'number')
    return `${textOf(prefix)}${textOf(repeat).repeat(times)}${textOf(suffix)}`
  if (typeof items !== 'number') return value
  return Array.from({ length: items }, (_, index) => ({
    ...asObject(first),
    path: `C:/k/${index}`,
  }))
}

function put(document: Json, [key = '', ...others]: readonly string[], value: Json): void {
  const holder = document as Record<string, Json>
  if (others.length > 0) put((holder[key] ??= {}), others, value)
  else if (Array.isArray(document) && key === '-') document.push(value)
  else if (value === null) Reflect.deleteProperty(holder, key)
  else holder[key] = value
}
