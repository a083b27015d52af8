// The file list of a download mirror: as a table, and as input for curl, aria2, sha256sum and skopeo.
import type { MirrorFile } from '../downloads/mirror.ts'
import { parseImage } from '../go/image-reference.ts'
import type { JsonObject } from '../model/json.ts'
import { yamlText } from '../render/yaml-text.ts'
import type { Screen } from './screen.ts'
import { table } from './table.ts'

export const mirrorFormats = ['pretty', 'curl', 'aria2', 'sha256sum', 'images', 'skopeo'] as const
type MirrorFormat = (typeof mirrorFormats)[number]

interface MirrorList {
  readonly files: readonly MirrorFile[]
  readonly images: readonly string[]
}

export const mirrorTexts: Readonly<
  Record<MirrorFormat, (list: MirrorList, screen: Screen) => string>
> = {
  pretty: ({ files, images }, screen) =>
    [
      table(
        ['CHECKSUM', 'FILE'],
        files.map(({ path, program }) => [checksumOf(program), path]),
        screen,
      ),
      table(
        ['IMAGE'],
        images.map((image) => [image]),
        screen,
      ),
    ].join('\n'),
  // https://curl.se/docs/manpage.html#-K
  curl: ({ files }) =>
    [
      'create-dirs\nfail\nfail-early\nlocation\nproto = "=https"\nproto-redir = "=https"\n',
      ...files.map(({ path, url }) => `url = "${url}"\noutput = "${path}"\n`),
    ].join('\n'),
  // https://aria2.github.io/manual/en/html/aria2c.html#input-file
  aria2: ({ files }) =>
    files
      .map(({ path, url, program }) => {
        const { checksum } = program ?? {}
        const pin = checksum?.kind === 'pinned' ? `  checksum=sha-256=${checksum.sha256}\n` : ''
        return `${url}\n  out=${path}\n${pin}`
      })
      .join(''),
  sha256sum: ({ files }) =>
    files
      .flatMap(({ path, program }) =>
        program?.checksum?.kind === 'pinned' ? [`${program.checksum.sha256}  ${path}\n`] : [],
      )
      .join(''),
  images: ({ images }) => images.map((image) => `${image}\n`).join(''),
  skopeo: ({ images }) => yamlText([skopeoSync(images)]),
}

/** For `skopeo sync --src yaml`: https://github.com/containers/skopeo/blob/main/docs/skopeo-sync.1.md */
function skopeoSync(list: readonly string[]): JsonObject {
  const registries = new Map<string, Map<string, string[]>>()
  for (const image of list) {
    const { registry = '', repository = '', tag = 'latest', digest = tag } = parseImage(image) ?? {}
    const images = registries.get(registry) ?? new Map<string, string[]>()
    images.set(repository, [...(images.get(repository) ?? []), digest])
    registries.set(registry, images)
  }
  return Object.fromEntries(
    Array.from(registries, ([name, images]) => [name, { images: Object.fromEntries(images) }]),
  )
}

function checksumOf(program: MirrorFile['program']): string {
  if (!program) return ''
  return program.checksum?.kind ?? 'none'
}
