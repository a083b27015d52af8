// Makes the manual page from the help of winnode and of each command.
// https://man7.org/linux/man-pages/man7/groff_man.7.html

/** `help` returns the help of a command, given as a list of words; `commands` are such lists. */
export function manualPage({ version, commands, help }) {
  const [summary, ...rest] = help([]).trimEnd().split('\n\n')
  const parts = [
    `.TH WINNODE 1 "" "winnode ${version}" "winnode"`,
    `.SH NAME\nwinnode \\- ${escaped(oneLine(summary))}`,
    ...rest.map(section),
    ...commands.map((words) => commandSection(words, help(words))),
  ]
  return `${parts.join('\n')}\n`
}

/** A heading in upper case with lines below it, or a closing sentence. */
function section(text) {
  const [heading, ...lines] = text.split('\n')
  if (!/^[A-Z ]+$/.test(heading)) return `.PP\n${asIs(text)}`
  return `.SH ${heading}\n${asIs(lines.join('\n'))}`
}

function commandSection(words, text) {
  return `.SH "winnode ${words.join(' ')}"\n${asIs(text.trimEnd())}`
}

/** Unfilled and without man's indent, as the help is already as wide as a terminal. */
function asIs(text) {
  return `.nf\n.in 0\n${text.split('\n').map(escaped).join('\n')}\n.in\n.fi`
}

function oneLine(text) {
  return text.replace(/\s+/g, ' ').replace(/\.$/, '')
}

/** Escapes for roff: a line that begins with a dot or a quote would be a request. */
function escaped(line) {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
}
