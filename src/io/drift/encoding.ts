// Decodes a file that PowerShell wrote: `>` of Windows PowerShell writes UTF-16.

/** By the byte order mark; without one, Latin text in UTF-16 has a NUL in every second byte. */
export function decoderFor(head: Uint8Array): InstanceType<typeof TextDecoder> {
  const [first = 0, second = 0, third = 1, fourth = 1] = head
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be')
  if (second === 0 && fourth === 0 && head.length > 3) return new TextDecoder('utf-16le')
  if (first === 0 && third === 0 && head.length > 3) return new TextDecoder('utf-16be')
  return new TextDecoder('utf-8')
}
