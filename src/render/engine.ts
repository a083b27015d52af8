// A private Handlebars that runs hardened templates and answers their calls.
import Handlebars from 'handlebars/runtime.js'
import type { View } from '../model/plan.ts'
import { blockGuards, writeCall } from './guards.ts'
import { isNotation, quotes } from './quote.ts'

export type Template = (view: View) => string

/** Turns a precompiled template into a function. */
export function instantiate(spec: unknown): Template {
  if (typeof spec !== 'object' || spec === null) throw new TypeError('not a precompiled template')
  const template = createEnvironment().template(spec)
  return (view) => template(view, ownKeysOnly)
}

/** The default of Handlebars too, which writes to the terminal where nobody chose it. */
const ownKeysOnly = {
  allowProtoPropertiesByDefault: false,
  allowProtoMethodsByDefault: false,
} as const

function createEnvironment(): Handlebars.Environment {
  const environment = Handlebars.create()
  environment.registerHelper(writeCall, write)
  environment.registerHelper(blockGuards.if, checkCondition)
  environment.registerHelper(blockGuards.each, checkList)
  return environment
}

function write(value: unknown, place: string, name: string, notation: string): string {
  if (!isNotation(notation)) throw failure(place, name, `asks for the notation ${notation}`)
  try {
    return quotes[notation](checkDefined(value))
  } catch (error) {
    throw failure(place, name, error instanceof Error ? error.message : String(error))
  }
}

/** Zero would read as false, and so would a missing value. */
function checkCondition(value: unknown, place: string, name: string): unknown {
  if (typeof value === 'boolean' || typeof value === 'string' || Array.isArray(value)) return value
  throw failure(place, name, value === undefined ? missing : 'must be a boolean, text or a list')
}

function checkList(value: unknown, place: string, name: string): unknown {
  if (Array.isArray(value)) return value
  throw failure(place, name, value === undefined ? missing : 'must be a list')
}

const missing = 'is not in the view'

function checkDefined(value: unknown): unknown {
  if (value === undefined) throw new TypeError(missing)
  return value
}

function failure(place: string, name: string, message: string): Error {
  return new Error(`${place}: {{${name}}} ${message}`)
}
