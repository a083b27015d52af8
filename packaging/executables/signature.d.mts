// What the tests use of the check of signatures.
export function faultOfSignature(bytes: Buffer): string | undefined
