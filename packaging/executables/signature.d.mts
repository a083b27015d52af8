// Types of signature.mjs for the tests.
export function faultOfSignature(bytes: Buffer): string | undefined
