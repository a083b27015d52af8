// winnode doctor: diagnoses nodes from their reports and snapshots.
import * as Flags from '@oclif/core/flags'
import { type DoctorResult, diagnose, isEmptyReport } from '../doctor/diagnose.ts'
import { compareFirstRun } from '../doctor/first-run.ts'
import { nodeName, readProblem } from '../drift/snapshot.ts'
import type { JsonObject } from '../model/json.ts'
import {
  briefDoctor,
  doctorJson,
  markdownDoctor,
  prettyDoctor,
  type DoctorReport,
} from '../present/doctor.ts'
import {
  briefFirstRun,
  firstRunJson,
  markdownFirstRun,
  prettyFirstRun,
  type FirstRunReport,
} from '../present/first-run.ts'
import type { Screen } from '../present/screen.ts'
import { readFirstRun } from '../report/first-run.ts'
import { BaseCommand } from './base.ts'
import { allEvidence, type Evidence, type NodeEvidence, readEvidence } from './drift/evidence.ts'
import { exits } from './exit.ts'
import { Failure } from './failure.ts'
import { readFileArgument } from './file-argument.ts'
import { argument } from './flags.ts'
import { jsonText } from './output-text.ts'
import { examples } from './examples.ts'

const formats: Readonly<Record<string, (report: DoctorReport, screen: Screen) => string>> = {
  pretty: prettyDoctor,
  json: (report) => jsonText(doctorJson(report)),
  markdown: markdownDoctor,
}

const firstRunFormats: Readonly<
  Record<string, (report: FirstRunReport, screen: Screen) => string>
> = {
  pretty: prettyFirstRun,
  json: (report) => jsonText(firstRunJson(report)),
  markdown: markdownFirstRun,
}

export default class Doctor extends BaseCommand {
  static override summary = 'Diagnose a node from its report.'
  static override examples = examples({
    'Diagnose a report of Export-WinNodeReport.ps1': 'doctor ./winnode-report.json',
    'Diagnose all reports of a folder, as Markdown for a ticket':
      'doctor ./reports --format markdown',
    'Compare a real Windows Server with the simulated one of the tests':
      'doctor --first-run ./winnode-first-run.json',
  })
  static override description = `The exit code is ${exits.done.code}, whatever is found, and ${exits.incomplete.code} if a report could not be read.`
  // The argument can be repeated.
  static override strict = false
  static override args = {
    report: argument({
      description: 'Files or folders with reports and snapshots, or - for stdin.',
    }),
  }
  static override flags = {
    format: Flags.string({
      options: Object.keys(formats),
      exclusive: ['json'],
      default: 'pretty',
      summary: 'Output format.',
    }),
    'first-run': Flags.string({
      helpValue: 'FILE',
      summary: 'Compare the measurements of Measure-WinNode.ps1 with the tests.',
    }),
  }

  async run(): Promise<object> {
    const { argv, flags } = await this.parse(Doctor)
    const file = flags['first-run']
    if (file !== undefined) {
      if (argv.length > 0)
        throw new Failure('usage', '--first-run accepts no reports in addition to its file')
      return this.compare(file, flags)
    }
    if (argv.length === 0)
      throw new Failure('usage', 'missing argument: a report, a snapshot, or --first-run FILE', [
        'see: winnode doctor --help',
      ])
    const diagnoses = await diagnoseAll(allEvidence(argv))
    if (diagnoses.unreadable.length > 0) this.setExit('incomplete')
    const brief = flags.quiet && flags.format === 'pretty'
    const textOf = brief ? briefDoctor : formats[flags.format]
    this.print(textOf?.(diagnoses, this.screen('stdout')) ?? '')
    return doctorJson(diagnoses)
  }

  private compare(source: string, { quiet, format }: { quiet: boolean; format: string }): object {
    const run = readFirstRun(readFileArgument(source))
    const report =
      typeof run === 'string'
        ? { unreadable: [{ source, why: run }] }
        : { comparison: compareFirstRun(run), unreadable: [] }
    if (report.unreadable.length > 0) this.setExit('incomplete')
    const textOf = quiet && format === 'pretty' ? briefFirstRun : firstRunFormats[format]
    this.print(textOf?.(report, this.screen('stdout')) ?? '')
    return firstRunJson(report)
  }
}

async function diagnoseAll(evidence: readonly Evidence[]): Promise<DoctorReport> {
  const examined = new Map<string, DoctorResult>()
  const unreadable = []
  for (const one of evidence) {
    for await (const { document, source, name, unread: why = '' } of readEvidence(
      nodeEvidence(one),
      reasonNotExamined,
    )) {
      const wrong = document ? reasonNotExamined(document) : why
      if (!document || wrong !== '') unreadable.push({ source, why: wrong })
      else {
        const node = nodeName(document) ?? name
        examined.set(examined.has(node) ? `${node} (${source})` : node, diagnose(document))
      }
    }
  }
  return { examined: Array.from(examined, ([node, result]) => ({ node, result })), unreadable }
}

function reasonNotExamined(document: JsonObject): string {
  const why = readProblem(document)
  if (why !== '') return why
  return isEmptyReport(document) ? 'it has no data about the node' : ''
}

function nodeEvidence(evidence: Evidence): NodeEvidence {
  if (evidence.kind !== 'bundle') return evidence
  throw new Failure('usage', `${evidence.folder} is a bundle, which says nothing of a node`, [
    'name what Export-WinNodeReport.ps1 wrote on the node',
  ])
}
