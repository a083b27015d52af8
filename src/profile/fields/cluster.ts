// Fields of objects that a bundle adds to the cluster, beside those that its nodes need.
import * as v from 'valibot'
import { parseImage } from '../../go/image-reference.ts'
import { csrApproverImage, nodeNamePattern } from '../../model/csr-approver.ts'
import {
  cidr,
  field,
  group,
  labelKey,
  labelValue,
  objectName,
  open,
  quantity,
  smbShare,
  subdomain,
  text,
  whole,
} from '../../model/field.ts'
import { fluentBitOutputs } from '../../model/fluent-bit.ts'
import { smbCsiImage, smbRegistrarImage } from '../../model/smb-csi.ts'
import { exporterCollectors, windowsExporterImage } from '../../model/windows-exporter.ts'
import { parseCidr } from '../../net/cidr.ts'

const image = v.pipe(
  v.string(),
  v.check(
    (written) => parseImage(written) !== undefined,
    'an image such as registry.example.com/name:1.0.0',
  ),
)

const domainName = text(
  /^(?=.{3,255}$)[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/,
  'the DNS name of the domain, such as corp.example.com',
)
const guid = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'

/** As in https://github.com/kubernetes-sigs/windows-gmsa/blob/v0.13.0/charts/gmsa/values.yaml, whose schema takes any text. */
const credentialSpec = v.strictObject({
  name: subdomain,
  machineAccountName: text(
    /^[^\s"/\\[\]:;|=,+*?<>@$]{1,20}$/,
    'the name of the gMSA without domain and without $, such as WebApp1',
  ),
  dnsName: domainName,
  dnsTreeName: v.optional(domainName),
  netBiosName: text(
    /^[^\s."/\\:*?<>|]{1,15}$/,
    'the NetBIOS name of the domain: at most 15 characters without dots, such as CORP',
  ),
  guid: text(new RegExp(`^${guid}$`), 'the GUID of the domain, without braces'),
  sid: text(
    /^S-1-5-21(?:-(?:0|[1-9]\d{0,9})){3}$/,
    'the SID of the domain: S-1-5-21 and three numbers. The SID of an account has a fourth',
  ),
  hostAccountConfig: v.optional(
    v.strictObject({
      pluginGUID: text(
        new RegExp(`^\\{${guid}\\}$`),
        'the GUID of the plug-in in braces, such as {CCC2A336-D7F3-4818-A213-272B7924213E}',
      ),
      pluginInput: text(/\S/, 'the input that the plug-in expects'),
    }),
  ),
  serviceAccounts: v.pipe(
    v.array(v.strictObject({ namespace: objectName(63), name: subdomain })),
    v.minLength(1, 'at least one service account: without one, no pod may use it'),
  ),
})

export const cluster = group(
  {
    policies: group(
      {
        nodeSelector: field(v.boolean(), false, {
          what: 'Require the node selector `kubernetes.io/os: windows` of pods with `os.name: windows`.',
          why: 'The scheduler ignores `os.name`: without the selector it can place the pod on a Linux node, where the kubelet rejects it. [Around the node](around.md#policies)',
          example: true,
        }),
        hostProcessNamespaces: open(v.array(objectName(63)), {
          what: 'Namespaces that may run HostProcess pods; with an empty list, none may.',
          why: 'A HostProcess container is a process on the node, with its files and its network. Without the field, Pod Security alone decides. [Around the node](around.md#policies)',
          example: ['kube-system', 'monitoring'],
        }),
        action: field(v.picklist(['Deny', 'Warn']), 'Deny', {
          what: 'What a policy does with a pod that violates it: `Deny` rejects it, `Warn` warns the client and writes to the audit log.',
          why: 'A policy applies to the whole cluster: with `Warn` first, workloads that it would stop are found before they stop.',
          example: 'Warn',
        }),
      },
      'Admission policies for pods on Windows nodes; the API server must be 1.30 or newer.',
    ),
    imagePull: group(
      {
        images: field(v.array(image), [], {
          what: 'Images that nodes with this Windows release pull before a pod needs them.',
          why: 'Windows images have gigabytes, and the first pod on a node waits for them. A DaemonSet starts a HostProcess container of each, which ends at once; with an empty list there is none. [Around the node](around.md#image-pull)',
          example: ['registry.example.com/web:1.4.2'],
        }),
        secrets: field(v.array(subdomain), [], {
          what: 'Secrets of type kubernetes.io/dockerconfigjson in kube-system with which the images are pulled.',
          why: 'A profile has only their names. Without them the kubelet uses its credential providers, or no credentials.',
          when: 'with cluster.imagePull.images',
          example: ['registry-example'],
        }),
      },
      'Images that the nodes pull before a pod needs them.',
    ),
    smbCsi: group(
      {
        enabled: field(v.boolean(), false, {
          what: 'Run the SMB CSI driver as a DaemonSet of HostProcess pods in kube-system.',
          why: 'Windows has no in-tree volume for file shares that containers can use. Do not use it beside another installation for Windows: both use one socket. [Around the node](around.md#smb-csi)',
          example: true,
        }),
        image: field(image, smbCsiImage, {
          what: 'HostProcess image of the SMB CSI driver.',
          why: 'Tags without -windows-hp need csi-proxy on the node.',
          when: 'with cluster.smbCsi.enabled',
          example: 'registry.example.com/sig-storage/smbplugin:v1.20.3-windows-hp',
        }),
        registrarImage: field(image, smbRegistrarImage, {
          what: 'Image of csi-node-driver-registrar, which registers the driver with the kubelet.',
          why: 'The version is that of the manifest of the driver.',
          when: 'with cluster.smbCsi.enabled',
          example: 'registry.example.com/sig-storage/csi-node-driver-registrar:v2.17.0',
        }),
        csiDriver: field(v.boolean(), true, {
          what: 'Add the CSIDriver object smb.csi.k8s.io.',
          why: 'An installation of the driver for Linux nodes has it already: set `false` beside one.',
          when: 'with cluster.smbCsi.enabled',
          example: false,
        }),
        inlineVolumes: field(v.boolean(), false, {
          what: 'Allow inline volumes of pods, and let the driver read all Secrets of the cluster for them.',
          why: 'For StorageClasses and PersistentVolumes the kubelet reads the Secret, and the driver needs no permission.',
          when: 'with cluster.smbCsi.enabled',
          example: true,
        }),
        sources: field(
          v.pipe(
            v.array(
              v.strictObject({
                name: subdomain,
                source: smbShare,
                kind: v.optional(
                  v.picklist(['PersistentVolume', 'StorageClass']),
                  'PersistentVolume',
                ),
                secret: subdomain,
                secretNamespace: objectName(63),
                capacity: v.optional(quantity, '100Gi'),
              }),
            ),
            v.check(
              (list) => new Set(list.map(({ name }) => name)).size === list.length,
              'each name once',
            ),
          ),
          [],
          {
            what: 'Shares, each as a PersistentVolume or as a StorageClass.',
            why: 'The node resolves the name of the server, not the pod. A StorageClass needs the controller of the driver, from its installation for Linux. A profile has only the names of Secrets.',
            when: 'with cluster.smbCsi.enabled',
            example: [
              {
                name: 'files',
                source: '//files.example.com/share',
                secret: 'smb-files',
                secretNamespace: 'default',
              },
            ],
          },
        ),
      },
      'The SMB CSI driver, which mounts file shares in pods.',
    ),
    fluentBit: group(
      {
        enabled: field(v.boolean(), false, {
          what: 'Run Fluent Bit as a DaemonSet in kube-system, which sends the logs of containers on nodes with this Windows release.',
          why: 'Logs on a node are lost with the node. [Around the node](around.md#fluent-bit)',
          example: true,
        }),
        image: open(image, {
          what: 'Image of Fluent Bit for the Windows release.',
          why: 'There is one for Windows Server 2022 and one for 2025; the image has an operating system.',
          when: 'with cluster.fluentBit.enabled',
          derived: 'the publisher’s image for the Windows release',
          example: 'registry.example.com/fluent/fluent-bit:windows-2022-5.1.1',
        }),
        eventLogs: field(
          v.array(
            text(
              /^[A-Za-z0-9](?:[A-Za-z0-9 ()/_.-]*[A-Za-z0-9)])?$/,
              'a channel of the event log, such as System or Microsoft-Windows-Hyper-V-Compute-Operational',
            ),
          ),
          [],
          {
            what: 'Channels of the event log that a second DaemonSet of HostProcess pods sends.',
            why: 'Other containers cannot see the event log of the node. A channel that a node lacks is ignored, and so is a misspelled one.',
            when: 'with cluster.fluentBit.enabled',
            example: ['System', 'Application'],
          },
        ),
        output: open(
          v.strictObject({
            plugin: v.picklist(fluentBitOutputs),
            host: text(
              /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/,
              'a host name or an IPv4 address',
            ),
            port: whole(1, 65_535),
            tls: v.optional(v.boolean(), false),
          }),
          {
            what: 'Where logs are sent, without credentials.',
            why: 'Pods on Windows nodes resolve the full name of a Service only. With credentials or other settings, use `outputSecretName`.',
            when: 'with cluster.fluentBit.enabled',
            example: {
              plugin: 'loki',
              host: 'loki.monitoring.svc.cluster.local',
              port: 3100,
            },
          },
        ),
        outputSecretName: open(subdomain, {
          what: 'Secret in kube-system whose key output.conf has the `[OUTPUT]` sections of Fluent Bit.',
          why: 'Credentials are not in a profile. Without the key the pods do not start.',
          when: 'with cluster.fluentBit.enabled',
          example: 'fluent-bit-output',
        }),
      },
      'Fluent Bit, which sends logs.',
    ),
    windowsExporter: group(
      {
        enabled: field(v.boolean(), false, {
          what: 'Run windows_exporter as a DaemonSet of HostProcess pods in kube-system, and open its port 9182 on the nodes.',
          why: 'Prometheus reads from it the metrics of Windows, and the metrics of `host.publishStatus`. Do not use it beside another installation: both need the port. [Around the node](around.md#windows_exporter)',
          example: true,
        }),
        image: field(image, windowsExporterImage, {
          what: 'Image of windows_exporter.',
          why: 'One image runs on all Windows builds. Its [publisher](https://github.com/prometheus-community/windows_exporter/releases) has it at ghcr.io, docker.io and quay.io.',
          when: 'with cluster.windowsExporter.enabled',
          example: 'registry.example.com/prometheus-community/windows-exporter:0.31.8',
        }),
        collectors: field(v.array(v.picklist(exporterCollectors)), ['container'], {
          what: 'Collectors beside the default ones (cpu, memory, logical_disk, physical_disk, net, os, service, system).',
          why: 'windows_exporter does not start with an unknown name. `textfile` is added with `host.publishStatus`.',
          when: 'with cluster.windowsExporter.enabled',
          example: ['container', 'tcp'],
        }),
        serviceMonitor: open(
          v.strictObject({
            labels: v.optional(v.record(labelKey, labelValue), {}),
          }),
          {
            what: 'Add a ServiceMonitor for the Prometheus Operator, with `labels` that its Prometheus selects.',
            why: 'The cluster needs the CRD of the ServiceMonitor, or `kubectl apply` rejects it. Without the field, configure Prometheus to read port 9182 of the nodes.',
            when: 'with cluster.windowsExporter.enabled',
            example: { labels: { release: 'kube-prometheus-stack' } },
          },
        ),
        prometheusRule: open(
          v.strictObject({
            labels: v.optional(v.record(labelKey, labelValue), {}),
          }),
          {
            what: 'Add a PrometheusRule for the Prometheus Operator with alerts on the health of nodes, with `labels` that its Prometheus selects.',
            why: 'The alerts read the metrics of `host.publishStatus`. The cluster needs the CRD of the PrometheusRule, or `kubectl apply` rejects it.',
            when: 'with cluster.windowsExporter.enabled',
            example: { labels: { release: 'kube-prometheus-stack' } },
          },
        ),
      },
      'windows_exporter, the Prometheus exporter of Windows.',
    ),
    csrApprover: group(
      {
        enabled: field(v.boolean(), false, {
          what: 'Run kubelet-csr-approver as a Deployment in kube-system, and let the kubelet request its serving certificate from the cluster.',
          why: 'Without an approver, serving certificates of kubelets are self-signed. [Serving certificates](serving-certificates.md)',
          example: true,
        }),
        image: field(image, csrApproverImage, {
          what: 'Image of kubelet-csr-approver, which Linux nodes pull.',
          why: 'Releases before 1.2.4 do not start: they lack a flag.',
          when: 'with cluster.csrApprover.enabled',
          example: 'registry.example.com/postfinance/kubelet-csr-approver:v1.2.14',
        }),
        nodeNames: field(
          v.pipe(
            v.array(
              text(nodeNamePattern, 'a node name in lower case, in which * is any text: win-*'),
            ),
            v.minLength(1, 'at least one pattern'),
          ),
          ['*'],
          {
            what: 'DNS names that are approved; `*` is any text.',
            why: 'Each DNS name of a certificate must match one, and start with the name of the node that requests it. Requests of Linux nodes are checked, too.',
            when: 'with cluster.csrApprover.enabled',
            example: ['win-*'],
          },
        ),
        nodeCIDRs: open(
          v.array(
            v.pipe(
              cidr,
              v.check((written) => parseCidr(written) !== undefined, 'a CIDR such as 10.0.0.0/24'),
            ),
          ),
          {
            what: 'Subnets whose addresses are approved.',
            why: 'A certificate with another address is not approved. The subnets of Linux nodes belong here if their kubelets request serving certificates, too.',
            when: 'with cluster.csrApprover.enabled',
            derived: 'network.nodeCIDRs',
            example: ['10.0.0.0/24', '10.0.1.0/24'],
          },
        ),
        bypassDNS: field(v.boolean(), true, {
          what: 'Approve without resolving the DNS names.',
          why: 'With `false`, the approver resolves each DNS name within one second and rejects addresses that DNS does not return. It does not check requests without a DNS name in this way.',
          when: 'with cluster.csrApprover.enabled',
          example: false,
        }),
        allowedDNSNames: field(whole(1, 1000), 2, {
          what: 'Most DNS names in one certificate.',
          why: 'In some clouds a kubelet requests two: the host name, and a name in the DNS of the cloud.',
          when: 'with cluster.csrApprover.enabled',
          example: 1,
        }),
        deny: field(v.boolean(), false, {
          what: 'Deny requests that do not match, instead of leaving them pending.',
          why: 'A denied request cannot be approved any more, by hand or by another approver. The approver decides on the requests of all nodes of the cluster.',
          when: 'with cluster.csrApprover.enabled',
          example: true,
        }),
      },
      'kubelet-csr-approver, which approves serving certificates of kubelets.',
    ),
    gmsa: group(
      {
        credentialSpecs: field(v.array(credentialSpec), [], {
          what: 'GMSACredentialSpecs for pods, each with the service accounts whose pods may use it.',
          why: 'The API server stores any text, and the container fails at its start. With `hostAccountConfig`, a plug-in of Container Credential Guard fetches the password; without it, nodes must be in the domain. [Pods with a gMSA](gmsa.md)',
          example: [
            {
              name: 'webapp1',
              machineAccountName: 'WebApp1',
              dnsName: 'corp.example.com',
              netBiosName: 'CORP',
              guid: '244818ae-87ac-4fcd-92ec-e79e5252348a',
              sid: 'S-1-5-21-2126449477-2524075714-3094792973',
              serviceAccounts: [{ namespace: 'web', name: 'webapp' }],
            },
          ],
        }),
      },
      'Group managed service accounts of Active Directory for pods; the webhook of windows-gmsa must run in the cluster.',
    ),
  },
  'Objects for the cluster, beside those that the nodes need.',
)
