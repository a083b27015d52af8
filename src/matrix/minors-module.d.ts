// The module that the build writes of src/matrix/minors: JSON by minor, oldest first.
declare module '#minors' {
  const minors: Readonly<Record<string, string>>
  export default minors
}
