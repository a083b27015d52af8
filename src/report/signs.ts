// Signs: where a diagnosis looks in a report, and what it takes for evidence.
import { isObject, type JsonObject } from '../model/json.ts'
import type { Sign } from './diagnosis.ts'
import { itemsOf, type Part, type Report, textAt, textsOf, works } from './report.ts'

/** Items of a part, each told in a line. */
function items(
  part: Part,
  is: (item: JsonObject) => boolean,
  tell: (item: JsonObject) => string,
): Sign {
  return { needs: [part], look: (report) => itemsOf(report, part).filter(is).map(tell) }
}

/** A check of health that is not well. */
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

/** A check before changes that does not pass. */
export function check(id: RegExp, words = /^/): Sign {
  return items(
    'preflight',
    (item) =>
      item['passed'] === false &&
      id.test(textAt(item, 'id')) &&
      words.test(textAt(item, 'message')),
    (item) => `check ${textAt(item, 'id')}: ${textAt(item, 'message')}`,
  )
}

/** What a check says, whether it passes or not. */
export function remark(id: RegExp, words: RegExp): Sign {
  return items(
    'preflight',
    (item) => id.test(textAt(item, 'id')) && words.test(textAt(item, 'message')),
    (item) => `check ${textAt(item, 'id')}: ${textAt(item, 'message')}`,
  )
}

/** A step that is not as described. */
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

/** A service with a status or a way to start; 4 is disabled. */
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

/** A drive with less than this share free. */
export function full(share: number): Sign {
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

/** An event of Windows, whose message is in the language of the machine. */
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

/** The last line of a program's log that says it; the log of the node's own scripts quotes programs. */
export function log(words: RegExp, of = /^(?!.*\\winnode\.log$)/): Sign {
  return lines('logs', of, words)
}

/** A line of a file that the program reads. */
export function setting(file: RegExp, words: RegExp): Sign {
  return lines('configuration', file, words)
}

function lines(part: 'configuration' | 'logs', of: RegExp, words: RegExp): Sign {
  return {
    needs: [part],
    look: (report) =>
      textsOf(report, part).flatMap(({ path, lines: texts }) => {
        const found = of.test(path) ? texts.findLast((line) => words.test(line)) : undefined
        return found === undefined ? [] : [`${path}: ${found.trim()}`]
      }),
  }
}

/** Each of them says it alone. */
export function any(...signs: readonly Sign[]): Sign {
  return {
    needs: signs.flatMap(({ needs }) => needs),
    look: (report) => signs.flatMap(({ look }) => look(report)),
  }
}

/** Only all of them together say it. */
export function all(...signs: readonly Sign[]): Sign {
  return {
    needs: signs.flatMap(({ needs }) => needs),
    together: true,
    look: (report) => {
      const found = signs.map(({ look }) => look(report))
      return found.every((one) => one.length > 0) ? found.flat() : []
    },
  }
}

/** What only a member has. */
export function whereJoined({ needs, look }: Sign): Sign {
  const joined = ({ document: { state } }: Report) => isObject(state) && state['joined'] === true
  return { needs, look: (report) => (joined(report) ? look(report) : []) }
}

/** Words that also stand in the log of a start that went well: they count only where the node does not work. */
export function whereIll({ needs, look }: Sign): Sign {
  return { needs, look: (report) => (works(report) ? [] : look(report)) }
}
