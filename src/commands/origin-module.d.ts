// The module that the build writes: what the program is made of.
declare module '#origin' {
  const origin: {
    /** These three are those of package.json. */
    readonly name: string
    readonly version: string
    readonly description: string
    /** `null` where it is unknown, or where files were changed since. */
    readonly commit: string | null
    /** The newest day on which a row of the tables was compared with its source. */
    readonly tables: string
  }
  export default origin
}
