// XML: escapes text for elements and attributes.

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Characters that are invalid in XML, even as an entity (https://www.w3.org/TR/xml/#charsets). */
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

/** Also valid for HTML. */
export function xmlText(text: string): string {
  return text.replace(forbidden, '\ufffd').replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}
