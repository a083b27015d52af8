// What the tests use of the licences of a release.

export function allLicences(root: string, between: string): Promise<string>
export function licencesOfBun(root: string): Promise<string>
