// What the tests use of the notes of a release.
export function notesOf(changelog: string, version: string): string
