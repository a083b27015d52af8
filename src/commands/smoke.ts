// winnode smoke: tests Windows nodes of a cluster with pods; the only command that writes to a cluster.
import { setTimeout as sleep } from 'node:timers/promises'
import * as Flags from '@oclif/core/flags'
import type { Client } from '../cluster/client.ts'
import { isHostPort } from '../model/field.ts'
import { smokeTable } from '../present/smoke.ts'
import type { Chunks } from '../present/chunks.ts'
import { type ChosenImage, chooseImage } from '../smoke/image.ts'
import { countOutcomes, type CheckResult, type SmokeReport } from '../smoke/result.ts'
import { BaseCommand } from './base.ts'
import { acceptedFacts } from './check-profile.ts'
import type { ClusterOptions } from './cluster.ts'
import { exampleProfile, examples } from './examples.ts'
import { type Exit, exitCodesText } from './exit.ts'
import { Failure } from './failure.ts'
import { kubeconfigFlags } from './kubeconfig-flags.ts'
import { argument } from './flags.ts'
import { type ExportFormat, formatFlag, isExportFormat } from './formats/flag.ts'
import type { Checks } from './formats/write.ts'
import { profileFlags } from './profile-flags.ts'
import { jsonText } from './output-text.ts'
import { deferSignals } from './signals.ts'
import { type Leftover, removeLeftovers } from './smoke/clean-up.ts'
import { type Options, runSmoke } from './smoke/run.ts'

const codes = exitCodesText(['done', 'not-working', 'incomplete', 'rejected'])

export default class SmokeCommand extends BaseCommand {
  static override summary = 'Test Windows nodes of a cluster with pods.'
  static override examples = examples({
    'Test a node of a cluster': `smoke ${exampleProfile} --kubeconfig ~/.kube/config --node win-1`,
    'Write a report for a CI server': `smoke ${exampleProfile} --context prod --format junit`,
    'Remove what interrupted runs left in the cluster': 'smoke --cleanup --context prod',
  })
  static override description = `Creates a namespace with pods and Services, and removes it. Exit codes: ${codes}.`
  static override args = {
    profile: argument({
      description: 'Profile of the nodes: built-in, YAML file, or - for stdin.',
    }),
  }
  static override flags = {
    ...profileFlags,
    ...kubeconfigFlags('Test the cluster'),
    node: Flags.string({
      helpValue: 'NODE',
      summary: 'Test this Windows node; default: the first that takes the pods.',
    }),
    image: Flags.string({
      helpValue: 'IMAGE',
      summary: 'Image of agnhost; default: smoke.image, or that of the Kubernetes minor.',
    }),
    egress: Flags.string({
      helpValue: 'HOST:PORT',
      summary: 'Address to reach over TCP; default: the API server endpoint of the profile.',
    }),
    timeout: Flags.integer({
      helpValue: 'SECONDS',
      default: 600,
      min: 1,
      summary: 'Wait this long for the pods to start.',
    }),
    strict: Flags.boolean({ summary: 'Exit with 6 if a check was skipped.' }),
    cleanup: Flags.boolean({
      exclusive: ['node', 'image', 'egress', 'strict'],
      summary: 'Remove the namespaces of all runs, and test nothing.',
    }),
    format: formatFlag('Output format.'),
  }

  async run(): Promise<object> {
    const { args, flags } = await this.parse(SmokeCommand)
    const { kubeconfig, context, yes, format } = flags
    if (kubeconfig === undefined && context === undefined)
      throw new Failure('usage', 'missing flag: --kubeconfig or --context', [
        'winnode smoke writes to the cluster: name it',
      ])
    const log = (line: string) => this.printStatusLine(line)
    const cluster = { kubeconfig, context, yes, log }
    if (flags.cleanup) return this.cleanUp(cluster)
    const { egress } = flags
    if (egress !== undefined && !isHostPort(egress))
      throw new Failure('usage', `--egress ${egress} is not HOST:PORT`, [
        'such as api.example.com:6443 or [2001:db8::1]:443',
      ])
    const { profile } = args
    if (profile === undefined)
      throw new Failure('usage', 'missing argument: a profile', ['see: winnode smoke --help'])
    const today = this.today(flags['as-of'])
    const facts = acceptedFacts(profile, flags, { root: this.config.root, today })
    const image = chooseImage(facts, flags.image)
    const { version } = this.config
    const reportOf = (results: readonly CheckResult[]): Checks => ({
      command: 'smoke',
      version,
      profile,
      results,
    })
    const { asked, result: smoke } =
      image.verdict === 'refused'
        ? { asked: undefined, result: { image: image.image, results: [] } }
        : await this.runWithSignals(cluster, { ...flags, facts, image }).catch(
            async (thrown: unknown) => {
              // A CI server shows the document, and perhaps not stderr.
              if (thrown instanceof Failure && isExportFormat(format))
                this.print(await writeReport(format, reportOf([failedCluster(thrown)])))
              throw thrown
            },
          )
    const results = [imageResult(image), ...smoke.results]
    this.setExit(asked ?? exitOf(image, { ...smoke, results }, flags.strict))
    if (!this.jsonEnabled()) this.print(await this.outputText(format, reportOf(results), smoke))
    this.printStatus(countOutcomes(results))
    const { namespace, notRemoved } = smoke
    if (asked) this.printError(`interrupted: ${namespaceState(smoke)}`)
    else if (notRemoved !== undefined) this.printError(namespaceState(smoke))
    if (notRemoved !== undefined)
      this.printError(`to remove namespace ${namespace ?? ''}: winnode smoke --cleanup`)
    return jsonOf(smoke, results)
  }

  private async outputText(format: string, report: Checks, smoke: SmokeReport): Promise<Chunks> {
    if (isExportFormat(format)) return writeReport(format, report)
    if (format === 'json') return jsonText(jsonOf(smoke, report.results))
    if (format === 'lines')
      return report.results
        .map(({ title, outcome, message }) => `${title}: ${outcome}${message && `: ${message}`}\n`)
        .join('')
    return smokeTable(report.results, this.screen('stdout'))
  }

  /** Defers signals until the namespace is removed. */
  private async runWithSignals(cluster: ClusterOptions, input: SmokeInput) {
    const { facts, image, node, timeout, egress = facts.spec.join.endpoint } = input
    const run = crypto.randomUUID().slice(0, '12345678'.length)
    const { log } = cluster
    return this.withClient(cluster, (client) =>
      deferSignals((signal) =>
        runSmoke(client, {
          facts,
          image,
          node,
          egress,
          timeout,
          run,
          log,
          signal,
          // A pipeline that sends a signal gives the run only seconds to end.
          pause: (seconds) => sleep(seconds * 1000, undefined, { signal }).catch(() => undefined),
          now: () => performance.now() / 1000,
        }),
      ),
    )
  }

  private async cleanUp(cluster: ClusterOptions): Promise<object> {
    return this.withClient(cluster, async (client) => {
      const left = await removeLeftovers(client)
      for (const { name, state } of left) this.print(`namespace ${name}: ${state}\n`)
      if (left.length === 0) this.printStatus('no namespace of winnode smoke is left')
      if (left.some(({ outcome }) => outcome === 'failed')) this.setExit('failure')
      const namesOf = (wanted: Leftover['outcome']) =>
        left.filter(({ outcome }) => outcome === wanted).map(({ name }) => name)
      return {
        removed: namesOf('removed'),
        terminating: namesOf('terminating'),
        failed: namesOf('failed'),
      }
    })
  }

  private async withClient<T>(cluster: ClusterOptions, work: (client: Client) => Promise<T>) {
    const { withCluster } = await import('./cluster.ts')
    return withCluster(cluster, work)
  }
}

function namespaceState({ namespace, notRemoved }: SmokeReport): string {
  if (namespace === undefined) return 'nothing was created'
  return `namespace ${namespace} ${notRemoved === undefined ? 'is removed' : `was not removed: ${notRemoved}`}`
}

type SmokeInput = Pick<Options, 'facts' | 'image' | 'node' | 'egress' | 'timeout'>

async function writeReport(format: ExportFormat, report: Checks): Promise<Chunks> {
  return (await import('./formats/write.ts')).writeSmoke(format, report)
}

function failedCluster({ message: problem, hints }: Failure): CheckResult {
  const message = [problem, ...hints].join('; ')
  return { id: 'smoke-cluster', title: 'cluster', where: '', outcome: 'failed', message }
}

function imageResult({ verdict, message }: ChosenImage): CheckResult {
  const outcome = verdict === 'fits' ? 'passed' : verdict === 'refused' ? 'failed' : 'skipped'
  const shown = outcome === 'passed' ? '' : message
  return { id: 'smoke-image', title: 'image', where: '', outcome, message: shown }
}

function exitOf(
  { verdict }: ChosenImage,
  { results, notRemoved }: SmokeReport,
  strict: boolean,
): Exit {
  if (verdict === 'refused') return 'rejected'
  if (notRemoved !== undefined) return 'failure'
  if (results.some(({ outcome }) => outcome === 'failed')) return 'not-working'
  const skipped = results.filter(({ outcome }) => outcome === 'skipped')
  return skipped.some(({ couldNotRun }) => strict || couldNotRun) ? 'incomplete' : 'done'
}

function jsonOf({ image, namespace, notRemoved }: SmokeReport, results: readonly CheckResult[]) {
  return {
    image,
    namespace: namespace ?? null,
    removed: notRemoved === undefined,
    checks: results.map(({ id, title, where, outcome, message }) => ({
      id,
      title,
      where,
      outcome,
      message,
    })),
  }
}
