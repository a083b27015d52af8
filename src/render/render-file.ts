// Renders the body of one planned file to bytes.
import type { Body, Part, PlannedFile, RenderedFile } from '../model/plan.ts'
import { jsonText } from './json-text.ts'
import { extensionOf, outputName } from './languages.ts'
import type { LoadTemplate } from './templates.ts'
import { encodeText, encodeVerbatim } from './encode.ts'
import { tomlText } from './toml-text.ts'

/** Reads a file below `templates/`. */
export type ReadStatic = (source: string) => Uint8Array

interface Sources {
  readonly readStatic: ReadStatic
  readonly loadTemplate: LoadTemplate
}

export async function renderFile(
  file: Pick<PlannedFile, 'path' | 'body'>,
  sources: Sources,
): Promise<RenderedFile> {
  return { path: file.path, content: await renderBody(file.body, file.path, sources) }
}

async function renderBody(body: Body, path: string, sources: Sources): Promise<Uint8Array> {
  switch (body.kind) {
    case 'template':
      return encodeText(await renderTemplate(body, path, sources))
    case 'page': {
      const parts = body.parts.map((part) => renderTemplate(part, path, sources))
      return encodeText((await Promise.all(parts)).join('\n'))
    }
    case 'json':
      return encodeText(jsonText(body.value))
    case 'toml':
      return encodeText(tomlText(body))
    case 'text':
      return encodeVerbatim(body.text)
    case 'static':
      return sources.readStatic(body.source)
  }
}

/** Values are quoted for the language of the template, so the file must have the same extension. */
async function renderTemplate(
  { template, view }: Part,
  path: string,
  { loadTemplate }: Sources,
): Promise<string> {
  if (extensionOf(outputName(template)) !== extensionOf(path)) {
    throw new Error(`${path} is not of the language of ${template}`)
  }
  const render = await loadTemplate(template)
  return render(view)
}
