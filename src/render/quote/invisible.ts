// Characters that a person cannot see in a text, or that change how others are seen.

/** Controls, line and paragraph separators, direction marks and joiners, spaces other than the plain one. */
export const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u
