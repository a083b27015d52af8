// Runs precompiled templates in a separate Handlebars environment, with the helpers that quote values.
import Handlebars from 'handlebars/runtime.js'
import type { View } from '../model/plan.ts'
import { blockHelpers, writeHelper } from './helper-names.ts'
import { isNotation, quotes } from './quote.ts'

export type Template = (view: View) => string

/** Turns a precompiled template into a function. */
export function instantiate(spec: unknown): Template {
  if (typeof spec !== 'object' || spec === null) throw new TypeError('not a precompiled template')
  const template = createEnvironment().template(spec)
  return (view) => template(view, ownKeysOnly)
}

/** The default of Handlebars too; setting it avoids a log message. */
const ownKeysOnly = {
  allowProtoPropertiesByDefault: false,
  allowProtoMethodsByDefault: false,
} as const

function createEnvironment(): Handlebars.Environment {
  const environment = Handlebars.create()
  environment.registerHelper(writeHelper, quoteValue)
  environment.registerHelper(blockHelpers.if, checkCondition)
  environment.registerHelper(blockHelpers.each, checkList)
  return environment
}

function quoteValue(value: unknown, place: string, name: string, notation: string): string {
  if (!isNotation(notation)) throw failure(place, name, `asks for the notation ${notation}`)
  try {
    return quotes[notation](checkDefined(value))
  } catch (error) {
    throw failure(place, name, error instanceof Error ? error.message : String(error))
  }
}

/** Refuses numbers and missing values, which `if` would take for false. */
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
