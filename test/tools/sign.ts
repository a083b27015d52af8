// Appends to scripts what signing appends.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const base64 = `# MIIFuQYJKoZIhvcNAQcCoIIHTTCCB0kCAQExDzANBglghkgBZQMEAgEFADB5Bgor\r\n`

/** As osslsigncode writes it: https://github.com/mtrojnar/osslsigncode/blob/2.9/script.c */
export const signature = `\r\n# SIG # Begin signature block\r\n${base64.repeat(40)}# SIG # End signature block\r\n`

/** Signs every script of a folder, with the line ends that docs/node-side.md asks for. */
export function sign(folder: string, lineEnd = '\r\n'): void {
  for (const name of readdirSync(folder).filter((one) => /\.psm?1$/.test(one))) {
    const file = path.join(folder, name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', lineEnd) + signature)
  }
}
