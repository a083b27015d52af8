// What the tests use of the signing of programs for macOS.
export function signAdHoc(unsigned: Buffer): Buffer
