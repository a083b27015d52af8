// Text that no value or key of a profile may contain, in any notation.

/** Characters that are lost on the way to the node: NUL, and half of a surrogate pair. */
export const unsafeText = /\0|\p{Surrogate}/u

/** Keys that would change the prototype of a JavaScript object. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
