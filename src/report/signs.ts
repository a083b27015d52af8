// Constructors of signs: each searches one part of a report for evidence.
import { isObject, type JsonObject } from '../model/json.ts'
import type { Sign } from './diagnosis.ts'
import { itemsOf, type Part, type Report, textAt, textsOf, isHealthy } from './report.ts'

/** Items of a part that match, each formatted as a line. */
function items(
  part: Part,
  matches: (item: JsonObject) => boolean,
  format: (item: JsonObject) => string,
): Sign {
  return {
    needs: [part],
    evidenceIn: (report) => itemsOf(report, part).filter(matches).map(format),
  }
}

/** A health check that fails. */
export function health(kind: string | RegExp, words: RegExp): Sign {
  return items(
    'health',
    (item) =>
      (typeof kind === 'string'
        ? textAt(item, 'kind') === kind
        : kind.test(textAt(item, 'kind'))) &&
      textAt(item, 'verdict') !== 'ok' &&
      words.test(textAt(item, 'evidence')),
    (item) => `health ${textAt(item, 'id')}: ${textAt(item, 'evidence')}`,
  )
}

/** A preflight check that fails. */
export function preflight(id: RegExp, words = /^/): Sign {
  return items(
    'preflight',
    (item) =>
      item['passed'] === false &&
      id.test(textAt(item, 'id')) &&
      words.test(textAt(item, 'message')),
    (item) => `check ${textAt(item, 'id')}: ${textAt(item, 'message')}`,
  )
}

/** The message of a preflight check, whether it passes or fails. */
export function preflightMessage(id: RegExp, words: RegExp): Sign {
  return items(
    'preflight',
    (item) => id.test(textAt(item, 'id')) && words.test(textAt(item, 'message')),
    (item) => `check ${textAt(item, 'id')}: ${textAt(item, 'message')}`,
  )
}

/** A step whose state differs from the bundle. */
export function step(kind: RegExp, words = /^/, id = /^/): Sign {
  return items(
    'steps',
    (item) =>
      textAt(item, 'state') === 'Different' &&
      kind.test(textAt(item, 'kind')) &&
      id.test(textAt(item, 'id')) &&
      words.test(textAt(item, 'detail')),
    (item) => `step ${textAt(item, 'id')}: ${textAt(item, 'detail')}`,
  )
}

/** A service by its status and start type (4 is disabled). */
export function service(name: RegExp, status: RegExp, start = /^/): Sign {
  return items(
    'services',
    (item) =>
      name.test(textAt(item, 'name')) &&
      status.test(textAt(item, 'status')) &&
      start.test(textAt(item, 'start')),
    (item) =>
      `service ${textAt(item, 'name')}: ${textAt(item, 'status')}, start ${textAt(item, 'start')}`,
  )
}

/** A drive with less than this fraction free. */
export function driveNearlyFull(share: number): Sign {
  return items(
    'volumes',
    (item) => Number(textAt(item, 'FreeSpace')) < Number(textAt(item, 'Size')) * share,
    (item) =>
      `drive ${textAt(item, 'DeviceID')} ${gibi(item, 'FreeSpace')} of ${gibi(item, 'Size')} GiB free`,
  )
}

function gibi(item: JsonObject, key: string): string {
  return (Number(textAt(item, key)) / 2 ** 30).toFixed(1)
}

/** An entry of the Windows event log; its message is in the language of Windows. */
export function event(provider: string, ids: RegExp, words: RegExp): Sign {
  return items(
    'events',
    (item) =>
      textAt(item, 'ProviderName') === provider &&
      ids.test(textAt(item, 'Id')) &&
      words.test(textAt(item, 'Message')),
    (item) =>
      `event ${textAt(item, 'Id')}, ${textAt(item, 'TimeCreated')}: ${textAt(item, 'Message')}`,
  )
}

/** The last line of a log that matches. Excludes winnode.log, which quotes the messages of other programs. */
export function log(words: RegExp, of = /^(?!.*\\winnode\.log$)/): Sign {
  return lines('logs', of, words)
}

/** A line of a configuration file. */
export function configLine(file: RegExp, words: RegExp): Sign {
  return lines('configuration', file, words)
}

function lines(part: 'configuration' | 'logs', of: RegExp, words: RegExp): Sign {
  return {
    needs: [part],
    evidenceIn: (report) =>
      textsOf(report, part).flatMap(({ path, lines: texts }) => {
        const found = of.test(path) ? texts.findLast((line) => words.test(line)) : undefined
        return found === undefined ? [] : [`${path}: ${found.trim()}`]
      }),
  }
}

export function anyOf(...signs: readonly Sign[]): Sign {
  return {
    needs: signs.flatMap(({ needs }) => needs),
    evidenceIn: (report) => signs.flatMap(({ evidenceIn }) => evidenceIn(report)),
  }
}

export function allOf(...signs: readonly Sign[]): Sign {
  return {
    needs: signs.flatMap(({ needs }) => needs),
    needsAll: true,
    evidenceIn: (report) => {
      const found = signs.map(({ evidenceIn }) => evidenceIn(report))
      return found.every((one) => one.length > 0) ? found.flat() : []
    },
  }
}

/** For signs that mean nothing before the node has joined. */
export function ifJoined({ needs, evidenceIn }: Sign): Sign {
  const joined = ({ document: { state } }: Report) => isObject(state) && state['joined'] === true
  return { needs, evidenceIn: (report) => (joined(report) ? evidenceIn(report) : []) }
}

/** For log messages that also appear during a successful start. */
export function ifUnhealthy({ needs, evidenceIn }: Sign): Sign {
  return { needs, evidenceIn: (report) => (isHealthy(report) ? [] : evidenceIn(report)) }
}
