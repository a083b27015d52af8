// Values that klog's own flags take: https://github.com/kubernetes/klog/blob/main/klog.go

/** Level.Set: whole, of 32 bits, of either sign. */
export function isLevel(text: string): boolean {
  if (!/^[-+]?\d+$/.test(text)) return false
  const level = BigInt(text.replace('+', ''))
  return BigInt.asIntN(32, level) === level
}

/** moduleSpec.Set: `file=2,gopher*=3` */
export function isModuleSpec(text: string): boolean {
  const parts = text.split(',').filter((part) => part !== '')
  return parts.every((part) => {
    const [, level = ''] = /^[^=]+=([^=]+)$/.exec(part) ?? []
    return isLevel(level) && !level.startsWith('-')
  })
}

/** traceLocation.Set: `gopherflakes.go:234` */
export function isTraceLocation(text: string): boolean {
  const [, line = ''] = /^[^:]*\.[^:]*:([-+]?\d+)$/.exec(text) ?? []
  return text === '' || Number(line) > 0
}
