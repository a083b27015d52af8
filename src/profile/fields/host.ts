// Fields of the machine around Kubernetes: services, host settings, isolation.
import * as v from 'valibot'
import { cidr, field, group, open, whole } from '../../model/field.ts'

export const services = group(
  {
    logMaxSizeMiB: field(whole(1, 10_240), 50, {
      what: 'Size at which a log file is rotated, in MiB.',
      why: 'Nothing on Windows rotates these logs by itself, and a full drive C: stops the node.',
      example: 100,
    }),
    logMaxFiles: field(whole(1, 100), 5, {
      what: 'How many rotated files are kept of a log that winnode rotates.',
      why: 'They are those of containerd and of the network plugin’s daemon, and before Kubernetes 1.34 of kubelet and kube-proxy too.',
      example: 10,
    }),
    logMaxAgeDays: field(whole(1, 3650), 14, {
      what: 'Days that kube-log-runner keeps rotated files of the kubelet and kube-proxy.',
      why: 'It rotates by size and removes by age.',
      when: 'from Kubernetes 1.34 on',
      example: 30,
    }),
  },
  'The Windows services that run the components.',
)

export const host = group(
  {
    features: field(
      v.array(v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]+$/, 'the name of a Windows feature'))),
      ['Containers'],
      {
        what: 'Windows features to install.',
        why: 'Containers is needed; installing it asks for a restart. Hyper-V isolation needs Hyper-V too.',
        example: ['Containers', 'Hyper-V'],
      },
    ),
    pageFileMiB: open(whole(512, 1_048_576), {
      what: 'Size of the page file, initial and maximum, in MiB.',
      why: 'Windows hands out no memory beyond RAM and page file, and the eviction signal counts both: a fixed size keeps the eviction point where it is.',
      example: 8096,
    }),
    defenderExclusions: field(v.boolean(), false, {
      what: 'Exclude the node’s own programs, and those of its network plugin, from Defender’s real-time scan.',
      why: 'Defender scans a file again for each container that shares its layer, and holds files that containerd wants to move or remove: slow pulls and starts, and snapshots that stay behind. But what an excluded program opens is not scanned.',
      example: true,
    }),
    powerPlan: field(v.boolean(), true, {
      what: 'Use the power plan High performance.',
      why: 'Balanced, the default of Windows, lowers the clock of processors that a node pays for.',
      example: true,
    }),
    timeServers: field(
      v.array(
        v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9.:-]*$/, 'a host name or address')),
      ),
      [],
      {
        what: 'NTP servers; empty leaves the time service as it is.',
        why: 'Certificates and tokens fail when the clock is off.',
        example: ['time.windows.com'],
      },
    ),
    allowOtherEngines: field(v.boolean(), false, {
      what: 'Go on where another container engine is installed.',
      why: 'Docker brings a containerd and networks of its own; the node refuses to install beside it unless this says so.',
      example: true,
    }),
    proxy: open(
      v.strictObject({
        url: v.pipe(
          v.string(),
          v.regex(
            /^https?:\/\/[^\s/@]+\/?$/,
            'an address without a user, such as http://proxy.example.com:3128',
          ),
        ),
        noProxy: v.optional(v.array(v.string()), []),
      }),
      {
        what: 'HTTP proxy for downloads and image pulls; cluster addresses are always exempt.',
        why: 'It is set for containerd and for downloads of these scripts: a machine-wide proxy sends the kubelet’s API traffic through it.',
        example: { url: 'http://proxy.example.com:3128', noProxy: ['.example.com'] },
      },
    ),
    firewall: group(
      {
        networkFrom: field(v.array(cidr), [], {
          what: 'Who may reach the ports of the network plugin, as CIDRs; empty for anybody.',
          why: 'They are the tunnel between nodes (VXLAN: 4789/UDP, Geneve: 6081/UDP) and the plugin’s agents: every other node must reach them, and nothing else needs to.',
          when: 'with network.mode overlay or transparent',
          example: ['10.0.0.0/24'],
        }),
        kubeletFrom: field(v.array(cidr), [], {
          what: 'Who may reach the kubelet on 10250, as CIDRs; empty for anybody.',
          why: 'The API server must, for logs and exec, and what scrapes metrics. Nobody else needs to.',
          example: ['10.0.0.0/24'],
        }),
        healthFrom: field(v.array(cidr), [], {
          what: 'Who may ask for the health of kube-proxy on 10256, as CIDRs; empty for anybody.',
          why: 'Load balancers of clouds ask there before they send packets of a Service to this node; they need nothing else of it. Where the network plugin replaces kube-proxy, its agent answers.',
          example: ['10.0.0.0/24'],
        }),
        nodePortRange: field(
          v.pipe(v.string(), v.regex(/^\d{1,5}-\d{1,5}$/, 'a port range such as 30000-32767')),
          '30000-32767',
          {
            what: 'The API server’s range of node ports.',
            why: 'The firewall opens it for TCP and UDP; services on other ports cannot be reached.',
            example: '30000-32767',
          },
        ),
        nodePortsFrom: field(v.array(cidr), [], {
          what: 'Who may reach node ports, as CIDRs; empty for anybody.',
          why: 'Often the subnet of the load balancers alone.',
          example: ['10.0.0.0/24'],
        }),
      },
      'Inbound rules of the Windows firewall, which stays on.',
    ),
  },
  'The machine itself.',
)

export const isolation = group(
  {
    hyperV: field(v.boolean(), false, {
      what: 'Offer containerd’s Hyper-V handler beside process isolation.',
      why: 'Each pod gets a small virtual machine of its own, a boundary between tenants; Kubernetes documents process isolation only. Without it, containerd 2 still has the handler, from its defaults; a Pod reaches it only through a RuntimeClass, and winnode writes none.',
      example: true,
    }),
  },
  'How containers are kept apart.',
)
