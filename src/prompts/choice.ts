// Choice: the prompt for one of several answers, with those that cannot be taken and why.
import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isTabKey,
  isUpKey,
  useEffect,
  useKeypress,
  useState,
} from '@inquirer/core'
import { words } from '../present/signs.ts'
import type { Choice, Question } from '../wizard/question.ts'
import { frame, helpFrame } from './frame.ts'
import { isUnsetKey, setLine, typed, useTerminal } from './listening.ts'
import { detailOf, rowsOf } from './rows.ts'
import type { Said } from './said.ts'
import { show, type Stage } from './stage.ts'

interface Config {
  readonly question: Question
  readonly stage: Stage
}

const hideCursor = '\u001b[?25l'
const showCursor = '\u001b[?25h'

export const choicePrompt = createPrompt<Said, Config>(({ question, stage }, done) => {
  const { choices = [], must, unset } = question
  const [filter, setFilter] = useState('')
  const [active, setActive] = useState(() => proposed(question, choices))
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [helping, setHelping] = useState(false)
  const [judged, setJudged] = useState(false)
  const shown = matching(choices, filter)
  const chosen = shown[active]
  useTerminal(stage, done)
  // A person reads the question while the rules judge its choices.
  useEffect(() => {
    const soon = setImmediate(setJudged, true)
    return () => {
      clearImmediate(soon)
    }
  }, [])

  useKeypress((key, rl) => {
    const step = steps(shown.length)[isUpKey(key) ? 'up' : isDownKey(key) ? 'down' : key.name]
    if (helping) {
      setLine(rl, filter)
      setHelping(false)
    } else if (isEnterKey(key)) {
      setLine(rl, filter)
      take()
    } else if (isTabKey(key)) {
      setLine(rl, filter)
      if (must === undefined) done({ kind: 'skip' })
      else setProblem(must)
    } else if (key.name === 'escape' || (key.name === 'left' && filter === '')) {
      done({ kind: 'back' })
    } else if (unset && isUnsetKey(key)) {
      if (unset.cannot === undefined) done({ kind: 'unset' })
      else setProblem(`${words.cannot}: ${unset.cannot}`)
    } else if (key.name === 'f1' || rl.line === '?') {
      setLine(rl, filter)
      setHelping(true)
    } else if (step) {
      setLine(rl, filter)
      setActive(step(active))
      setProblem(undefined)
    } else if (rl.line !== filter) {
      setFilter(rl.line)
      setActive(firstOf(matching(choices, rl.line)))
      setProblem(undefined)
    }
  })

  const take = () => {
    if (!chosen) setProblem(`nothing has “${filter}” in it`)
    else if (chosen.cannot !== undefined) setProblem(`${words.cannot}: ${chosen.cannot}`)
    else {
      const wrong = question.check(chosen.value)
      if (wrong === undefined) done({ kind: 'answer', text: chosen.value })
      else setProblem(wrong)
    }
  }

  if (helping) return hidden(helpFrame(stage, question))
  const line = filter === '' ? [] : [`  filter: ${typed(filter)}`]
  const refused = problem !== undefined && problem === `${words.cannot}: ${chosen?.cannot ?? ''}`
  const detail = chosen && !refused ? detailOf(stage, question, shown, chosen) : []
  const view = frame(stage, question, {
    typed: line,
    list: (lines) =>
      windowOf(stage, question, judged ? shown : unjudged(shown, chosen), active, lines),
    problem,
    aside: detail,
  })
  return filter === '' ? hidden(view) : [showCursor + view[0], view[1]]
})

/** The cursor says where one types, and here nobody does. */
function hidden([head, below]: [string, string]): [string, string] {
  return [hideCursor + head, below]
}

/** As many rows as there is room for, around the active one. */
function windowOf(
  stage: Stage,
  question: Question,
  shown: readonly Choice[],
  active: number,
  lines: number,
): readonly string[] {
  const rows = rowsOf(stage, question, shown, active)
  const room = Math.max(1, lines - rows.head.length)
  if (rows.lines.length <= room) return [...rows.head, ...rows.lines]
  const page = Math.max(1, room - 1)
  const from = Math.max(0, Math.min(active - Math.floor(page / 2), shown.length - page))
  const place = show(stage, `${active + 1} of ${shown.length}`)
  return [...rows.head, ...rows.lines.slice(from, from + page), `  ${place}`]
}

function proposed({ current, found }: Question, choices: readonly Choice[]): number {
  const at = (test: (choice: Choice) => boolean) =>
    choices.findIndex((choice) => test(choice) && choice.cannot === undefined)
  const places = [
    at(({ value }) => value === current),
    at(({ value }) => value === found?.value),
    at(({ recommended }) => recommended !== undefined),
  ]
  return places.find((place) => place >= 0) ?? firstOf(choices)
}

/** All but one without what the rules say of them, which takes longest. */
function unjudged(choices: readonly Choice[], judged: Choice | undefined): readonly Choice[] {
  return choices.map((choice) => {
    if (choice === judged) return choice
    const { value, name, note, cells } = choice
    return { value, name, ...(note !== undefined && { note }), ...(cells && { cells }) }
  })
}

function firstOf(choices: readonly Choice[]): number {
  return Math.max(
    0,
    choices.findIndex(({ cannot }) => cannot === undefined),
  )
}

/** Every word that is typed is somewhere in the choice. */
function matching(choices: readonly Choice[], filter: string): readonly Choice[] {
  const parts = filter.toLowerCase().split(' ').filter(Boolean)
  return choices.filter(({ value, name, note = '' }) => {
    const text = `${value} ${name} ${note}`.toLowerCase()
    return parts.every((part) => text.includes(part))
  })
}

const page = 10

function steps(count: number): Readonly<Record<string, (active: number) => number>> {
  const last = Math.max(0, count - 1)
  return {
    up: (active) => (active === 0 ? last : active - 1),
    down: (active) => (active >= last ? 0 : active + 1),
    home: () => 0,
    end: () => last,
    pageup: (active) => Math.max(0, active - page),
    pagedown: (active) => Math.min(last, active + page),
  }
}
