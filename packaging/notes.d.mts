// Types of notes.mjs for the tests.
export function notesOf(changelog: string, version: string): string
