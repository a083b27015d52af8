// The prompts: what each shows and hears, on a screen without a terminal; and whole sessions of init on one, in `prompts`.
import { PassThrough, Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { t, type Test } from 'tap'
import { plain } from '../../src/present/paint.ts'
import { asciiCharset, unicodeCharset, charsetOf, type Charset } from '../../src/present/signs.ts'
import { widthOf } from '../../src/present/width.ts'
import { answeredLine, interview } from '../../src/prompts/interview.ts'
import { createAsk, type Reply } from '../../src/prompts/ask.ts'
import { endingQuestion, existingFileQuestion } from '../../src/prompts/ending.ts'
import { keyboardOf } from '../../src/prompts/keyboard.ts'
import { askInPlainLines } from '../../src/prompts/plain-prompt.ts'
import type { Size, Stage } from '../../src/prompts/stage.ts'
import { typedLines } from '../../src/prompts/typed-lines.ts'
import { engine } from '../../src/wizard/engine.ts'
import type { Question } from '../../src/wizard/question.ts'
import { screenOf } from '../tools/terminal.ts'
import { upTo } from '../wizard/answered.ts'
import './sessions.ts'

const nothing = (): void => undefined
const size = { columns: 80, rows: 24 }

function stageOf(now: Size = size, charset: Charset = unicodeCharset) {
  const said: string[] = []
  const state = { size: now, draw: nothing }
  const stage: Stage = {
    paint: plain,
    charset,
    size: () => state.size,
    print: (text) => said.push(text),
    erase: () => said.pop(),
    onResize: (draw) => {
      state.draw = draw
      return () => {
        state.draw = nothing
      }
    },
  }
  return { stage, said, state }
}

const base: Question = {
  id: 'pods',
  title: 'Which networks do pods have?',
  paths: [['network', 'podCIDRs']],
  kind: 'list',
  help: ['The pod network of the cluster.', 'Pods reach it without address translation.'],
  fallback: '10.244.0.0/16, to compare with your cluster',
  check: (text) => (text.includes('bad') ? `${text} is not a CIDR` : undefined),
  shown: (text) => text,
}

const token = 'abcdef.0123456789abcdef'

const windows: Question = {
  ...base,
  id: 'windows',
  title: 'Which Windows runs on the machine?',
  kind: 'choice',
  fallback: 'Windows Server 2022',
  choices: [
    {
      value: 'ws2019',
      name: 'Windows Server 2019',
      cannot: 'Kubernetes 1.36 wants a newer one, which is said here at some length and then some',
    },
    {
      value: 'ws2022',
      name: 'Windows Server 2022',
      note: 'build 20348',
      recommended: 'it has the longest support',
    },
    { value: 'ws2025', name: 'Windows Server 2025', note: 'build 26100' },
  ],
}

/** So many choices that they are searched. */
const many: Question = {
  ...windows,
  choices: [
    ...(windows.choices ?? []).map((one) => ({ ...one, recommended: undefined })),
    ...Array.from({ length: 8 }, (_, at) => ({ value: `v${at}`, name: `version ${at}` })),
  ].map((one) => (one.value === 'ws2025' ? { ...one, recommended: 'it is the newest' } : one)),
}

const none: Question = {
  ...windows,
  choices: windows.choices?.map((one) => ({ ...one, cannot: 'no kubelet runs there' })),
}

const key = {
  enter: '\r',
  tab: '\t',
  up: '\u001b[A',
  down: '\u001b[B',
  left: '\u001b[D',
  end: '\u001b[F',
  escape: '\u001b',
  f1: '\u001bOP',
  erase: '\u007f',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlX: '\u0018',
  paste: (text: string) => `\u001b[200~${text}\u001b[201~`,
}

/** A screen for what a prompt writes, and a keyboard for what is typed. */
function terminalOf(stage: Stage) {
  const input = Object.assign(new PassThrough(), { setRawMode: () => input })
  const keyboard = keyboardOf(input, nothing)
  let written = ''
  const output = new Writable({
    write: (bytes: Buffer, _, done) => {
      written += bytes.toString()
      done()
    },
  })
  // As with a terminal, the end of a prompt does not end it.
  output.end = () => output
  const { columns, rows } = stage.size()
  return {
    ask: createAsk(stage, keyboard, output),
    type: (bytes: string) => input.write(bytes),
    screen: () => screenOf(written.replaceAll('\n', '\r\n'), columns, rows),
    keyboard,
    input,
  }
}

async function play(
  question: Question,
  typed: readonly string[],
  stage: Stage = stageOf().stage,
): Promise<{ said: () => Promise<Reply>; screen: () => Promise<string> }> {
  const { ask, type, screen } = terminalOf(stage)
  const answer = ask(question)
  answer.catch(() => undefined)
  await setImmediate()
  for (const bytes of typed) {
    type(bytes)
    const wait = bytes === key.escape ? 550 : bytes.includes('[200~') ? 100 : 20
    await new Promise((resolve) => setTimeout(resolve, wait))
    // On a busy machine the time passes without a turn of the prompt, which ignores keys while it checks an answer.
    for (let turns = 0; turns < 20; turns += 1) await setImmediate()
  }
  return { said: () => answer, screen }
}

const must = 'no node can join without it'
const models = upTo('sizing', {}).question

t.test('an answer, by what is typed', async (t) => {
  const rows: readonly [name: string, question: Question, typed: readonly string[], said: Reply][] =
    [
      ['the recommended one', windows, [key.enter], answered('ws2022')],
      ['the next one', windows, [key.down, key.enter], answered('ws2025')],
      [
        'the current one',
        { ...windows, current: 'ws2025', proposal: 'ws2025' },
        [key.enter],
        answered('ws2025'),
      ],
      ['the one that was found', found(windows, 'ws2025'), [key.enter], answered('ws2025')],
      ['by the beginning of its name', windows, ['windows', key.enter], answered('ws2022')],
      ['by any part of its name', windows, ['2025', key.enter], answered('ws2025')],
      ['by a part of its name', many, ['202', '5', key.enter], answered('ws2025')],
      ['by a part of its note', many, ['26100', key.enter], answered('ws2025')],
      [
        'after a filter too much',
        many,
        ['2025x', key.enter, key.erase, key.enter],
        answered('ws2025'),
      ],
      ['the recommended one of many', many, [key.enter], answered('ws2025')],
      ['the next one of many', many, [key.down, key.enter], answered('v0')],
      ['a tab at a list changes nothing', many, [key.tab, key.enter], answered('ws2025')],
      ['none that can be selected', none, [key.down, key.enter, key.escape], { kind: 'back' }],
      [
        'not one that cannot be taken',
        windows,
        [key.up, key.enter, key.down, key.enter],
        answered('ws2022'),
      ],
      ['not by its name either', many, ['2019', key.enter, key.escape], { kind: 'back' }],
      ['back, by escape', windows, [key.escape], { kind: 'back' }],
      ['a text', base, ['10.1.0.0/16', key.enter], answered('10.1.0.0/16')],
      [
        'a text without blanks around it',
        base,
        [' 10.1.0.0/16 ', key.enter],
        answered('10.1.0.0/16'),
      ],
      ['one that is corrected', base, ['bad', key.enter, key.erase, key.enter], answered('ba')],
      ['what was found', found(base, '10.9.0.0/16'), [key.enter], answered('10.9.0.0/16')],
      [
        'what was found, changed',
        found(base, '10.9'),
        [key.tab, '.0', key.enter],
        answered('10.9.0'),
      ],
      [
        'the earlier answer before it',
        { ...found(base, 'x'), current: 'y', proposal: 'y' },
        [key.enter],
        answered('y'),
      ],
      ['nothing skips', base, [key.enter], { kind: 'skip' }],
      ['the default in the field', { ...base, proposal: '10.2' }, [key.enter], answered('10.2')],
      [
        'what was found is erased',
        found(base, '10.9.0.0/16'),
        [key.erase, key.enter],
        answered(''),
      ],
      ['not what must be', { ...base, must }, [key.enter, 'x', key.enter], answered('x')],
      ['within the line', base, ['1', key.left, '2', key.enter], answered('21')],
      ['back, from any', base, ['1', key.escape], { kind: 'back' }],
      ['the end of the input', base, [key.ctrlD], { kind: 'left' }],
      ['the end of the input at a choice', windows, [key.ctrlD], { kind: 'left' }],
      ['a question mark in a text', base, ['a?', key.enter], answered('a?')],
      ['help, then an answer', base, ['?', 'x', 'y', key.enter], answered('xy')],
      [
        '? within an edited line',
        found(base, '10.9'),
        [key.tab, '?', key.enter],
        answered('10.9?'),
      ],
      ['help with words in the line', base, ['y', key.f1, 'x', key.enter], answered('yx')],
      [
        'help within an edited line, opened and closed',
        found(base, '10.9'),
        [key.tab, key.left, key.f1, key.escape, 'é', key.enter],
        answered('10.é9'),
      ],
      [
        'help after a wrong text',
        base,
        ['bad', key.enter, key.f1, key.erase, key.enter],
        answered('ba'),
      ],
      ['help with words in a filter', many, ['2022', key.f1, key.enter], answered('ws2022')],
      [
        'help on a filter that fits none',
        many,
        ['2019', key.enter, key.f1, key.escape, key.escape],
        { kind: 'back' },
      ],
      ['help within a block', block(), ['one\n', 'tw', key.f1, 'o\n', '\n'], answered('one\ntwo')],
      [
        'an unset that is refused keeps the line',
        edited(base, must),
        ['8', key.ctrlX, '9', key.enter],
        answered('89'),
      ],
      ['help on what was found', found(base, '10.9'), ['?', key.enter], answered('10.9')],
      ['help on a choice', windows, ['?', key.down, key.enter], answered('ws2025')],
      [
        'a paste of several lines',
        base,
        [key.paste('a\nb\n\nc\r\n'), key.enter],
        answered('a, b, c'),
      ],
      [
        'a paste into a text',
        { ...base, kind: 'text' },
        [key.paste('a\nb'), key.enter],
        answered('a b'),
      ],
      ['a paste that no terminal marks', base, ['a\nb\n'], answered('a')],
      ['a block', block(), [key.paste('one\ntwo\n'), key.enter], answered('one\ntwo')],
      ['a block without marks', block(), ['one\ntwo\n\n'], answered('one\ntwo')],
      ['an empty block', block(), [key.enter], { kind: 'skip' }],
      ['a setting goes', edited(base), [key.ctrlX], { kind: 'unset' }],
      ['a setting goes with its text', edited(base), [key.erase, key.enter], { kind: 'unset' }],
      ['a choice goes', edited(windows), [key.ctrlX], { kind: 'unset' }],
      ['a block goes', edited(block()), [key.ctrlX], { kind: 'unset' }],
      ['not what must stay', edited(base, must), [key.ctrlX, key.enter], answered('7')],
      ['nor a choice', edited(windows, must), [key.ctrlX, key.enter], answered('ws2022')],
      ['nor an empty line', edited(base, must), [key.erase, key.enter, key.enter], answered('7')],
      ['nothing to unset, within a line', base, ['y', key.ctrlX, 'x', key.enter], answered('yx')],
      ['nothing to unset', base, [key.ctrlX, 'x', key.enter], answered('x')],
      ['a block that is wrong', block(), ['bad\n', '\n', 'one\n', '\n'], answered('one')],
    ]
  for (const [name, question, typed, said] of rows) {
    const played = await play(question, typed)
    t.strictSame(await played.said(), said, name)
  }
})

t.test('Ctrl-C at any moment', async (t) => {
  for (const question of [windows, base, block()])
    for (const typed of [[], ['x'], ['?']])
      await t.rejects((await play(question, [...typed, key.ctrlC])).said(), {
        name: 'ExitPromptError',
      })
})

t.test('what is on the screen', async (t) => {
  const wordy =
    'a model that reserves as much as any workload could need and then some more, and prints so'
  const long = { ...table(), choices: table().choices?.map((one) => ({ ...one, name: wordy })) }
  const rows: readonly [
    name: string,
    question: Question,
    typed: readonly string[],
    shows: RegExp,
  ][] = [
    [
      'the recommended one, and why',
      windows,
      [],
      /❯ Windows Server 2022 .*recommended.*\n[^]*recommended: it has/,
    ],
    ['what cannot be', windows, [], /- Windows Server 2019 {2}unavailable: Kubernetes 1.36/],
    [
      'the reasons of what cannot be, in a column',
      {
        ...windows,
        choices: [...(windows.choices ?? []), { value: 'x', name: 'Short', cannot: 'it is old' }],
      },
      [],
      /\n- Windows Server 2019 {2}unavailable[^]*\n- Short {16}unavailable: it is old/,
    ],
    ['the whole reason', windows, ['?'], /is\n {2}said here at some length and then some\n/],
    ['once', windows, ['?'], /^(?![^]*then some[^]*then some)/],
    ['once too', windows, [], /^(?![^]*build 20348[^]*build 20348)/],
    ['no key that does nothing', { ...base, must }, [], /enter accept · f1 help/],
    ['what was found, and where', found(base, '10.9'), [], /found 10\.9 \(the API server\)/],
    [
      'what was found among choices',
      found(windows, 'ws2025'),
      [],
      /❯ Windows Server 2025 {2}found, build/,
    ],
    ['the current one', { ...windows, current: 'ws2025' }, [], /2025 {2}current, build/],
    ['the step', { ...base, step: '2 of 7' }, [], /\n {2}2 of 7 · enter accept/],
    ['the step of a choice', { ...windows, step: '3 of 7' }, [], /\n {2}3 of 7 · enter select/],
    ['the default in the field', { ...base, proposal: '10.2' }, [], /ctrl-c quit\n❯ 10\.2$/],
    ['one line of hint with a default', { ...base, proposal: '10.2' }, [], /^(?![^]*default:)/],
    ['where to find it', { ...base, hint: 'kubeadm prints it' }, [], /\n {2}kubeadm prints it\n/],
    ['what skipping does', base, [], /default: 10\.244\.0\.0\/16, to compare/],
    [
      'why it cannot be skipped',
      { ...base, must },
      [key.enter],
      /\n {2}a value is required\n[^]*required: no node can join without it/,
    ],
    [
      'an example',
      { ...base, example: '10.1.0.0/16' },
      [],
      /\n {2}separate multiple values.*; for example 10\.1\.0\.0\/16/,
    ],
    ['what is wrong', base, ['bad', key.enter], /bad\n {2}bad is not a CIDR/],
    ['the help', base, ['?'], /networks do pods have\?\n {2}The pod network[^]*❯$/],
    ['that nothing fits', many, ['zzz'], /filter: zzz\n.*No results found/],
    ['that nothing can be selected', none, [], /all choices are unavailable; esc goes back/],
    ['how much was pasted', block(), [key.paste('one\ntwo\n')], /2 lines: one[^]*❯$/],
    ['one line', block(), [key.paste('one\n')], /1 line: one[^]*❯$/],
    ['nothing that moves the cursor', base, [key.paste('a\u009b\u202eb')], /❯ ab$/],
    [
      'the reservation models, a line each',
      models,
      [],
      /\n {2,}reserved {2,}allocatable\n.*\n❯ winnode {2,}280m +3513Mi +3720m +12371Mi\n/,
    ],
    [
      'the longest name of a reservation model whole',
      models,
      [key.up, key.up, key.up],
      /\n..OpenShift automatic sizing, before February 2026 {2}500m +3072Mi +3500m +12812Mi\n/,
    ],
    ['a table', table(), [], / {2}KEPT {2}PODS\n {2}filter:\n❯ aks {7}2Gi {3}1Gi {2}as AKS/],
    ['what is unset', edited(base), [], /default: 110\n[^]*tab edit · ctrl-x unset · f1 help/],
    [
      'why it is not',
      edited(base, must),
      [key.ctrlX],
      /cannot be unset: no node can join without it/,
    ],
    [
      'a table beside long names',
      long,
      [],
      /… {2,}2Gi {2,}1Gi\n[^]*and\s+prints\s+so\n {2}as AKS does it\n/,
    ],
    ['all keys', base, [], /enter accept · f1 help · esc back · ctrl-c quit\n❯$/],
  ]
  for (const [name, question, typed, shows] of rows) {
    const { screen } = await play(question, typed)
    // A list that is filtered is drawn when its search has ended.
    for (let tries = 0; tries < 100 && !shows.test(await screen()); tries++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    t.match(await screen(), shows, name)
  }
})

t.test('it fits, and is printed again when the size changes', async (t) => {
  const versions = Array.from({ length: 40 }, (_, index) => ({
    value: `v${index}`,
    name: `version ${index}`,
    note: 'supported until the day on which it is not any more, which is a long note',
  }))
  const questions = [
    { ...windows, choices: versions },
    windows,
    found(base, '10.9'),
    table(),
    models,
    block(),
  ]
  for (const [columns, rows] of [
    [80, 24],
    [60, 24],
    [120, 40],
  ] as const)
    for (const question of questions)
      for (const typed of [[], ['?'], [key.end]]) {
        const { stage } = stageOf({ columns, rows })
        fits(t, await (await play(question, typed, stage)).screen(), { columns, rows })
      }
  const { stage, state } = stageOf()
  const played = await play(windows, [], stage)
  state.size = { columns: 60, rows: 24 }
  state.draw()
  await new Promise((resolve) => setTimeout(resolve, 20))
  fits(t, await played.screen(), state.size)
})

t.test('the names of choices are whole in 40 columns', async (t) => {
  const narrow = { columns: 40, rows: 20 }
  const { screen } = await play(windows, [], stageOf(narrow).stage)
  const text = await screen()
  for (const { name } of windows.choices ?? [])
    t.ok(text.includes(` ${name}`), `${name} in\n${text}`)
  fits(t, text, narrow)
})

t.test('characters that every terminal has', async (t) => {
  const question = found({ ...windows, title: 'What is the cluster’s “Windows”?' }, 'ws2025')
  const { screen } = await play(question, [key.up, key.up], stageOf(size, asciiCharset).stage)
  t.match(await screen(), /^\? What is the cluster's "Windows"\?/)
  t.match(await screen(), /^[\n -~]*$/)
  t.equal(
    answeredLine(stageOf(size, asciiCharset).stage, base, 'a–b × ż', true),
    '+ Which networks do pods have? a-b x ?',
  )
  const rows: readonly [env: Record<string, string>, platform: string, script: Charset][] = [
    [{ LANG: 'en_US.UTF-8' }, 'linux', unicodeCharset],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, 'linux', asciiCharset],
    [{ LC_ALL: '', LC_CTYPE: 'C.utf8', LANG: 'C' }, 'darwin', unicodeCharset],
    [{ LANG: 'C' }, 'linux', asciiCharset],
    [{}, 'linux', asciiCharset],
    [{ LANG: 'C.UTF-8', TERM: 'linux' }, 'linux', asciiCharset],
    [{ WT_SESSION: '1' }, 'win32', unicodeCharset],
    [{ LANG: 'en_US.UTF-8' }, 'win32', asciiCharset],
  ]
  for (const [env, platform, script] of rows)
    t.equal(charsetOf(env, platform), script, `${JSON.stringify(env)} on ${platform}`)
})

t.test('line by line, for a screen reader', async (t) => {
  const rows: readonly [
    name: string,
    question: Question,
    typed: readonly string[],
    said: Reply,
    told: RegExp,
  ][] = [
    [
      'a number',
      windows,
      ['3'],
      answered('ws2025'),
      /\n2\. Windows Server 2022, recommended, build 20348 \(it has/,
    ],
    ['a name', windows, ['windows server 2025'], answered('ws2025'), /./],
    ['a value', windows, ['WS2025'], answered('ws2025'), /./],
    ['one that cannot be', windows, ['1', '2'], answered('ws2022'), /\nunavailable: Kubernetes/],
    ['one that is none', windows, ['4', '2'], answered('ws2022'), /There is no choice 4/],
    ['an empty line', base, [''], { kind: 'skip' }, /An empty line uses the default/],
    [
      'an empty line at what was found',
      found(base, '10.9'),
      [''],
      answered('10.9'),
      /found: 10\.9, in the API server\n[^]*An empty line selects 10\.9/,
    ],
    [
      'an empty line at the end',
      endingQuestion('./node.yaml', './win-node'),
      [''],
      answered('write'),
      /An empty line selects write the profile;/,
    ],
    [
      'an empty line at a menu',
      existingFileQuestion('./node.yaml'),
      [''],
      { kind: 'skip' },
      /An empty line means: back to the review; .* - means: back to the review\.$/m,
    ],
    [
      'a mistyped join line',
      windows,
      [`kubeadm jion 192.0.2.1:6443 --token ${token}`, '3'],
      answered('ws2025'),
      /There is no choice kubeadm jion 192\.0\.2\.1:6443 /,
    ],
    ['a dash', found(base, '10.9'), ['-'], { kind: 'skip' }, /./],
    [
      'what must be',
      { ...base, must },
      ['', '-', 'x'],
      answered('x'),
      /^required: no node can join[^]*with commas\. \? shows help, < goes back\.$/m,
    ],
    [
      'what must be, and was found',
      { ...found(base, '10.9'), must },
      [''],
      answered('10.9'),
      /An empty line selects 10\.9; \? shows help, < goes back\.$/m,
    ],
    ['back', base, ['<'], { kind: 'back' }, /./],
    ['a setting goes', edited(base), ['~'], { kind: 'unset' }, /\n~ unsets it: 110/],
    [
      'not what must stay',
      edited(base, must),
      ['~', '8'],
      answered('8'),
      /\ncannot be unset: no node/,
    ],
    ['an answer that looks so', base, ['~'], answered('~'), /^(?![^]*unsets)/],
    ['help', base, ['?', 'x'], answered('x'), /The pod network of the cluster\.\nPods reach it/],
    ['what is wrong', base, ['bad', 'x'], answered('x'), /bad is not a CIDR/],
    ['a paste', base, ['a\nb'], answered('a, b'), /./],
    [
      'a paste for a text',
      { ...base, kind: 'text' },
      ['a\nb'],
      answered('a'),
      /1 more were not used/,
    ],
    ['a block', block(), ['one\ntwo'], answered('one\ntwo'), /./],
    ['a table', table(), ['1'], answered('aks'), /columns: KEPT, PODS\n1\. aks, 2Gi, 1Gi, as AKS/],
    ['the end', base, [], { kind: 'left' }, /./],
  ]
  for (const [name, question, typed, said, told] of rows) {
    const input = new PassThrough()
    const lines = typedLines(input)
    const { stage, said: heard } = stageOf()
    const asked = askInPlainLines(stage, question, lines)
    for (const line of typed) {
      input.write(`${line}\n`)
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    input.end()
    t.strictSame(await asked, said, name)
    t.match(heard.join('\n'), told, name)
    t.notMatch(heard.join('\n'), /\u001b/, name)
    t.notMatch(heard.join('\n'), token, name)
    lines.close()
  }
})

t.test('a key for each question, however early it comes', async (t) => {
  const type = async (...chunks: readonly string[]) => {
    const input = Object.assign(new PassThrough(), { setRawMode: () => input })
    const keyboard = keyboardOf(input, nothing)
    const { stage, said } = stageOf()
    const output = new PassThrough().resume()
    const ask = createAsk(stage, keyboard, output)
    const [first, ...more] = chunks
    input.write(first)
    const asked = [many, base, { ...base, kind: 'text' as const }]
    const answers: Reply[] = []
    for (const question of asked) {
      await setImmediate()
      const answering = ask(question)
      for (const chunk of more.splice(0)) {
        await setImmediate()
        input.write(chunk)
      }
      answers.push(await answering)
    }
    keyboard.close()
    t.equal(input.listenerCount('data'), 0)
    t.strictSame(said, [])
    return answers
  }
  const three = [answered('ws2025'), answered('10.1.0.0/16'), answered('x')]
  t.strictSame(await type('2025\r10.1.0.0/16\rx\r'), three)
  t.strictSame(await type('2025\n10.1.0.0/16\nx\n'), three, 'as the terminal has turned it')
  t.strictSame(await type('2025\r\n10.1.0.0/16\r\nx\r\n'), three, 'as Windows pastes it')
  t.strictSame(await type('20', '25', '\r10.1', '.0.0/16\rx\r'), three)
  t.strictSame(await type(`\r${key.paste('10.1.0.0/16\n')}\rx\r`), three)
  const next = [answered('v0'), ...three.slice(1)]
  t.strictSame(await type('\u001b', '[', 'B\r10.1.0.0/16\rx\r'), next, 'a key in pieces')
  const wide = await type('\r\rż日😀\r')
  t.strictSame(wide, [answered('ws2025'), { kind: 'skip' }, answered('ż日😀')])
  await t.rejects(type('2025\r\u0003'), { name: 'ExitPromptError' })
})

t.test('what was typed and is forgotten', async (t) => {
  const input = Object.assign(new PassThrough(), { setRawMode: () => input })
  const keyboard = keyboardOf(input, nothing)
  const ask = createAsk(stageOf().stage, keyboard, new PassThrough().resume())
  input.write('2025\r\r\r')
  t.strictSame(await ask(many), answered('ws2025'))
  keyboard.dropTypedAhead()
  const next = ask(windows)
  await setImmediate()
  input.write('\r')
  t.strictSame(await next, answered('ws2022'))
  input.write('x\u0003y')
  await setImmediate()
  keyboard.dropTypedAhead()
  await t.rejects(ask(windows), { name: 'ExitPromptError' }, 'but not to report a quit')
  input.end()
  t.strictSame(await ask(windows), { kind: 'left' })
  t.strictSame(await ask(base), { kind: 'left' }, 'and so is the next one')
})

t.test('lines that were typed before a question', async (t) => {
  const input = new PassThrough()
  const lines = typedLines(input)
  const { stage, said } = stageOf()
  input.write('3\n10.1.0.0/16\n')
  await lines.waitForTypedAhead()
  t.strictSame(await askInPlainLines(stage, windows, lines), answered('ws2025'))
  t.strictSame(await askInPlainLines(stage, base, lines), answered('10.1.0.0/16'))
  t.notMatch(said.join('\n'), /not used/)
  const next = askInPlainLines(stage, windows, lines)
  await setImmediate()
  input.write('2\nx\n')
  t.strictSame(await next, answered('ws2022'))
  t.match(said.join('\n'), /1 more were not used/)
  input.write('3\n')
  await lines.waitForTypedAhead()
  lines.dropTypedAhead()
  const last = askInPlainLines(stage, windows, lines)
  await setImmediate()
  input.write('2\n')
  t.strictSame(await last, answered('ws2022'), 'what is dropped answers nothing')
  lines.close()
})

t.test('question after question', async (t) => {
  const { stage, said } = stageOf()
  const answers: Reply[] = [
    answered('ws2025'),
    { kind: 'back' },
    { kind: 'skip' },
    answered('10.1.0.0/16'),
    answered('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'),
    answered('review'),
  ]
  const ask = () => Promise.resolve(answers.shift() ?? { kind: 'left' as const })
  const ids = ['windows', 'pod-network', 'ca']
  const begun = ids.reduceRight(engine.ask, upTo('customize', {}).at)
  const session = await interview(begun, { ask, stage })
  t.equal(engine.nextQuestion(session), undefined)
  t.strictSame(said, [
    '✔ Windows Server release: (Windows Server 2022)',
    '✔ Pod CIDR: 10.1.0.0/16',
    '✔ Cluster CA certificate: 3 lines',
  ])
  await t.rejects(interview(begun, { ask, stage }), { name: 'InputEnded' })
})

function answered(text: string): Reply {
  return { kind: 'answer', text }
}

function found(question: Question, value: string): Question {
  return { ...question, found: { value, where: 'the API server' }, proposal: value }
}

function edited(question: Question, cannot?: string): Question {
  const unset = { then: '110', ...(cannot !== undefined && { cannot }) }
  const proposal = question.kind === 'block' ? {} : { proposal: '7' }
  return { ...question, ...(question.kind !== 'choice' && { current: '7', ...proposal }), unset }
}

function block(): Question {
  return { ...base, kind: 'block' }
}

function table(): Question {
  return {
    ...windows,
    columns: ['KEPT', 'PODS'],
    choices: [
      { value: 'aks', name: 'aks', cells: ['2Gi', '1Gi'], note: 'as AKS does it' },
      { value: 'winnode', name: 'winnode', cells: ['1Gi', '2Gi'] },
    ],
  }
}

function fits(t: Test, screen: string, { columns, rows }: Size): void {
  const lines = screen.split('\n')
  const wide = lines.filter((line) => widthOf(line) >= columns)
  t.strictSame(wide, [], `${columns} columns`)
  t.ok(lines.length < rows, `${lines.length} of ${rows} lines`)
}
