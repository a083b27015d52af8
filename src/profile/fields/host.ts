// Fields of the machine around Kubernetes: services, host settings, isolation.
import * as v from 'valibot'
import {
  cidr,
  drivePath,
  field,
  group,
  hostOrAddress,
  noProxyEntry,
  open,
  proxyURL,
  text,
  whole,
} from '../../model/field.ts'

const portRange = /^\d{1,5}-\d{1,5}$/

export const services = group(
  {
    logMaxSizeMiB: field(whole(1, 10_240), 50, {
      what: 'Size at which a log file is rotated, in MiB.',
      why: 'Windows does not rotate these logs itself, and a full drive C: stops the node.',
      example: 100,
    }),
    logMaxFiles: field(whole(1, 100), 5, {
      what: 'Number of rotated files to keep for each log that winnode rotates.',
      why: 'Logs of containerd and the network plugin’s daemon; before Kubernetes 1.34 also of kubelet and kube-proxy.',
      example: 10,
    }),
    logMaxAgeDays: field(whole(1, 3650), 14, {
      what: 'Days for which kube-log-runner keeps rotated log files of the kubelet and kube-proxy.',
      why: 'kube-log-runner rotates by size and deletes by age.',
      when: 'from Kubernetes 1.34 on',
      example: 30,
    }),
  },
  'The Windows services that run the components.',
)

export const host = group(
  {
    features: field(
      v.array(text(/^[A-Za-z0-9-]+$/, 'the name of a Windows feature')),
      ['Containers'],
      {
        what: 'Windows features to install.',
        why: 'Containers is required; installing it needs a reboot. Hyper-V isolation also needs Hyper-V.',
        example: ['Containers', 'Hyper-V'],
      },
    ),
    offline: field(v.boolean(), false, {
      what: 'The machines have no internet access.',
      why: 'Then a profile is rejected if a node would download a program from its publisher, or pull an image from a registry without a mirror.',
      example: true,
    }),
    pageFileMiB: open(whole(512, 1_048_576), {
      what: 'Initial and maximum size of the page file, in MiB.',
      why: 'Windows commits no more memory than RAM plus page file, and the eviction signal counts both: a fixed size keeps the eviction threshold constant.',
      example: 8096,
    }),
    defenderExclusions: field(v.boolean(), true, {
      what: 'Exclude containerd’s snapshots and the processes of the node and its network plugin from Microsoft Defender’s real-time scan.',
      why: 'Defender scans a file again for each container that shares its layer, and locks files that containerd moves or deletes; pulls and starts are slow, and snapshots are not deleted. Files that containers write to volumes are scanned all the same.',
      example: false,
    }),
    registry: field(
      v.array(
        v.strictObject({
          path: text(
            /^(?:HKLM|HKEY_LOCAL_MACHINE):?(?:\\[^\\\x00-\x1f]{1,255})+$/i,
            'a key below HKLM, such as HKLM\\SOFTWARE\\Example',
          ),
          name: text(/^[^\x00-\x1f]{1,255}$/, 'the name of a value, of at most 255 characters'),
          type: v.optional(v.picklist(['DWord', 'String', 'ExpandString', 'MultiString']), 'DWord'),
          value: v.optional(
            v.union(
              [v.number(), v.string(), v.array(v.string())],
              'a number, a text or a list of texts',
            ),
          ),
          builds: v.optional(v.array(whole(1, 999_999))),
        }),
      ),
      [],
      {
        what: 'Registry values to set: `path`, `name`, `type` (default `DWord`), `value`, and `builds` if only for some Windows builds.',
        why: 'Some fixes and features of Windows need a registry value. winnode sets the values in docs/node-side.md#which-registry-values-are-set without this field; an entry with the same path and name replaces one of them, and without `value` the value is left as it is.',
        example: [
          {
            path: 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\hns\\State',
            name: 'HNSControlFlag',
            value: 80,
            builds: [17_763],
          },
        ],
      },
    ),
    windowsUpdate: field(v.picklist(['manual', 'unmanaged']), 'manual', {
      what: 'Windows Update: `manual` turns automatic updates off, `unmanaged` changes nothing.',
      why: 'An automatic update restarts the node without draining it. With `manual`, install updates yourself, or replace the node.',
      example: 'unmanaged',
    }),
    tls: field(v.picklist(['strict', 'unmanaged']), 'unmanaged', {
      what: 'TLS of Windows’ own programs: `strict` allows TLS 1.2 and later with cipher suites of ECDHE and AES, `unmanaged` changes nothing.',
      why: 'Audits ask for it. It applies to Schannel: remote desktop, WinRM, PowerShell and .NET. The kubelet, kube-proxy and containerd have their own TLS.',
      example: 'strict',
    }),
    dynamicPorts: field(text(portRange, 'a port range such as 34000-65535'), '34000-65535', {
      what: 'TCP ports that Windows gives to outgoing connections, and HNS to load balancers.',
      why: 'HNS reserves 64 ports for a load balancer, so the 16384 ports of Windows’ default (49152-65535) are enough for some 225 Services.',
      example: '34000-65535',
    }),
    excludedPorts: field(
      v.array(
        v.strictObject({
          protocol: v.picklist(['TCP', 'UDP']),
          ports: text(/^\d{1,5}(?:-\d{1,5})?$/, 'a port or a range such as 30000-32767'),
        }),
      ),
      [{ protocol: 'UDP', ports: '65330' }],
      {
        what: 'Ports that Windows never uses as dynamic ports.',
        why: 'Azure drops answers to UDP port 65330, so DNS queries from it fail. NodePorts within the dynamic ports must be excluded, or their load balancers fail (0x803b0013). A list replaces the default.',
        example: [{ protocol: 'TCP', ports: '30000-32767' }],
      },
    ),
    vmwareExcludeNics: open(
      text(/^[^\x00-\x1f]*$/, 'names of interfaces, with * and ?, separated by commas'),
      {
        what: 'Interfaces that VMware Tools do not report to vCenter (`exclude-nics`), where VMware Tools are installed; empty reports all.',
        why: 'VMware Tools leave out `vEthernet*`, and with an HNS network the node’s own address is at such an interface: vCenter, and controllers that ask it, show no address. `vEthernet (*_ep)` leaves out endpoints of the pod network alone.',
        example: 'vEthernet (*_ep)',
      },
    ),
    expandSystemVolume: field(v.boolean(), false, {
      what: 'Expand drive C: to the size of its disk when the node joins.',
      why: 'A machine can have a larger disk than its image. Only space behind C: can be used: a recovery partition there keeps it. Reset does not make the drive smaller.',
      example: true,
    }),
    processDumps: open(drivePath, {
      what: 'Folder for dumps of processes that crash, such as HNS, containerd and the kubelet.',
      why: 'Windows Error Reporting keeps the ten newest dumps. A dump contains memory, so only SYSTEM and Administrators can open the folder; services of other accounts leave none there. Pods may then ask for dumps inside their containers by annotation.',
      example: 'D:\\dumps',
    }),
    powerPlan: field(v.boolean(), true, {
      what: 'Use the power plan High performance.',
      why: 'Balanced, the Windows default, lowers the processor clock.',
      example: true,
    }),
    timeServers: field(v.array(hostOrAddress), [], {
      what: 'NTP servers; empty leaves the Windows Time service unchanged.',
      why: 'Certificates and tokens are rejected if the clock is wrong.',
      example: ['time.windows.com'],
    }),
    publishStatus: field(v.boolean(), false, {
      what: 'Publish the health of the node: the condition `WinNodeHealthy` and the annotation `winnode/bundle` of the Node, and metrics for windows_exporter.',
      why: 'A Node can be Ready while its pods have no network. The reconcile loop publishes what it found at each change, and at most hourly without one, with the kubelet’s credentials. See docs/node-metrics.md.',
      example: true,
    }),
    allowOtherEngines: field(v.boolean(), false, {
      what: 'Install even if another container engine is present.',
      why: 'Docker has its own containerd and HNS networks, so by default the node scripts refuse to install beside it.',
      example: true,
    }),
    encryption: field(v.picklist(['off', 'check', 'require']), 'off', {
      what: 'Whether Join checks that BitLocker protects the drive with the kubelet’s files: `check` warns, `require` fails.',
      why: 'The kubelet writes the Secrets of pods to C:\\var\\lib\\kubelet, also for an `emptyDir` in memory: Windows has no tmpfs.',
      example: 'require',
    }),
    proxy: open(
      v.strictObject({
        url: proxyURL,
        noProxy: v.optional(v.array(noProxyEntry), []),
      }),
      {
        what: 'HTTP proxy for downloads and image pulls; cluster addresses always bypass it.',
        why: 'It applies to containerd and these scripts only: a machine-wide proxy would also get the kubelet’s API traffic.',
        example: { url: 'http://proxy.example.com:3128', noProxy: ['.example.com'] },
      },
    ),
    firewall: group(
      {
        networkFrom: field(v.array(cidr), [], {
          what: 'Subnets allowed to reach the network plugin’s ports, as CIDRs; empty allows all addresses.',
          why: 'These are the tunnel ports (VXLAN: 4789/UDP, Geneve: 6081/UDP, STT: 7471/TCP) and the plugin’s agent ports; only other nodes need to reach them.',
          when: 'with network.mode overlay or transparent',
          example: ['10.0.0.0/24'],
        }),
        kubeletFrom: field(v.array(cidr), [], {
          what: 'Subnets allowed to reach the kubelet on 10250 or kubelet.config.port, as CIDRs; empty allows all addresses.',
          why: 'Only the API server (for logs and exec) and metrics collectors need to reach it.',
          example: ['10.0.0.0/24'],
        }),
        healthFrom: field(v.array(cidr), [], {
          what: 'Subnets allowed to reach kube-proxy’s health check on 10256 or the port of healthzBindAddress, as CIDRs; empty allows all addresses.',
          why: 'Cloud load balancers check it before they send Service traffic to this node. If the network plugin replaces kube-proxy, its agent answers.',
          example: ['10.0.0.0/24'],
        }),
        metricsFrom: field(v.array(cidr), [], {
          what: 'Subnets allowed to reach windows_exporter on 9182, as CIDRs; empty allows all addresses.',
          why: 'Prometheus reads it, without authentication: its node’s subnet, and its pod CIDR if pods keep their address on the way to nodes.',
          when: 'with cluster.windowsExporter.enabled',
          example: ['10.0.0.0/24'],
        }),
        nodePortRange: field(text(portRange, 'a port range such as 30000-32767'), '30000-32767', {
          what: 'The API server’s NodePort range (--service-node-port-range).',
          why: 'The firewall opens it for TCP and UDP; other NodePorts cannot be reached.',
          example: '30000-32767',
        }),
        nodePortsFrom: field(v.array(cidr), [], {
          what: 'Subnets allowed to reach NodePorts, as CIDRs; empty allows all addresses.',
          why: 'Often only the subnet of the load balancers.',
          example: ['10.0.0.0/24'],
        }),
      },
      'Inbound rules of Windows Firewall, which stays enabled.',
    ),
  },
  'Windows settings of the machine.',
)

export const isolation = group(
  {
    hyperV: field(v.boolean(), false, {
      what: 'Add containerd’s Hyper-V isolation handler and a RuntimeClass for it.',
      why: 'Each pod runs in its own utility VM, which isolates tenants; Kubernetes documents process isolation only. If false, containerd 2 still has the handler by default, but winnode writes no RuntimeClass for it.',
      example: true,
    }),
  },
  'Container isolation.',
)
