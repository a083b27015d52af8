export const moduleParts: readonly string[]
