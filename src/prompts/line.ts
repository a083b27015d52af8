// Line: the prompt for an answer that is typed: a text, a list, pairs, or a block of several lines.
import {
  createPrompt,
  isEnterKey,
  isTabKey,
  useEffect,
  useKeypress,
  useRef,
  useState,
} from '@inquirer/core'
import { words } from '../present/signs.ts'
import type { Kind, Question, Unset } from '../wizard/question.ts'
import { frame, helpFrame } from './frame.ts'
import { isUnsetKey, setLine, typed, useTerminal } from './listening.ts'
import type { Said } from './said.ts'
import { paragraph, type Stage } from './stage.ts'

/** How several lines that are pasted become one. */
export const joints: Readonly<Partial<Record<Kind, string>>> = { list: ', ', pairs: ', ' }

const hints: Readonly<Partial<Record<Kind, string>>> = {
  list: 'several have commas between them',
  pairs: 'key=value, with commas between them',
  block: 'paste it; an empty line ends it',
}

interface Config {
  readonly question: Question
  readonly stage: Stage
}

export const linePrompt = createPrompt<Said, Config>(({ question, stage }, done) => {
  const { kind, current, found, must, unset } = question
  const block = kind === 'block'
  const initial = block ? '' : (current ?? found?.value ?? '')
  const [value, setValue] = useState('')
  const [lines, setLines] = useState<readonly string[]>([])
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [helping, setHelping] = useState(false)
  /** The lines of a paste that has begun. */
  const paste = useRef<{ lines: string[] | undefined; last: string }>({
    lines: undefined,
    last: '',
  })
  useTerminal(stage, done)
  useEffect((rl) => {
    rl.write(initial)
    setValue(initial)
  }, [])

  useKeypress((key, rl) => {
    const { current: pasting } = paste
    if (key.name === 'paste-start') pasting.lines = []
    else if (key.name === 'paste-end') {
      const all = [...(pasting.lines ?? []), rl.line].filter((line) => line.trim() !== '')
      pasting.lines = undefined
      if (block) setLines([...lines, ...all])
      const text = block ? '' : all.join(joints[kind] ?? ' ').replaceAll('\t', ' ')
      setLine(rl, text)
      setValue(text)
      setProblem(undefined)
    } else if (pasting.lines) {
      if (isEnterKey(key)) pasting.lines.push(pasting.last)
    } else if (helping) {
      setLine(rl, value)
      setHelping(false)
    } else if (isEnterKey(key)) {
      setLine(rl, value)
      take(() => {
        setLine(rl, '')
      })
    } else if (isTabKey(key)) {
      setLine(rl, value)
      skip()
    } else if (key.name === 'escape' || (key.name === 'left' && value === '')) {
      done({ kind: 'back' })
    } else if (unset && isUnsetKey(key)) {
      takeOut(unset)
    } else if (key.name === 'f1' || (rl.line === helpTyped(value) && asIs(value))) {
      setLine(rl, value)
      setHelping(true)
    } else {
      setValue(rl.line)
      setProblem(undefined)
    }
    pasting.last = rl.line
  })

  const asIs = (text: string) => text === '' || text === initial
  const skip = () => {
    if (must === undefined) done({ kind: 'skip' })
    else setProblem(must)
  }
  const takeOut = ({ cannot }: Unset) => {
    if (cannot === undefined) done({ kind: 'unset' })
    else setProblem(`${words.cannot}: ${cannot}`)
  }
  const take = (empty: () => void) => {
    if (block && value.trim() !== '') {
      setLines([...lines, value])
      setValue('')
      empty()
      return
    }
    const text = block ? lines.join('\n') : value.trim()
    if (text === '') {
      // A person who empties the line wants it gone.
      if (unset && initial !== '') takeOut(unset)
      else skip()
      return
    }
    const wrong = question.check(text)
    if (wrong === undefined) done({ kind: 'answer', text })
    else {
      setProblem(wrong)
      if (block) setLines([])
    }
  }

  if (helping) return helpFrame(stage, question)
  const { paint, script } = stage
  const pasted =
    lines.length > 0 ? paragraph(stage, `${lines.length} lines: ${lines[0] ?? ''}`, '  ') : []
  return frame(stage, question, {
    typed: [...pasted, `${paint('bold', script.signs.pointer)} ${typed(value)}`],
    problem,
    aside: hintLines(stage, question),
  })
})

/** How it is typed. */
function hintLines(stage: Stage, { kind, example }: Question): readonly string[] {
  const parts = [hints[kind] ?? [], example === undefined ? [] : `such as ${example}`].flat()
  return parts.length > 0 ? paragraph(stage, parts.join('; '), '  ') : []
}

/** What the line is just after the key of the help. */
function helpTyped(value: string): string {
  return `${value}?`
}
