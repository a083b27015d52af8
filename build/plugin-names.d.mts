export const mayName: Readonly<Record<string, string>>
export function homeOf(file: string): string | undefined
export function pluginIn(text: string): string | undefined
export function strayNameIn(file: string, text: string): string | undefined
