// What cloudbase-init's Jinja makes of a text, as far as names go: it throws at statements and filters, of which we have none.
// https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/utils/template_engine/jinja2_template.py

interface Data {
  readonly [name: string]: string | Data
}

/** https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/metadata/services/base.py (get_instance_data) */
function instanceData(hostName: string): Data {
  const own = { 'local-hostname': hostName, local_hostname: hostName }
  return { ...own, v1: own, ds: { meta_data: { ...own, hostname: hostName } } }
}

/** `## template: jinja` at the very beginning, in any case of letters; the line is gone then. */
export function rendered(text: string, hostName: string): string {
  const kind = /^##\s*template:(.*)/i.exec(text)?.[1]
  if (kind?.toLowerCase().trim() !== 'jinja') return text
  const body = text.slice(text.indexOf('\n') + 1).replace(/\r\n?/g, '\n')
  const data = instanceData(hostName)
  return body
    .replace(/\{(?:\{([^}]*)\}\}|([{%#]))/g, (_, inner: string | undefined, open: string) => {
      if (inner === undefined) throw new Error(`Jinja reads {${open}`)
      return valueOf(data, inner.trim())
    })
    .replace(/\n$/, '')
}

function valueOf(data: Data, expression: string): string {
  if (!/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(expression))
    throw new Error(`Jinja computes ${expression}`)
  const names = expression.split('.')
  const last = names.pop() ?? ''
  const holder = names.reduce<Data>((inner, name) => {
    const found = inner[name]
    if (typeof found !== 'object') throw new Error(`${expression}: there is no ${name}`)
    return found
  }, data)
  const found = holder[last]
  return typeof found === 'string' ? found : `CI_MISSING_JINJA_VAR/${last}`
}
