// The module that the build writes: every precompiled template, by its path below `templates/`.
declare module '#templates' {
  export const loaders: Readonly<Record<string, () => Promise<{ readonly default: unknown }>>>
}
