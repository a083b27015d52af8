// Plugin-settings: what each network plugin alone has to know.
import type { Credentials } from './credentials.ts'

export interface FlannelSettings {
  readonly version: string
  readonly cniPlugin: string
  readonly vni: number
  readonly port: number
  readonly macPrefix: string
  readonly credentials: Credentials
}

export interface AntreaSettings {
  readonly ovsDriver: 'signed' | 'testSigned' | undefined
}
