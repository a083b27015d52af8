/** Text of the module `#minors` of the files of a folder. */
export function minorsModule(minors: readonly unknown[]): string
export function readMinors(folder: string): Promise<readonly { readonly minor: string }[]>
export function schemaText(): string
