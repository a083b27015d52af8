// The manual page: what `--help` says, of winnode and of each command, in the form that `man` reads.
// https://man7.org/linux/man-pages/man7/groff_man.7.html

/** `help` gives the text for a list of words, `commands` are such lists. */
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

/** A heading in capitals with lines below it, or a closing sentence. */
function section(text) {
  const [heading, ...lines] = text.split('\n')
  if (!/^[A-Z ]+$/.test(heading)) return `.PP\n${asIs(text)}`
  return `.SH ${heading}\n${asIs(lines.join('\n'))}`
}

function commandSection(words, text) {
  return `.SH "winnode ${words.join(' ')}"\n${asIs(text.trimEnd())}`
}

/** The help is as wide as a terminal: with the usual margin, it would be wider. */
function asIs(text) {
  return `.nf\n.in 0\n${text.split('\n').map(escaped).join('\n')}\n.in\n.fi`
}

function oneLine(text) {
  return text.replace(/\s+/g, ' ').replace(/\.$/, '')
}

/** A dot or a quote at the start of a line is a request of the formatter. */
function escaped(line) {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
}
