// Types of sign.mjs for the tests.
export function signAdHoc(unsigned: Buffer): Buffer
