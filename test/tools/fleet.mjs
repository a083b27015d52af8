// Generates node snapshots or reports for a fleet of nodes of one bundle, some of them with drift.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const read = (...parts) => readFileSync(path.join(...parts), 'utf8')

/**
 * Returns the size in characters. Every tenth node has another power plan and every hundredth another kubelet
 * configuration; with `worst`, all steps of all nodes differ.
 */
export function writeFleet(bundle, folder, { nodes, lines = 0, worst = false }) {
  const { name, steps, preflight } = JSON.parse(read(bundle, 'node.json'))
  const files = steps.filter(({ kind }) => kind === 'file' || kind === 'derivedFile')
  const texts = files.map((step) => [step, read(bundle, step.source)])
  mkdirSync(folder, { recursive: true })
  let size = 0
  for (let at = 0; at < nodes; at += 1) {
    const node = `win-${String(at).padStart(5, '0')}`
    const kind = lines > 0 ? 'NodeReport' : 'NodeSnapshot'
    const report = {
      apiVersion: 'winnode/v1',
      kind,
      name,
      exitCode: 0,
      facts: { nodeName: node },
      steps: steps.map((step) => result(step, at, worst)),
      preflight: preflight.map(({ id, verdict }) => ({
        id,
        verdict,
        passed: true,
        message: `${id} is as it must be`,
      })),
      ...(lines > 0 && { configuration: configuration(texts, node, at), logs: logs(lines, node) }),
    }
    const text = JSON.stringify(report, null, 2)
    size += text.length
    writeFileSync(path.join(folder, `${node}.json`), text)
  }
  return size
}

function result({ id, kind }, at, worst) {
  const differs = worst || (id === 'power-plan' && at % 10 === 0)
  const state = differs ? 'Different' : 'Unchanged'
  return {
    id,
    kind,
    state,
    restart: false,
    detail: differs
      ? `the plan is ${at % 20 === 0 ? 'balanced' : 'saver'}${worst ? at % 30 : ''}`
      : '',
  }
}

function configuration(texts, node, at) {
  const settings = texts.map(([{ id, path: place, derive = [] }, text]) => {
    const edited =
      id === 'file-kubelet-config' && at % 100 === 0
        ? text.replace('"maxPods": 110', '"maxPods": 60')
        : text
    return [place, derive.length === 0 ? edited : derived(edited, derive, node)]
  })
  return Object.fromEntries(settings)
}

/** Sets the node facts (such as its name) in a file, as a node does. */
function derived(text, derive, node) {
  const document = JSON.parse(text)
  for (const { pointer } of derive) {
    const steps = pointer.split('/').slice(1)
    const last = steps.pop()
    const at = steps.reduce((inner, step) => inner[step], document)
    at[last] = node
  }
  return JSON.stringify(document)
}

function logs(lines, node) {
  const line = (at) =>
    `I1122 18:00:${String(at % 60).padStart(2, '0')}.000000 4711 kubelet.go:${at}] "SyncLoop" source="api" node="${node}"`
  const text = Array.from({ length: lines }, (_, at) => line(at)).join('\n')
  return Object.fromEntries(
    ['kubelet', 'kube-proxy', 'containerd'].map((name) => [
      `C:\\var\\log\\${name}\\${name}.log`,
      text,
    ]),
  )
}
