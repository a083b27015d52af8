// Text that is forbidden in values and keys of a profile.

/** Characters that do not survive until the node: NUL and half a surrogate pair. */
export const unsafeText = /\0|\p{Surrogate}/u

/** Keys that would change the prototype of a JavaScript object. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
