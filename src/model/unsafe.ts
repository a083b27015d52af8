// What no value or key of a profile may hold, however it is written.

/** It does not survive the trip to the node: NUL, and half of a surrogate pair. */
export const unsafeText = /\0|\p{Surrogate}/u

/** They reach the machinery of JavaScript's objects. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
