// cloudbase-init in an image: where its setup is, and its two configuration files on each platform.
import type { View } from '../../model/plan.ts'

/** The platforms whose configuration is known, and the prefix of their builders. */
const platforms = ['azure', 'amazon', 'vsphere'] as const
export type Platform = (typeof platforms)[number]

const metadata = 'cloudbaseinit.metadata.services'
const plugins = 'cloudbaseinit.plugins'

interface Row {
  readonly service: string
  /** While Windows Setup runs: where none is named, that run does nothing but set the MTU. */
  readonly setupService?: string
  /** Beside those that every platform has, and before user data. */
  readonly plugins: readonly string[]
  readonly settings?: readonly string[]
}

/**
 * As image-builder has them, but for one thing: SetHostName runs before user data, so that the machine has its name, and
 * has restarted for it, when it joins.
 * https://github.com/kubernetes-sigs/image-builder/tree/main/images/capi/packer (azure, ami and ova, packer-windows.json)
 */
const rows: Readonly<Record<Platform, Row>> = {
  azure: {
    service: `${metadata}.azureservice.AzureService`,
    plugins: [`${plugins}.windows.azureguestagent.AzureGuestAgentPlugin`],
    // With the answer file of cloudbase-init, no other program reports to Azure.
    settings: [
      'metadata_report_provisioning_started=true',
      'metadata_report_provisioning_completed=true',
    ],
  },
  amazon: {
    service: `${metadata}.ec2service.EC2Service`,
    plugins: [`${plugins}.common.sshpublickeys.SetUserSSHPublicKeysPlugin`],
  },
  vsphere: {
    service: `${metadata}.vmwareguestinfoservice.VMwareGuestInfoService`,
    setupService: `${metadata}.vmwareguestinfoservice.VMwareGuestInfoService`,
    plugins: [
      `${plugins}.common.networkconfig.NetworkConfigPlugin`,
      `${plugins}.common.sshpublickeys.SetUserSSHPublicKeysPlugin`,
    ],
    settings: ['real_time_clock_utc=true'],
  },
}

/** Of a builder's type, such as `azure-arm`. */
export function platformOf(builder: string): Platform | undefined {
  return platforms.find((name) => builder.startsWith(`${name}-`))
}

interface Setup {
  readonly version: string
  readonly sha256: string
}

export function cloudbaseInitView(platform: Platform, { version, sha256 }: Setup): View {
  const row = rows[platform]
  const common = [
    '[DEFAULT]',
    'username=capi',
    'groups=Administrators',
    'inject_user_password=false',
    'user_password_length=123',
    'first_logon_behaviour=no',
    'check_latest_version=false',
    'logdir=C:\\Program Files\\Cloudbase Solutions\\Cloudbase-Init\\log\\',
  ]
  const service = [
    ...common,
    'logfile=cloudbase-init.log',
    `metadata_services=${row.service}`,
    ...(row.settings ?? []),
  ]
  const all = [
    `${plugins}.windows.createuser.CreateUserPlugin`,
    `${plugins}.common.setuserpassword.SetUserPasswordPlugin`,
    `${plugins}.common.mtu.MTUPlugin`,
    `${plugins}.common.sethostname.SetHostNamePlugin`,
    ...row.plugins,
    `${plugins}.windows.extendvolumes.ExtendVolumesPlugin`,
    `${plugins}.common.ephemeraldisk.EphemeralDiskPlugin`,
    `${plugins}.common.userdata.UserDataPlugin`,
  ]
  const setup = [
    ...common,
    'logfile=cloudbase-init-unattend.log',
    `metadata_services=${row.setupService ?? `${metadata}.base.EmptyMetadataService`}`,
    `plugins=${plugins}.common.mtu.MTUPlugin`,
    'allow_reboot=false',
    'stop_service_on_exit=false',
  ]
  const file = `CloudbaseInitSetup_${version.replaceAll('.', '_')}_x64.msi`
  return {
    url: `https://github.com/cloudbase/cloudbase-init/releases/download/${version}/${file}`,
    sha256,
    service: service.map((text) => ({ text })),
    plugins: all.map((text) => ({ text })),
    setup: setup.map((text) => ({ text })),
  }
}
