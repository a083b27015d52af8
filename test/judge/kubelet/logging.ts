// Logging, tracing and the folder of pods' logs: component-base, logs/api/v1/options.go; tracing/api/v1/config.go.
import path from 'node:path'
import { isObject } from '../../../src/model/json.ts'
import { ignored, refused, type Finding } from '../finding.ts'
import { parseQuantity } from '../../../src/go/quantity.ts'
import { parseUrl } from '../../../src/go/url.ts'
import type { Config } from './effective.ts'
import { textOf } from '../go/scalar.ts'

const formats = ['json', 'text'] as const

export function judgeLogging(config: Config, flags: ReadonlySet<string>): readonly Finding[] {
  return [
    ...formats.flatMap((format) => judgeOptions(config, format, flags)),
    ...judgeModules(config),
    // logs/json/register/register.go
    ...(config.text('logging.format') === 'json' && !config.on('LoggingBetaOptions')
      ? [refused('logging.format: Forbidden: Log format json is disabled, see LoggingBetaOptions')]
      : []),
    ...judgeTracing(config),
    ...judgeFolder(config.text('podLogsDir')),
  ]
}

/** addFlags binds splitStream to its flag with BoolVar, which puts the flag's default in the place of the file's value. */
function judgeOptions(
  config: Config,
  format: 'json' | 'text',
  flags: ReadonlySet<string>,
): readonly Finding[] {
  const options = `logging.options.${format}`
  const split = config.at(`${options}.splitStream`) === true
  const given = flags.has(`log-${format}-split-stream`)
  const buffer = parseQuantity(config.text(`${options}.infoBufferSize`))
  const alpha = (split && given) || buffer?.zero === false
  return [
    ...(split && !given ? [ignored(`${options}.splitStream is taken from its flag`)] : []),
    ...(alpha && !config.on('LoggingAlphaOptions')
      ? [refused(`${options}: Forbidden: Feature LoggingAlphaOptions is disabled`)]
      : []),
  ]
}

function judgeModules(config: Config): readonly Finding[] {
  const modules = config.list('logging.vmodule')
  const faults = modules.flatMap((module) => {
    const { filePattern, verbosity } = isObject(module) ? module : {}
    const pattern = textOf(filePattern)
    return [
      ...(pattern === '' ? ['File pattern must not be empty'] : []),
      ...(/[=,]/.test(pattern) ? ['File pattern must not contain equal sign or comma'] : []),
      ...(Number(verbosity ?? 0) > 2 ** 31 - 1 ? ['verbosity must be <= 2147483647'] : []),
    ]
  })
  const foreign = modules.length > 0 && config.text('logging.format') !== 'text'
  return [
    ...faults.map((fault) => refused(`logging.vmodule: ${fault}`)),
    ...(foreign ? [refused('logging.vmodule: Forbidden: Only supported for text log format')] : []),
  ]
}

function judgeTracing(config: Config): readonly Finding[] {
  if (!config.has('tracing')) return []
  const endpoint = config.at('tracing.endpoint')
  const off = config.version !== '' && !config.on('KubeletTracing')
  if (off) return [refused('tracing should not be configured if KubeletTracing is disabled')]
  if (typeof endpoint !== 'string') return []
  const url = parseUrl(endpoint.includes('//') ? endpoint : `dns://${endpoint}`)
  const known = 'scheme' in url && ['dns', 'unix', 'unix-abstract'].includes(url.scheme)
  return known ? [] : [refused(`tracing.endpoint: Invalid value: "${endpoint}"`)]
}

/** A relative path is joined to the kubelet's root before it is looked at, and so is one without a drive. */
function judgeFolder(folder: string): readonly Finding[] {
  const absolute = /^(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/]+[\\/]+[^\\/]+)/.test(folder)
  const plain = folder.replaceAll('/', '\\')
  const clean = path.win32.normalize(plain).replace(/(?<=[^:\\])\\$/, '')
  return [
    ...(absolute && clean !== plain
      ? [refused(`pod logs path "${folder}" must be normalized`)]
      : []),

    ...(/[^\u0000-\u007f]/.test(folder)
      ? [refused(`pod logs path "${folder}" must contain ASCII characters only`)]
      : []),
  ]
}
