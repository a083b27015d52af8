// Removes the Authenticode signature of a script.

const marker = '# SIG # Begin signature block'

/** A signed script as it was rendered: without the signature, with LF line ends. The node does the same: run/bundle.ps1. */
export function withoutSignature(path: string, content: Uint8Array): Uint8Array {
  if (!/\.psm?1$/.test(path)) return content
  const text = new TextDecoder().decode(content)
  // The last one: WinNode.psm1 itself contains the marker.
  const begin = text.lastIndexOf(marker)
  if (begin < 0 || !/^(?:# [^\r\n]*(?:\r?\n|$))+\s*$/.test(text.slice(begin))) return content
  return new TextEncoder().encode(`${text.slice(0, begin).trimEnd().replaceAll('\r\n', '\n')}\n`)
}
