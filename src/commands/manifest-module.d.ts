// The module that the build writes: oclif's description of every command, for help without loading.
declare module '#manifest' {
  import type { Manifest } from '@oclif/core/interfaces'

  const manifest: Manifest
  export default manifest
}
