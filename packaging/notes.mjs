// The release notes: the section of the version in CHANGELOG.md, or Unreleased.

export function notesOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1)
  const named = (name) => sections.find((text) => text.split('\n')[0].split(' ')[0] === name)
  const section = named(version) ?? named('Unreleased')
  if (section === undefined) throw new Error(`CHANGELOG.md says nothing of ${version}`)
  return `${section.split('\n').slice(1).join('\n').trim()}\n`
}
