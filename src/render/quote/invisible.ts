// Characters that are invisible, or that change how others are displayed.

/** Control characters, line separators, direction marks, joiners, and spaces other than U+0020. */
export const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u
