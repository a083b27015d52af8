// Types of licences.mjs for the tests.

export function allLicences(root: string, between: string): Promise<string>
export function licencesOfBun(root: string): Promise<string>
